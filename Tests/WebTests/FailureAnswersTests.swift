import ChirpWeb
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import Testing

/// What goes to the log as an error is one.
@Suite struct FailureAnswersTests {
    struct Fault: Error {}

    private final class Lines: Sendable { let lines = Mutex<[Logger.Level]>([]) }

    private struct Log: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.lines.withLock { $0.append(event.level) } }
    }

    private func answer(to error: any Error) async throws -> (status: Int, lines: [Logger.Level]) {
        let lines = Lines()
        let logger = Logger(label: "failures") { _ in Log(lines: lines) }
        let failures = FailureAnswers { status in
            FailureAnswers.Page(title: "\(status.code)", html: "failed")
        } status: { _ in
            nil
        }
        let request = Request(
            head: HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/oauth/token"),
            body: RequestBody(buffer: ByteBuffer()))
        let context = WebContext(
            source: ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: logger))
        let response = try await failures.handle(request, context: context) { _, _ in throw error }
        return (response.status.code, lines.lines.withLock { $0 })
    }

    @Test func `a body that ends early is no error of the server, and anything else is`() async throws {
        let cut: [any Error] = [
            HTTPParserError.invalidEOFState, ChannelError.inputClosed, IOError(errnoCode: 104, reason: "read"),
        ]
        for error in cut {
            let (status, lines) = try await answer(to: error)
            #expect(status == 400 && lines == [.debug], "\(error)")
        }
        let (status, lines) = try await answer(to: Fault())
        #expect(status == 500 && lines == [.error])
    }
}
