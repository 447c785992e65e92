/// Why a message is not believed.
package enum SignatureFault: String, Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The header cannot be read.
    case malformed
    /// It holds no signature of a kind that is known.
    case missing
    /// None of its signatures is right for any secret.
    case wrong
    /// It was signed too long ago: somebody may be sending an old message again.
    case old

    package var description: String {
        switch self {
        case .malformed: "its signature cannot be read"
        case .missing: "it is not signed"
        case .wrong: "its signature is wrong"
        case .old: "it was signed too long ago"
        }
    }
}
