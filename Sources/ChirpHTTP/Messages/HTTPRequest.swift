/// One request, complete and repeatable. Its description never shows the query, header fields or content, because tokens,
/// codes and upload sessions travel in them.
public struct HTTPRequest: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Where the content of a successful answer goes.
    public enum Sink: Hashable, Sendable {
        /// Kept in memory; more than `limit` bytes is ``HTTPError/tooLarge(host:limit:)``.
        case memory(limit: Int)
        /// Written to a file, which keeps what arrived when the transfer breaks. With `offset` above zero only the rest is
        /// asked for; should the server send all of it, the file is written anew from its beginning. More than `limit` bytes
        /// in all is refused. Answers other than 200 and 206 leave the file alone and come in memory.
        case file(path: String, offset: Int64, limit: Int64)
    }

    public var method: HTTPMethod
    public var address: WebAddress
    public var headers: HTTPHeaders
    public var body: HTTPBody
    public var sink: Sink
    /// Whether it may be sent again when the first answer was lost. By default what HTTP says of the method; true also for a
    /// POST that carries an idempotency key or an id made beforehand.
    public var isRepeatable: Bool
    /// Told the bytes of content sent and received so far, at most every 64 KiB; runs on the transport's thread, so it must be quick.
    public var progress: (@Sendable (_ sent: Int64, _ received: Int64) -> Void)?
    /// Told status and header fields once, before any content is written down; runs on the transport's thread, so it must be
    /// quick. Transports of tests may leave it out.
    public var answered: (@Sendable (_ status: Int, _ headers: HTTPHeaders) -> Void)?

    /// Answers of APIs are small: 8 MiB is far above any of them and far below what would hurt.
    public static let usualLimit = 8 << 20

    public init(
        _ method: HTTPMethod, _ address: WebAddress, headers: HTTPHeaders = [:], body: HTTPBody = .none,
        sink: Sink = .memory(limit: usualLimit), isRepeatable: Bool? = nil,
        progress: (@Sendable (_ sent: Int64, _ received: Int64) -> Void)? = nil
    ) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
        self.sink = sink
        self.isRepeatable = isRepeatable ?? method.isIdempotent
        self.progress = progress
    }

    public var description: String { "\(method.rawValue) \(address)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
