package import ChirpAccounts
package import ChirpCommunity
package import FoundationEssentials

/// A tie that both want (AR-6), unlike following, which is one's own affair. Pure rules; the library has no tie of such a kind.
package struct ConnectionState: Hashable, Sendable {
    package let phase: Phase
    /// Who has asked last.
    package let asker: AccountID
    package let asked: AccountID
    /// When it came to this phase, in ms.
    package let since: Int64

    package enum Phase: String, Hashable, Sendable, CaseIterable { case asked, accepted, declined, ended }

    package enum Act: String, Hashable, Sendable, CaseIterable { case ask, accept, decline, end }

    package init(_ phase: Phase, asker: AccountID, asked: AccountID, since: Int64) {
        self.phase = phase
        self.asker = asker
        self.asked = asked
        self.since = since
    }

    /// Whoever was declined asks that person again after so long at the earliest, in ms. The other way round it is free.
    package static let patience: Int64 = 30 * 86_400_000

    /// What becomes of a tie by an act of one of the two. Repeating an act changes nothing.
    ///
    /// - Parameter state: nil: there was none yet.
    package static func after(
        _ act: Act, by person: AccountID, with other: AccountID, _ state: ConnectionState?, at now: Int64
    ) throws(ConnectionRefusal) -> ConnectionState {
        guard person != other else { throw .own }
        let isAsker = state?.asker == person
        func become(_ phase: Phase) -> ConnectionState {
            ConnectionState(phase, asker: state?.asker ?? person, asked: state?.asked ?? other, since: now)
        }
        switch (act, state?.phase) {
        case (.ask, nil), (.ask, .ended): return ConnectionState(.asked, asker: person, asked: other, since: now)
        case (.ask, .declined):
            guard !isAsker || now - (state?.since ?? now) >= patience else {
                throw .declined(until: (state?.since ?? now) + patience)
            }
            return ConnectionState(.asked, asker: person, asked: other, since: now)
        // Both have asked: both want it.
        case (.ask, .asked) where !isAsker, (.accept, .asked) where !isAsker: return become(.accepted)
        case (.decline, .asked) where !isAsker: return become(.declined)
        // An asker takes her question back; either ends what both had.
        case (.end, .asked) where isAsker, (.end, .accepted): return become(.ended)
        case (.accept, .asked), (.decline, .asked), (.end, .asked): throw .notYourTurn
        default: break
        }
        guard let state else { throw .none }
        switch (act, state.phase) {
        case (.ask, .asked), (.ask, .accepted), (.end, .ended), (.end, .declined): return state
        case (.accept, .accepted), (.decline, .declined): if !isAsker { return state }
        default: break
        }
        throw .phase(state.phase)
    }
}

/// Somebody that the viewer is tied to, has asked, or is asked by.
package struct Connection: Hashable, Sendable {
    package let person: AccountID
    package let phase: ConnectionState.Phase
    /// The viewer has asked.
    package let isAsker: Bool
    package let since: Date
}

/// Why nothing became of it.
package enum ConnectionRefusal: Error, Hashable, Sendable {
    /// Nobody is tied to herself.
    case own
    /// There is no such person for who asks: also when one of the two has blocked the other.
    case notFound
    /// Suspended, closed or not confirmed.
    case noAccount
    /// Nobody has asked.
    case none
    /// The other has to answer.
    case notYourTurn
    /// It stands so, and that is not what this begins in.
    case phase(ConnectionState.Phase)
    /// She was declined; she may ask again from then on, in ms.
    case declined(until: Int64)
    /// She has asked that many people within a day; seconds to wait.
    case tooOften(most: Int, seconds: Int)
    case library(LibraryError)

    /// What a transaction has thrown.
    init(_ error: any Error) {
        switch error {
        case let error as ConnectionRefusal: self = error
        case let error as LibraryError: self = .library(error)
        default: self = .library(.inputOutput(path: "connections", reason: "\(error)"))
        }
    }
}
