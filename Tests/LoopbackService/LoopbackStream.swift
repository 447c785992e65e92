internal import Foundation

/// Content that a test writes while a client reads it.
public final class LoopbackStream: @unchecked Sendable {  // All state is touched with the condition locked.
    private let condition = NSCondition()
    private var waiting: [[UInt8]] = []
    private var isClosed = false
    private var hasGone = false
    private var sent = 0

    public init() {}

    public func write(_ text: String) { write(Array(text.utf8)) }

    public func write(_ bytes: [UInt8]) {
        condition.withLock {
            waiting.append(bytes)
            condition.broadcast()
        }
    }

    /// The answer is over.
    public func close() {
        condition.withLock {
            isClosed = true
            condition.broadcast()
        }
    }

    /// Whether the client has closed the connection, as far as writing has shown it.
    public var clientHasGone: Bool { condition.withLock { hasGone } }

    /// Bytes that the system has taken for the client.
    public var sentBytes: Int { condition.withLock { sent } }

    /// Sends what is written, until it is closed or the client is gone. Blocks.
    func drain(_ send: ([UInt8]) -> Bool) {
        while let piece = next() {
            let isSent = send(piece)
            condition.withLock {
                if isSent { sent += piece.count } else { hasGone = true }
            }
            guard isSent else { return }
        }
    }

    private func next() -> [UInt8]? {
        condition.withLock {
            while waiting.isEmpty, !isClosed { condition.wait() }
            return waiting.isEmpty ? nil : waiting.removeFirst()
        }
    }
}
