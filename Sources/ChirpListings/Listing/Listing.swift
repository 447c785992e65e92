package import ChirpCommunity
package import FoundationEssentials

/// Something that somebody has lost, or found.
package struct Listing: Hashable, Sendable {
    /// What every board's entries have.
    package let item: Item
    package let side: Side
    /// When it was lost, last seen or found: a moment when both are the same.
    package let happenedFrom: Date?
    package let happenedTo: Date?
    package let handover: Handover
    /// As its author wrote it; empty: none is named.
    package let reward: String
    /// The author takes calls; the number itself is asked for by an act of its own.
    package let hasPhone: Bool
    /// What only its owner can answer; empty: nothing is asked.
    package let question: String

    /// The item's kind.
    package enum Side: String, Hashable, Sendable, CaseIterable {
        case lost, found
        package var other: Side { self == .lost ? .found : .lost }
    }

    /// How it comes back (LF-8).
    package enum Handover: String, Hashable, Sendable, CaseIterable {
        case collect, bring, office, post, agree
    }

    /// What is listed, in the order of the page of categories.
    package enum Category: String, Hashable, Sendable, CaseIterable {
        case pets, phones, keys, wallets, bags, jewellery, glasses, clothes, vehicles, documents, toys, instruments,
            other
    }
}
