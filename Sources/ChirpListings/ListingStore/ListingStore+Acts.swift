package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
package import FoundationEssentials
package import GRDB

extension ListingStore {
    /// How a listing came to a good end (LF-4).
    package enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// What was lost is there again.
        case found
        /// What was found is with whom it belongs to.
        case returned
    }

    /// Why somebody takes a listing back; at most so many characters.
    package static let longestReason = 500

    /// Lists something, once for its author and key; then that one is given again.
    package func create(
        _ draft: ListingDraft, by account: AccountID, key: String
    ) async throws(ListingRefusal) -> HubID {
        try check(draft)
        return try await change { try create(draft, by: account, key: key, in: $0) }
    }

    /// The same within a transaction, of what was checked; for whoever has many.
    @discardableResult
    package func create(
        _ draft: ListingDraft, by account: AccountID, key: String, in database: Database
    ) throws -> HubID {
        let expires = end(of: draft.category)
        let item = draft.item(of: account, key: key, expires: expires)
        let id = try Items.create(item, by: library, in: database)
        try database.cachedStatement(
            sql: """
                INSERT INTO listings
                    (item, account, happenedFrom, happenedTo, handover, reward, phone, question, expires)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (item) DO NOTHING
                """
        ).execute(arguments: [id.text, account] + Self.columns(draft) + [Accounts.milliseconds(expires)])
        return id
    }

    /// Puts another content in the place of an open one's. What is on the other side cannot be: side and key stay.
    ///
    /// - Parameter version: the one that was changed; nil: whichever there is.
    package func edit(
        _ id: HubID, version: Int?, to draft: ListingDraft, by account: AccountID
    ) async throws(ListingRefusal) {
        try check(draft)
        try await change { [library] database in
            let item = try own(id, account, in: database)
            var wanted = draft
            wanted.side = Listing.Side(rawValue: item.kind) ?? draft.side
            var changed = wanted.item(of: account, key: "", expires: item.expires ?? end(of: draft.category))
            changed.language = draft.language ?? item.language
            try Items.edit(id, version: version, to: changed, by: library, in: database)
            try database.cachedStatement(
                sql: """
                    UPDATE listings SET happenedFrom = ?, happenedTo = ?, handover = ?, reward = ?, phone = ?, question = ?
                    WHERE item = ?
                    """
            ).execute(arguments: Self.columns(draft) + [id.text])
        }
    }

    /// Lets an open one last as long again as a new one.
    ///
    /// - Returns: until when.
    @discardableResult
    package func renew(_ id: HubID, by account: AccountID) async throws(ListingRefusal) -> Date {
        try await change { [library] database in
            let item = try own(id, account, in: database)
            let until = end(of: Listing.Category(rawValue: item.category) ?? .other)
            try Items.renew(id, until: until, by: account, library: library, in: database)
            try database.cachedStatement(sql: "UPDATE listings SET expires = ?, told = 0 WHERE item = ?").execute(
                arguments: [Accounts.milliseconds(until), id.text])
            return until
        }
    }

    /// It came to a good end: it leaves the search and stays readable.
    package func settle(_ id: HubID, as outcome: Outcome, by account: AccountID) async throws(ListingRefusal) {
        try await change { [library] database in
            _ = try own(id, account, in: database)
            try Items.move(
                id, from: [.open], to: .settled, outcome: outcome.rawValue, by: account, library: library, in: database)
            try Self.close(id, in: database)
        }
    }

    /// Takes one back: it is gone for everybody else (LF-4).
    package func withdraw(_ id: HubID, reason: String, by account: AccountID) async throws(ListingRefusal) {
        let words = PlainText(reason, limit: Self.longestReason + 1).value
        guard !words.isEmpty else { throw .fields([.reason: .missing]) }
        guard words.isWithin(Self.longestReason) else { throw .fields([.reason: .tooLong(most: Self.longestReason)]) }
        try await change { [library] database in
            _ = try own(id, account, in: database)
            try Items.move(
                id, from: [.open, .draft, .expired], to: .withdrawn, reason: words, by: account, library: library,
                in: database)
            try Self.close(id, in: database)
        }
    }

    /// The number of an open one, for a member who wants to call (LF-15). It is counted; how often one member may ask is the caller's
    /// business.
    package func phone(of id: HubID, by account: AccountID) async throws(ListingRefusal) -> String {
        try await change { database in
            let item = try item(id, for: account, in: database)
            guard item.state == .open || item.author.id == account else { throw ItemRefusal.state(item.state) }
            let phone = try String.fetchOne(
                database.cachedStatement(sql: "SELECT phone FROM listings WHERE item = ?"), arguments: [id.text])
            guard let phone, !phone.isEmpty else { throw ListingRefusal.noPhone }
            if item.author.id != account {
                try database.cachedStatement(sql: "UPDATE listings SET calls = calls + 1 WHERE item = ?").execute(
                    arguments: [id.text])
            }
            return phone
        }
    }

    /// What its author alone sees: the number as it was typed, and how often it was shown.
    package func calls(of id: HubID, by account: AccountID) async throws(ListingRefusal) -> (phone: String, count: Int)
    {
        do {
            return try await library.reading { database in
                _ = try own(id, account, in: database)
                let row = try Row.fetchOne(
                    database.cachedStatement(sql: "SELECT phone, calls FROM listings WHERE item = ?"),
                    arguments: [id.text])
                guard let row else { throw ItemRefusal.notFound }
                return (row["phone"], row["calls"])
            }
        } catch {
            throw ListingRefusal(error)
        }
    }

    private func check(_ draft: ListingDraft) throws(ListingRefusal) {
        let faults = draft.faults(at: library.now())
        guard faults.isEmpty else { throw .fields(faults) }
    }

    private func end(of category: Listing.Category) -> Date {
        library.now().addingTimeInterval(Double(category.days) * 24 * 3600)
    }

    /// What somebody sees, whatever state it is in.
    private func item(_ id: HubID, for account: AccountID, in database: Database) throws -> Item {
        let item = try Items.item(id, board: Self.board, for: .member(account), library: library, in: database)
        guard let item else { throw ItemRefusal.notFound }
        return item
    }

    /// The author's own, whatever state it is in.
    private func own(_ id: HubID, _ account: AccountID, in database: Database) throws -> Item {
        let item = try item(id, for: account, in: database)
        guard item.author.id == account else { throw ItemRefusal.notFound }
        return item
    }

    private static func close(_ id: HubID, in database: Database) throws {
        try database.cachedStatement(sql: "UPDATE listings SET isOpen = 0 WHERE item = ?").execute(arguments: [id.text])
    }

    private static func columns(_ draft: ListingDraft) -> StatementArguments {
        let from = draft.happenedFrom.map(Accounts.milliseconds)
        let to = (draft.happenedTo ?? draft.happenedFrom).map(Accounts.milliseconds)
        return [
            from, to, draft.handover.rawValue, PlainText(draft.reward).value, PlainText(draft.phone).value,
            PlainText(draft.question).value,
        ]
    }

    private func change<T: Sendable>(
        _ body: @Sendable (Database) throws -> T
    ) async throws(ListingRefusal) -> T {
        do { return try await library.transact(body) } catch { throw ListingRefusal(error) }
    }
}
