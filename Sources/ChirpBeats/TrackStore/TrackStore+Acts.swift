package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
package import GRDB

extension TrackStore {
    /// Lets one appear that waits for its author's word.
    package func publish(_ id: HubID, by account: AccountID) async throws(TrackRefusal) {
        try await change { database in
            let track = try own(id, account, in: database)
            guard track.progress == .ready || track.item.state != .draft else { throw TrackRefusal.notReady }
            try Items.move(id, from: [.draft], to: .open, by: account, library: library, in: database)
        }
    }

    /// Takes one out of the shop; its page stays readable, for those who have bought it.
    package func retire(_ id: HubID, by account: AccountID) async throws(TrackRefusal) {
        try await change { database in
            let track = try own(id, account, in: database)
            try checkHold(track, in: database)
            try Items.move(
                id, from: [.open], to: .settled, outcome: TrackOutcome.retired, by: account, library: library,
                in: database)
        }
    }

    /// Takes one down: it is gone for everybody else.
    package func withdraw(_ id: HubID, reason: String, by account: AccountID) async throws(TrackRefusal) {
        try await change { database in
            let track = try own(id, account, in: database)
            try checkHold(track, in: database)
            try Items.move(
                id, from: [.open, .draft], to: .withdrawn,
                reason: PlainText.lines(reason, limit: ItemDraft.mostReason), by: account, library: library,
                in: database)
        }
    }

    private func checkHold(_ track: Track, in database: Database) throws {
        if let why = try hold(track.work, database) { throw TrackRefusal.held(why) }
    }

    /// Takes all versions of a work out of the shop, since it was sold exclusively (AR-17); within the transaction of the sale. May be repeated.
    /// What nobody else has seen, such as a track that was made for its buyer, is not shown to others by being sold.
    package func sell(_ work: HubID, in database: Database) throws {
        let ids = try String.fetchAll(
            database.cachedStatement(sql: "SELECT item FROM tracks WHERE work = ?"), arguments: [work.text])
        for id in ids.compactMap({ HubID($0) }) {
            func move(from state: Item.State, to end: Item.State) throws {
                try Items.move(
                    id, from: [state], to: end, outcome: TrackOutcome.sold, by: nil, library: library, in: database)
            }
            do { try move(from: .open, to: .settled) } catch ItemRefusal.state(.draft) {
                try move(from: .draft, to: .withdrawn)
            } catch ItemRefusal.state(_) {
                // It has left the shop before.
                continue
            }
        }
    }

    /// Puts one back into the shop that was sold exclusively, and whose sale came to nothing.
    ///
    /// - Parameter isSold: asked within the transaction: whether its work is sold still.
    package func reopen(
        _ id: HubID, by account: AccountID, isSold: @Sendable (_ work: HubID, _ database: Database) throws -> Bool
    ) async throws(TrackRefusal) {
        try await change { database in
            let track = try own(id, account, in: database)
            guard track.item.outcome == TrackOutcome.sold, try !isSold(track.work, database) else {
                throw TrackRefusal.item(.state(track.item.state))
            }
            try AuctionStore.forgetSale(of: id, in: database)
            try Items.move(id, from: [.settled], to: .open, by: account, library: library, in: database)
        }
    }

    /// Says whether somebody likes one. May be repeated: it counts once. It is a vote for it, so that waves of new accounts move no list.
    ///
    /// - Parameter address: from where, as text; nil: not known.
    package func like(
        _ id: HubID, _ isOn: Bool, by account: AccountID, from address: String?
    ) async throws(VoteRefusal) {
        try await library.vote(isOn ? .up : nil, on: id, board: Beats.board, by: account, from: address)
    }
}
