internal import ChirpCore
public import ChirpHTTP

/// Receives the browser that comes back from a sign-in page (RFC 8252 section 7.3): listens on 127.0.0.1 only, takes the first
/// request for its path that carries the expected `state` and answers with a small page. Its end closes the port.
public final class LoopbackRedirectListener: Sendable {
    private let socket: ListeningSocket
    private let path: String

    /// - Parameters:
    ///   - port: 0 lets the system choose; services that want the exact address registered need a fixed one.
    ///   - path: begins with a slash.
    public init(port: UInt16 = 0, path: String = "/") throws(HTTPError) {
        precondition(path.hasPrefix("/"))
        socket = try ListeningSocket(port: port)
        self.path = path
    }

    /// What to register and send as `redirect_uri`. Google is given the bare origin when the path is a single slash.
    public var redirectAddress: String { "http://127.0.0.1:\(socket.port)" + (path == "/" ? "" : path) }

    /// Waits for the browser and returns the fields of its query, decoded.
    ///
    /// A request with another path or state is answered with 404 and ignored: any page and any program on this machine can
    /// send one.
    public func fields(
        state: String, timeout: Duration = .seconds(300)
    ) async throws(HTTPError) -> [String: String] {
        try await offPool { () throws(HTTPError) in try self.wait(state: state, timeout: timeout) }
    }

    private func wait(state: String, timeout: Duration) throws(HTTPError) -> [String: String] {
        let deadline = ContinuousClock().now + timeout
        while ContinuousClock().now < deadline {
            if Task.isCancelled { throw .cancelled }
            guard let connection = socket.accept(milliseconds: 100), let head = connection.requestHead() else {
                continue
            }
            guard let fields = fields(of: head), fields["state"] == state else {
                connection.answer(Self.page(status: "404 Not Found", "This is not the page you are looking for."))
                continue
            }
            let text =
                fields["error"] == nil
                ? "You are signed in. You can close this page and go back to Chirp."
                : "Nothing was allowed. You can close this page and go back to Chirp."
            connection.answer(Self.page(status: "200 OK", text))
            return fields
        }
        throw .interrupted(host: "127.0.0.1", reason: "the browser did not come back in time")
    }

    /// The query's fields when the request is a GET of this listener's path.
    private func fields(of head: String) -> [String: String]? {
        let words = head.prefix { $0 != "\r\n" && $0 != "\n" }.split(separator: " ")
        guard words.count == 3, words[0] == "GET" else { return nil }
        let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard target.count == 2, target[0] == path else { return nil }
        return Dictionary(
            PercentEncoding.fields(of: target[1]).map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    private static func page(status: String, _ text: String) -> String {
        let html = """
            <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>Chirp</title><body style="font: 1.5rem sans-serif; margin: 3rem auto; max-width: 40rem; padding: 0 1rem">
            <h1>Chirp</h1><p>\(text)</p></body></html>
            """
        return "HTTP/1.1 \(status)\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: \(html.utf8.count)\r\n"
            + "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n" + html
    }
}
