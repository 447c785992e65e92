/// What somebody says of an entry, once, and may change or take back.
package enum ItemVote: String, Hashable, Sendable, CaseIterable {
    case up, down

    /// As which it stands among the marks.
    var mark: ItemMark { self == .up ? .up : .down }
}

/// How an entry stands with those who have voted on it.
package struct VoteStanding: Hashable, Sendable {
    /// How many people, whether or not they count.
    package let ups: Int
    package let downs: Int
    /// The viewer's own.
    package let own: ItemVote?
    /// From 0 to 1, as it is now (``Ranking/score(bound:age:)``).
    package let score: Double
    /// So few like it that no list by popularity has it, until its votes change.
    package let isSunk: Bool
}

/// Why a vote was not taken.
package enum VoteRefusal: Error, Hashable, Sendable {
    /// There is no such item, it is not for who asks, or its board has no votes.
    case notFound
    /// The account is suspended, closed or not confirmed.
    case notActive
    /// Who has listed it counts as its first up already.
    case own
    /// Votes are on open and settled items.
    case ended(Item.State)
    case library(LibraryError)
}
