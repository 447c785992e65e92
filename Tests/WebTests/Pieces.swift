import ChirpWeb
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded

/// A body that comes in pieces, and then ends or fails.
struct Pieces: AsyncSequence, Sendable {
    let bytes: [UInt8]
    /// Bytes of each piece.
    let count: Int
    var then: Result<Void, any Error> = .success(())

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<UInt8>
        let count: Int
        let then: Result<Void, any Error>

        mutating func next() async throws -> ByteBuffer? {
            guard !rest.isEmpty else {
                try then.get()
                return nil
            }
            defer { rest = rest.dropFirst(count) }
            return ByteBuffer(bytes: rest.prefix(count))
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: bytes[...], count: count, then: then) }
}

extension WebContext {
    /// Of a request from an address.
    static func stranger(_ address: String = "192.0.2.1") throws -> WebContext {
        let channel = NIOAsyncTestingChannel()
        channel.remoteAddress = try SocketAddress(ipAddress: address, port: 50_000)
        return WebContext(source: ApplicationRequestContextSource(channel: channel, logger: Logger(label: "test")))
    }
}
