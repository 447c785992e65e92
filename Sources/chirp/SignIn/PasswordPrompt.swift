import ChirpCommands
import Glibc

/// Asks for a user and a password: on the terminal, the password unseen; otherwise the password is the first line of standard input.
enum PasswordPrompt {
    /// No password is longer; a line that is comes from something else.
    private static let mostBytes = 4096

    /// - Parameters:
    ///   - user: the one that is configured; nil to ask.
    ///   - place: what they are for.
    static func ask(user: String?, for place: String) throws -> (user: String, password: String) {
        guard let user = try user ?? named(for: place), !user.isEmpty else {
            throw UsageError("nobody is named to sign in at \(place)", cure: "Set webdav.user in the configuration")
        }
        if Terminal.canAsk { Terminal.tell("Password of \(user) at \(place): ") }
        guard let password = try unseen({ try line() }), !password.isEmpty else {
            throw UsageError(
                "there is no password", cure: "Type it on a terminal, or give it as the first line of standard input")
        }
        return (user, password)
    }

    private static func named(for place: String) throws -> String? {
        guard Terminal.canAsk else { return nil }
        Terminal.tell("User at \(place): ")
        return try line()
    }

    /// Runs something while the terminal shows nothing of what is typed.
    private static func unseen<T>(_ body: () throws -> T) rethrows -> T {
        var former = termios()
        guard Terminal.canAsk, tcgetattr(STDIN_FILENO, &former) == 0 else { return try body() }
        var silent = former
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &former)
            Terminal.tell("\n")
        }
        return try body()
    }

    /// A line without its end; nil when there is none. Looks up now and then, so that Ctrl-C ends it in good order.
    private static func line() throws -> String? {
        var bytes: [UInt8] = []
        while bytes.count < mostBytes {
            try Task.checkCancellation()
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard poll(&input, 1, 200) != 0 else { continue }
            var byte: UInt8 = 0
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            if count <= 0 { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") {
                if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
                return String(decoding: bytes, as: UTF8.self)
            }
            bytes.append(byte)
        }
        return nil
    }
}
