package import ChirpCommunity
package import FoundationEssentials

/// What somebody says to a listing: this may be mine, or I have seen it. Her answer to the secret question is for its author alone.
package struct Claim: Hashable, Sendable, Identifiable {
    package let id: HubID
    package let listing: HubID
    package let claimant: PostAuthor
    package let kind: Kind
    /// As it stood when she answered it; empty: nothing was asked.
    package let question: String
    /// Empty when she has spoken it, and after her answer was forgotten.
    package let answer: String
    /// Her answer by voice.
    package let clip: HubID?
    package let state: State
    package let created: Date
    /// When it left the state `open`.
    package let decided: Date?

    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The thing that was found may be hers.
        case mine
        /// She has seen, or has, the thing that was lost.
        case seen

        /// What can be said to a listing of a side.
        package init(to side: Listing.Side) { self = side == .found ? .mine : .seen }
    }

    package enum State: String, Hashable, Sendable, CaseIterable {
        case open, accepted, refused, withdrawn
    }

    /// Characters of an answer, and of the first words to whom one accepts.
    package static let longestAnswer = 2000
    /// How many somebody makes in 24 hours, and at one listing ever.
    package static let mostPerDay = 10
    package static let mostPerListing = 3
    /// For so many seconds the answer of a claim that led to nothing is kept.
    package static let memory = 30 * 24 * 3600.0
}

/// Why a claim was not made, or not decided.
package enum ClaimRefusal: Error, Hashable, Sendable {
    /// There is no such listing or claim for who asks, or one of both has blocked the other.
    case notFound
    case own
    case ended(Item.State, since: Date?)
    /// A case is about whose it is.
    case frozen
    /// One of hers waits for an answer.
    case already
    /// She has made ``Claim/mostPerListing`` of them there.
    case enough
    case tooOften(seconds: Int)
    /// She has written to ``StrangerLetters/most`` people within a day who do not know her, by claims and letters.
    case strangers(seconds: Int)
    /// Neither words nor a clip.
    case empty
    case tooLong
    /// Not her own, or not ready.
    case notYours
    /// Another claim at the same listing was accepted.
    case taken
    /// It is in a state that this does not begin in.
    case decided(Claim.State)
}
