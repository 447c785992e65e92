package import ChirpAccounts
package import ChirpCommunity
package import ChirpOrders
internal import FoundationEssentials
package import GRDB

/// Auctions in the library. What is decided, is decided within one transaction by the rules of ``AuctionState``, so that of callers
/// who race one wins and each has an answer.
package struct AuctionStore: Sendable {
    package let library: HubLibrary
    /// The board whose items are auctioned, as in `lost-and-found`.
    package let board: String

    package init(library: HubLibrary, board: String) {
        self.library = library
        self.board = board
    }

    /// Bytes of what tells one try from another.
    package static let longestKey = 200

    /// Opens an auction of one's own item, once for the seller and key; then that auction is given again.
    package func open(
        _ terms: AuctionTerms, of item: HubID, by seller: AccountID, key: String
    ) async throws(AuctionRefusal) -> HubID {
        try await refusing { database in
            let now = library.now()
            let known = try String.fetchOne(
                database.cachedStatement(sql: "SELECT id FROM auctions WHERE seller = ? AND key = ?"),
                arguments: [seller, key])
            if let known = known.flatMap({ HubID($0) }) { return known }
            guard !key.isEmpty, key.utf8.count <= Self.longestKey else {
                throw AuctionRefusal.key(most: Self.longestKey)
            }
            try check(seller, at: now, in: database)
            let faults = terms.faults(at: now)
            guard faults.isEmpty else { throw AuctionRefusal.fields(faults) }
            guard let thing = try Items.item(item, board: board, for: .member(seller), library: library, in: database),
                thing.author.id == seller
            else { throw AuctionRefusal.notFound }
            guard thing.state == .open, !thing.isFrozen else { throw AuctionRefusal.notOpen(thing.state) }
            let live = try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT id, state FROM auctions WHERE item = ? AND state IN ('running', 'paying', 'sold')"),
                arguments: [item.text])
            if let live { throw AuctionRefusal.already(AuctionState.Phase(rawValue: live["state"]) ?? .running) }
            let id = HubID()
            try database.cachedStatement(
                sql: """
                    INSERT INTO auctions (id, item, seller, key, currency, start, step, ends, created)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                id.text, item.text, seller, key, terms.start.currency.code, terms.start.amount, terms.step,
                Accounts.milliseconds(terms.ends), Accounts.milliseconds(now),
            ])
            return id
        }
    }

    /// Sets other terms, as long as nobody has bid.
    ///
    /// - Parameter version: of the terms that the seller has seen; asked again after it was done, nothing happens.
    package func change(
        _ id: HubID, to terms: AuctionTerms, version: Int, by seller: AccountID
    ) async throws(AuctionRefusal) {
        try await refusing { database in
            let now = library.now()
            let row = try AuctionRow(id, of: seller, in: database)
            try check(seller, at: now, in: database)
            if row.isAsWanted(terms), row.version == version + 1 { return }
            try row.expectUntouched(at: now, in: database)
            guard row.version == version else { throw AuctionRefusal.changed(version: row.version) }
            let faults = terms.faults(at: now)
            guard faults.isEmpty else { throw AuctionRefusal.fields(faults) }
            try database.cachedStatement(
                sql: """
                    UPDATE auctions SET currency = ?, start = ?, step = ?, ends = ?, version = version + 1
                    WHERE sequence = ? AND state = 'running' AND version = ?
                    """
            ).execute(arguments: [
                terms.start.currency.code, terms.start.amount, terms.step, Accounts.milliseconds(terms.ends),
                row.sequence,
                version,
            ])
            guard database.changesCount == 1 else { throw AuctionRefusal.changed(version: row.version) }
        }
    }

    /// Takes an auction back that nobody has bid upon. May be repeated.
    package func withdraw(_ id: HubID, by seller: AccountID) async throws(AuctionRefusal) {
        try await refusing { database in
            let now = library.now()
            let row = try AuctionRow(id, of: seller, in: database)
            if row.phase == .withdrawn { return }
            try row.expectUntouched(at: now, in: database)
            try row.turn(.withdrawn, at: Accounts.milliseconds(now), in: database)
        }
    }

    private func check(_ account: AccountID, at now: Date, in database: Database) throws {
        guard try AccountStanding(of: account, at: Accounts.milliseconds(now), in: database)?.isActive == true else {
            throw AuctionRefusal.noAccount
        }
    }

    func refusing<Value: Sendable>(
        _ body: @Sendable (Database) throws -> Value
    ) async throws(AuctionRefusal) -> Value {
        do { return try await library.transact(body) } catch { throw AuctionRefusal(error) }
    }

    /// Whether any version of a work is promised to somebody by bids: then nobody takes it down or sells it otherwise. Asked in the transaction that would.
    package static func isPromised(work: HubID, in database: Database) throws -> Bool {
        let items = try String.fetchAll(
            database.cachedStatement(sql: "SELECT item FROM tracks WHERE work = ?"), arguments: [work.text])
        return try items.compactMap { HubID($0) }.contains { try isPromised($0, in: database) }
    }

    /// An auction whose money has gone back is one that sold nothing: the item may be sold anew.
    static func forgetSale(of item: HubID, in database: Database) throws {
        try database.cachedStatement(sql: "UPDATE auctions SET state = 'unsold' WHERE item = ? AND state = 'sold'")
            .execute(arguments: [item.text])
    }

    /// The same of one item.
    package static func isPromised(_ item: HubID, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM auctions WHERE item = ? AND (state IN ('paying', 'sold')
                        OR state = 'running' AND EXISTS (SELECT 1 FROM bids WHERE auction = auctions.sequence)))
                    """), arguments: [item.text]) ?? false
    }
}

/// Why a seller's act was not done, or a payment not taken.
package enum AuctionRefusal: Error, Hashable, Sendable {
    /// There is no such auction or item for who asks.
    case notFound
    /// Suspended, closed or not confirmed.
    case noAccount
    case fields([AuctionTerms.Field: AuctionTerms.Fault])
    /// What tells one try from another is missing or longer than that many bytes.
    case key(most: Int)
    /// The item is not to be had, or a case is about it.
    case notOpen(Item.State)
    /// There is an auction of it, which stands so.
    case already(AuctionState.Phase)
    /// Somebody has bid: nothing changes any more.
    case hasBids(count: Int)
    /// It stands so, since an instant in ms.
    case ended(AuctionState.Phase, at: Int64)
    /// There are other terms meanwhile.
    case changed(version: Int)
    /// It was that person's turn until then, in ms: what she has paid goes back.
    case passed(until: Int64)
    /// That is not what she has to pay.
    case amount(needed: Money)
    case library(LibraryError)

    /// What a transaction has thrown.
    init(_ error: any Error) {
        switch error {
        case let error as AuctionRefusal: self = error
        case let error as LibraryError: self = .library(error)
        default: self = .library(.inputOutput(path: "auctions", reason: "\(error)"))
        }
    }
}
