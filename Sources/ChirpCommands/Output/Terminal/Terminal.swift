internal import ArgumentParser
internal import Glibc

/// What is known about the streams of this process, and how words are written to them.
package enum Terminal {
    /// Whether a person watches standard error and the terminal understands control sequences.
    package static func canDraw(_ environment: [String: String]) -> Bool {
        isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb" && environment["TERM"]?.isEmpty == false
    }

    /// Columns of the terminal at standard error; 80 when it does not tell.
    package static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Whether a question can be asked.
    package static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Whether standard output is a pipe that nobody reads any more (poll(2): the writing end then has `POLLERR`).
    static var readerHasGone: Bool {
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        return poll(&output, 1, 0) == 1 && Int32(output.revents) & POLLERR != 0
    }

    /// Writes all of it.
    ///
    /// - Throws: ``OutputError/closed`` when the reader has gone away, otherwise why it cannot be written.
    package static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) throws(OutputError) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                bytes = bytes.dropFirst(written)
            } else if errno == EPIPE {
                throw .closed
            } else if errno == EAGAIN {
                // Somebody has made it non-blocking; waiting for the reader takes no processor time.
                var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&output, 1, -1)
            } else if errno != EINTR {
                throw .failed(reason: String(cString: strerror(errno)))
            }
        }
    }

    /// Writes to standard error. When even that fails there is nobody left to tell.
    package static func tell(_ text: String) {
        try? write(text, to: STDERR_FILENO)
    }
}

/// When words for people are coloured. `auto`: on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
package enum ColorUse: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument, ConfigValue {
    case auto
    case always
    case never

    /// - Parameter environment: `NO_COLOR` counts when it is not empty (no-color.org).
    func applies(_ environment: [String: String]) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto: environment["NO_COLOR"]?.isEmpty != false && Terminal.canDraw(environment)
        }
    }
}
