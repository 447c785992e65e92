package import ChirpCommunity
package import FoundationEssentials

/// A pledge as everybody reads it who sees the challenge.
package struct Stake: Hashable, Sendable, Identifiable {
    package let id: HubID
    package let amount: Int64
    /// What is counted, as it was named when it was pledged.
    package let unit: String
    package let made: Date
    /// Until when the record has to be broken, by receipt.
    package let ends: Date
    package let state: State
    /// To whose attempt it has gone, or would go as things stand.
    package let attempt: HubID?
    /// Nil where nobody has broken the record, and for whom the viewer does not see.
    package let winner: PostAuthor?

    package enum State: Hashable, Sendable {
        /// Nobody has broken the record yet.
        case open
        /// The time is over; what came in time is not decided.
        case waiting
        /// Somebody has. Nothing is hers before that instant.
        case frozen(until: Date)
        case paid(Date)
        /// It has gone back to the setter.
        case back(Date)

        package var isSettled: Bool {
            switch self {
            case .open, .waiting, .frozen: false
            case .paid, .back: true
            }
        }
    }

    /// Bytes of what tells one try to pledge from another.
    package static let longestKey = 200
}

/// A row of somebody's own statement.
package struct StakeEntry: Hashable, Sendable, Identifiable {
    /// Its place in the ledger.
    package let id: Int64
    package let stake: HubID
    package let why: Reason
    /// What she has got; below 0: given.
    package let amount: Int64
    package let unit: String
    package let at: Date
    /// Nil for what is gone, or not seen.
    package let challenge: HubID?
    package let title: String?

    package enum Reason: String, Hashable, Sendable, CaseIterable {
        case pledge, payout, back
        /// Taken back, because the attempt was rejected after all.
        case recall
    }
}

/// What a person has promised and was promised.
package struct StakeStatement: Hashable, Sendable {
    /// The newest first.
    package var entries: [StakeEntry]
    /// The sum of all her entries by unit, also of those that are not on this page; what she has pledged is taken off until it is settled.
    package var balances: [String: Int64]

    package init(entries: [StakeEntry] = [], balances: [String: Int64] = [:]) {
        self.entries = entries
        self.balances = balances
    }
}

/// Why a pledge was not taken.
package enum StakeRefusal: Error, Hashable, Sendable {
    /// The owner of the hub has not switched stakes on.
    case off
    case fields([StakeTerms.Field: StakeTerms.Fault])
    /// There is no such challenge for who asks.
    case notFound
    /// Suspended, closed or not confirmed.
    case noAccount
    /// Only who has set a challenge pledges.
    case notSetter
    /// The challenge has ended.
    case ended(Item.State)
    /// There is another version of the rule now.
    case changed(version: Int)
    /// There is a pledge that is not settled.
    case already
    case library(LibraryError)

    /// What a transaction has thrown.
    init(_ error: any Error) {
        switch error {
        case let error as StakeRefusal: self = error
        case let error as LibraryError: self = .library(error)
        case ItemRefusal.library(let error): self = .library(error)
        case is ItemRefusal: self = .notFound
        default: self = .library(.inputOutput(path: Records.board, reason: "\(error)"))
        }
    }
}
