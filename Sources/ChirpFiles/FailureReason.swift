/// Why something cannot be done with a file: what the system said, with its number, or a phrase such as "it is a folder".
///
/// An error that holds one instead of a text can be shown and still be told apart.
public enum FailureReason: Hashable, Sendable, CustomStringConvertible,
    ExpressibleByStringInterpolation
{
    case system(SystemError)
    case words(String)

    public init(stringLiteral words: String) { self = .words(words) }

    public var description: String {
        switch self {
        case .system(let error): error.description
        case .words(let words): words
        }
    }

    /// What the system said, as an `errno`; nil for a phrase.
    public var code: Int32? {
        guard case .system(let error) = self else { return nil }
        return error.code
    }

    /// The disk, or the user's share of it, is full.
    public var isFull: Bool { code.map { SystemError(code: $0).isFull } ?? false }
}
