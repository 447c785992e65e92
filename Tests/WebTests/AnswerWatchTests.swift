import ChirpWeb
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

/// A stream of HTTP/2 holds its answer as long as it is read, and not for ever.
@Suite struct AnswerWatchTests {
    private let window = ShutWindow()

    /// An answer of 100 kB that waits for its window, which is shut.
    private func answer() async throws -> NIOAsyncTestingChannel {
        let scene = AnswerScene(ConnectionLimits())
        let channel = try await scene.stream("192.0.2.1", window: window)
        channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer(repeating: 7, count: 100_000)), promise: nil)
        await channel.testingEventLoop.run()
        return channel
    }

    @Test func `a stream of which nothing is taken ends`() async throws {
        let channel = try await answer()
        await channel.testingEventLoop.advanceTime(by: .seconds(59))
        #expect(channel.isActive)
        await channel.testingEventLoop.advanceTime(by: .seconds(20))
        #expect(!channel.isActive)
        #expect(window.count == 0)
    }

    @Test func `a slow reader gets all of it`() async throws {
        let channel = try await answer()
        // It goes out in pieces of 16 KiB.
        #expect(window.count == 7)
        for _ in 0..<7 {
            await channel.testingEventLoop.advanceTime(by: .seconds(50))
            #expect(channel.isActive)
            window.take()
        }
        await channel.testingEventLoop.advanceTime(by: .seconds(600))
        #expect(channel.isActive)
        try await channel.close()
    }
}
