/// An answer whose content is read while it arrives, piece by piece, for answers that may never end.
///
/// Iterating gives pieces of bytes in order, cut anywhere; it ends with the answer and throws what breaks it. Little is held:
/// a reader that is slow slows the sender. One reader; letting go of the stream, or cancelling its reader, ends the transfer.
public struct HTTPStream: AsyncSequence, Sendable {
    public let status: Int
    public let headers: HTTPHeaders
    private let read: @Sendable () async throws(HTTPError) -> [UInt8]?

    /// - Parameter read: the next piece; nil at the end.
    public init(
        status: Int, headers: HTTPHeaders = [:], read: @escaping @Sendable () async throws(HTTPError) -> [UInt8]?
    ) {
        self.status = status
        self.headers = headers
        self.read = read
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let read: @Sendable () async throws(HTTPError) -> [UInt8]?

        public mutating func next() async throws(HTTPError) -> [UInt8]? { try await read() }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(HTTPError) -> [UInt8]? { try await read() }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(read: read) }

    public var isSuccess: Bool { (200...299).contains(status) }

    /// The rest of the content at once, such as that of a refusal; what exceeds the limit is left out.
    public func response(limit: Int = 256 << 10) async throws(HTTPError) -> HTTPResponse {
        var body: [UInt8] = []
        while body.count < limit, let piece = try await read() { body += piece.prefix(limit - body.count) }
        return HTTPResponse(status: status, headers: headers, body: body)
    }
}
