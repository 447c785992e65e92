internal import ChirpHTTP
internal import Foundation
import Glibc
internal import Synchronization

/// A small mail server on 127.0.0.1 that can also misbehave: one thread per connection.
public final class LoopbackMail: Sendable {
    /// What it does instead of what is usual.
    public enum Fault: Sendable {
        /// Greets with a code and closes.
        case greeting(Int)
        /// Answers the sender with a code.
        case sender(Int)
        /// Answers the recipient with a code.
        case recipient(Int)
        /// Closes after so many lines of the letter.
        case cut(afterLines: Int)
        /// Takes the letter and closes without saying so.
        case lost
        /// Refuses user and password.
        case password
    }

    /// What was taken.
    public struct Letter: Sendable {
        public let from: String
        public let to: [String]
        /// As it was sent, without the dots that were put before others.
        public let text: String
    }

    private struct State {
        var letters: [Letter] = []
        var greetings: [String] = []
        var signIns: [String] = []
        var faults: [Fault]
        var isClosed = false
    }

    public let port: Int
    private let state: Mutex<State>

    /// - Parameter faults: one for each connection, in turn; afterwards there are none.
    public init(_ faults: [Fault] = []) throws {
        let socket = try ListeningSocket(port: 0)
        port = Int(socket.port)
        state = Mutex(State(faults: faults))
        let listener = MailListener(socket)
        Thread.detachNewThread { [weak self] in
            while self?.state.withLock({ $0.isClosed }) == false {
                guard let raw = listener.accept(), let self else { continue }
                let fault = self.state.withLock { $0.faults.isEmpty ? nil : $0.faults.removeFirst() }
                Thread.detachNewThread {
                    self.talk(LoopbackLines(raw), fault)
                    Glibc.close(raw)
                }
            }
        }
    }

    deinit { close() }

    public func close() { state.withLock { $0.isClosed = true } }

    public var letters: [Letter] { state.withLock { $0.letters } }
    /// By what clients call themselves.
    public var greetings: [String] { state.withLock { $0.greetings } }
    /// What came with AUTH PLAIN, as it came.
    public var signIns: [String] { state.withLock { $0.signIns } }

    private func talk(_ lines: LoopbackLines, _ fault: Fault?) {
        if case .greeting(let code)? = fault { return lines.say("\(code) not now") }
        lines.say("220 loopback")
        var (from, to) = ("", [String]())
        while let line = lines.next() {
            let word = line.prefix { $0 != " " && $0 != ":" }.uppercased()
            let rest = String(line.dropFirst(word.count + 1))
            switch word {
            case "EHLO":
                state.withLock { $0.greetings.append(rest) }
                lines.say("250-loopback\r\n250-AUTH PLAIN\r\n250 8BITMIME")
            case "AUTH":
                if case .password? = fault { lines.say("535 no") } else { signIn(rest, lines) }
            case "MAIL":
                from = Self.address(in: rest)
                if case .sender(let code)? = fault { lines.say("\(code) no") } else { lines.say("250 ok") }
            case "RCPT":
                if case .recipient(let code)? = fault {
                    lines.say("\(code) no")
                } else {
                    to.append(Self.address(in: rest))
                    lines.say("250 ok")
                }
            case "DATA":
                lines.say("354 go on")
                guard let text = content(lines, fault) else { return }
                let letter = Letter(from: from, to: to, text: text)
                state.withLock { $0.letters.append(letter) }
                if case .lost? = fault { return }
                lines.say("250 taken")
            case "QUIT": return lines.say("221 bye")
            default: lines.say("250 ok")
            }
        }
    }

    private func signIn(_ rest: String, _ lines: LoopbackLines) {
        var token = rest.split(separator: " ").dropFirst().first.map(String.init)
        if token == nil {
            lines.say("334 ")
            token = lines.next()
        }
        state.withLock { $0.signIns.append(token ?? "") }
        lines.say("235 ok")
    }

    private func content(_ lines: LoopbackLines, _ fault: Fault?) -> String? {
        var (text, count) = ("", 0)
        while let line = lines.next() {
            if line == "." { return text }
            count += 1
            if case .cut(let most)? = fault, count > most { return nil }
            text += (line.hasPrefix(".") ? String(line.dropFirst()) : line) + "\r\n"
        }
        return nil
    }

    private static func address(in text: String) -> String {
        guard let start = text.firstIndex(of: "<"), let end = text.lastIndex(of: ">"), start < end else { return text }
        return String(text[text.index(after: start)..<end])
    }
}

/// Lines over a connection, on its thread.
private final class LoopbackLines {
    private let raw: Int32
    private var buffer: [UInt8] = []

    init(_ raw: Int32) { self.raw = raw }

    func say(_ text: String) {
        let bytes = Array("\(text)\r\n".utf8)
        _ = send(raw, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// The next line without its end; nil when the client is gone.
    func next() -> String? {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                let line = buffer[..<end].filter { $0 != 13 }
                buffer.removeSubrange(...end)
                return String(decoding: line, as: UTF8.self)
            }
            var piece = [UInt8](repeating: 0, count: 8192)
            let count = recv(raw, &piece, piece.count, 0)
            guard count > 0, buffer.count < 1 << 20 else { return nil }
            buffer += piece[..<count]
        }
    }
}

/// Carries the listening socket into the thread that accepts.
private final class MailListener: Sendable {
    private let socket: ListeningSocket

    init(_ socket: consuming ListeningSocket) { self.socket = socket }

    func accept() -> Int32? { socket.acceptRaw(milliseconds: 100) }
}
