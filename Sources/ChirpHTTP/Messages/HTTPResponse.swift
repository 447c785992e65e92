package import ChirpCore

/// What came back. Any status is an answer; only a missing answer is an ``HTTPError``.
public struct HTTPResponse: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public let status: Int
    public let headers: HTTPHeaders
    /// The content, unless it went to a file.
    public let body: [UInt8]
    /// The size of the file in bytes after a download into one; nil when the content is in ``body``.
    public let fileBytes: Int64?

    public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], fileBytes: Int64? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.fileBytes = fileBytes
    }

    public var isSuccess: Bool { (200...299).contains(status) }

    /// The content as text; bytes that are not UTF-8 become replacement characters.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Whether the content says it is JSON. A captive portal or a proxy can answer a page with status 200.
    public var isJSON: Bool {
        guard let type = headers["Content-Type"]?.lowercased() else { return false }
        let media = type.prefix { $0 != ";" }.filter { $0 != " " }
        return media == "application/json" || media.hasSuffix("+json")
    }

    /// The content decoded, or nil when it is not JSON of that shape, or more of it than ``UntrustedJSON/Limits/answer``.
    public func json<T: Decodable>(_ type: T.Type) -> T? { json(type, within: .answer) }

    /// The same within other limits.
    package func json<T: Decodable>(_ type: T.Type, within limits: UntrustedJSON.Limits) -> T? {
        isJSON ? try? UntrustedJSON.decode(type, from: body, limits) : nil
    }

    public var description: String { "\(status), \(fileBytes ?? Int64(body.count)) bytes" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
