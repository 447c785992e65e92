internal import Dispatch
internal import Synchronization

/// HTTP over the system's libcurl: all requests on one thread, which keeps connections open for the next request and
/// speaks HTTP/2 where the server offers it. The thread begins with the first request and ends with this object.
///
/// Server certificates are always verified. Redirects are answers, not followed: whoever asks decides.
public final class CurlTransport: HTTPTransport {
    private let settings: CurlSettings
    private let mailbox = CurlMailbox()
    private let isStarted = Mutex(false)

    public init(settings: CurlSettings = CurlSettings()) {
        self.settings = settings
    }

    deinit { mailbox.close() }

    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        startOnce()
        let id = mailbox.newID()
        let mailbox = mailbox
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                mailbox.send(CurlMailbox.Order(id: id, request: request, recipient: .whole(continuation)))
            }
        } onCancel: {
            mailbox.cancel(id)
        }
        mailbox.forget(id)
        return try answer.get()
    }

    public func stream(_ request: HTTPRequest, silence: Duration) async throws(HTTPError) -> HTTPStream {
        startOnce()
        let reader = CurlPipeReader(CurlPipe(id: mailbox.newID(), mailbox: mailbox))
        mailbox.send(
            CurlMailbox.Order(id: reader.pipe.id, request: request, recipient: .pieces(reader.pipe, silence: silence)))
        let head = try await reader.pipe.head()
        // The transport lives as long as somebody reads.
        return HTTPStream(status: head.status, headers: head.headers) { [self] () async throws(HTTPError) in
            defer { withExtendedLifetime(self) {} }
            return try await reader.pipe.next()
        }
    }

    private func startOnce() {
        let isFirst = isStarted.withLock { started in
            defer { started = true }
            return !started
        }
        guard isFirst else { return }
        let (mailbox, settings) = (mailbox, settings)
        // A queue of its own is a thread of its own here: the loop never returns while the transport lives.
        DispatchQueue(label: "chirp.http").async { CurlDriver.run(mailbox, settings: settings) }
    }
}
