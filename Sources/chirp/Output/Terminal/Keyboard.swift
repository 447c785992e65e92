import Dispatch
import Glibc

/// Single keys from the terminal at standard input, without Enter and without being shown.
///
/// The terminal gets its former manner back by ``close()``, which every command does before it ends, also on the second
/// Ctrl-C.
final class Keyboard: Sendable {
    let keys: AsyncStream<Key>
    private let continuation: AsyncStream<Key>.Continuation
    private let former: termios
    /// Proof of `unsafe`: Dispatch objects may be used from any thread; it is only cancelled after `init`.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// Nil when standard input is no terminal, or is another job's: nobody can press a key then.
    init?() {
        var manner = termios()
        guard isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp(), tcgetattr(STDIN_FILENO, &manner) == 0
        else { return nil }
        former = manner
        // Ctrl-C stays a signal (ISIG).
        manner.c_lflag &= ~tcflag_t(ICANON | ECHO)
        guard tcsetattr(STDIN_FILENO, TCSANOW, &manner) == 0 else { return nil }
        // A person types little; what nobody takes is old.
        (keys, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
        source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global(qos: .userInteractive))
        let (source, continuation) = (source, continuation)
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            guard count > 0 else {
                if count == 0 || errno != EINTR && errno != EAGAIN { source.cancel() }
                return
            }
            for key in Key.keys(in: bytes.prefix(count)) { continuation.yield(key) }
        }
        source.setCancelHandler { continuation.finish() }
        source.activate()
    }

    /// Ends the keys and gives the terminal back as it was. May be repeated.
    func close() {
        source.cancel()
        var former = former
        tcsetattr(STDIN_FILENO, TCSANOW, &former)
    }
}
