internal import ChirpCommunity
package import FoundationEssentials

/// What somebody who judges wants to know of an attempt's author, before she decides.
package struct AttemptQuestion: Hashable, Sendable {
    package let sequence: Int64
    /// It is the viewer's. Whose it is else nobody is told.
    package let isOwn: Bool
    /// Plain text; empty: who has asked it has erased her account.
    package let text: String
    package let at: Date
    /// Plain text; empty: none yet.
    package let answer: String
    package let answered: Date?

    /// How many there may be for an attempt.
    package static let most = 10
}

/// What somebody may do about an attempt.
package enum AttemptJudging: Hashable, Sendable {
    case may(Ruling.Standing)
    case refused(AttemptRefusal)
}
