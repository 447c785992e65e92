/// What a request asks the server to do (RFC 9110, and RFC 4918 for WebDAV).
public enum HTTPMethod: String, Sendable, Hashable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case propfind = "PROPFIND"
    case makeCollection = "MKCOL"
    case move = "MOVE"

    /// Whether doing it twice is as good as doing it once (RFC 9110 section 9.2.2). MOVE is idempotent on paper only: the
    /// second one finds no source.
    public var isIdempotent: Bool {
        switch self {
        case .get, .head, .put, .delete, .propfind: true
        case .post, .patch, .makeCollection, .move: false
        }
    }

    /// Whether a request without content says so with `Content-Length: 0`.
    var expectsContent: Bool {
        switch self {
        case .post, .put, .patch: true
        case .get, .head, .delete, .propfind, .makeCollection, .move: false
        }
    }
}
