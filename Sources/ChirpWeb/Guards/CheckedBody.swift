internal import Hummingbird
internal import NIOCore

/// A body at the end of which something is checked, before its reader sees that it has ended.
struct CheckedBody: AsyncSequence, Sendable {
    let body: Hummingbird.RequestBody
    let check: @Sendable () async throws -> Void

    struct AsyncIterator: AsyncIteratorProtocol {
        var body: Hummingbird.RequestBody.AsyncIterator
        let check: @Sendable () async throws -> Void

        @concurrent mutating func next() async throws -> ByteBuffer? {
            if let piece = try await body.next() { return piece }
            try await check()
            return nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: body.makeAsyncIterator(), check: check) }
}
