/// The content of a request: pieces of memory and of files, read when they are sent, so that a large body costs no memory
/// and every body can be sent again.
public struct HTTPBody: Hashable, Sendable {
    package enum Segment: Hashable, Sendable {
        case bytes([UInt8])
        /// `count` bytes of the file from `offset`.
        case file(path: String, offset: Int64, count: Int64)

        var count: Int64 {
            switch self {
            case .bytes(let bytes): Int64(bytes.count)
            case .file(_, _, let count): count
            }
        }
    }

    package let segments: [Segment]

    package init(segments: [Segment]) {
        self.segments = segments.filter { $0.count > 0 }
    }

    public static let none = HTTPBody(segments: [])

    public static func bytes(_ bytes: [UInt8]) -> HTTPBody { HTTPBody(segments: [.bytes(bytes)]) }

    public static func text(_ text: String) -> HTTPBody { .bytes(Array(text.utf8)) }

    /// A part of a file. It must not change until the request is over; if it turns out shorter the request fails.
    public static func file(path: String, offset: Int64 = 0, count: Int64) -> HTTPBody {
        precondition(offset >= 0 && count >= 0)
        return HTTPBody(segments: [.file(path: path, offset: offset, count: count)])
    }

    /// One body after the other.
    public static func + (a: HTTPBody, b: HTTPBody) -> HTTPBody { HTTPBody(segments: a.segments + b.segments) }

    /// The exact size in bytes.
    public var count: Int64 { segments.reduce(0) { $0 + $1.count } }
}
