package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
internal import FoundationEssentials
package import GRDB

/// Tracks in the library.
package struct TrackStore: Sendable {
    package let library: HubLibrary
    /// Why a work has to stay in the shop (``BeatParts/hold``).
    let hold: @Sendable (_ work: HubID, _ database: Database) throws -> String?
    /// What sounds alike.
    let shelf: LikenessShelf

    package init(
        library: HubLibrary,
        hold: @escaping @Sendable (_ work: HubID, _ database: Database) throws -> String? = { _, _ in nil }
    ) { (self.library, self.hold, shelf) = (library, hold, LikenessShelf(library: library)) }

    /// Offers one, once for its author and key; then that one is given again. It appears when what was sent is ready.
    package func create(
        _ draft: TrackDraft, by account: AccountID, key: String
    ) async throws(TrackRefusal) -> HubID {
        let now = library.now()
        try Self.check(draft.faults(at: now))
        let findings = try await findings(in: draft.master, of: account)
        return try await change { database in
            // A key that is also one of another board's entry is a key of its own.
            let key = "\(Beats.board):\(key)"
            let id = try Items.create(
                draft.item(of: account, key: key, preview: nil, facts: nil), by: library, in: database)
            // Of one that is there already there is a row.
            let isThere = try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT 1 FROM tracks WHERE item = ?"), arguments: [id.text])
            guard isThere == nil else { return id }
            guard try RoleStore.mayOffer(draft.kind, account, in: database) else {
                throw TrackRefusal.role(draft.kind)
            }
            let film = try master(draft.master, of: account, for: id, in: database)
            let work = try work(draft, by: account, at: now, in: database)
            try database.cachedStatement(
                sql: """
                    INSERT INTO tracks (item, work, kind, version, master, state, why, appears, price, amount, currency)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(
                arguments: [
                    id.text, work.text, draft.kind.rawValue, PlainText(draft.versionName).value, film.id.text,
                    film.progress.rawValue, film.why ?? "", draft.appears,
                ] + draft.price.columns)
            if film.progress == .made { try settle(id, findings, in: database) }
            return id
        }
    }

    /// Puts other words, another price or another cover in those of an open one, or of one that waits; its author does. The kind stays. Another
    /// recording takes the place of one that was refused, and of no other.
    ///
    /// - Parameter version: of the item, as it was seen; nil: whichever there is.
    package func edit(
        _ id: HubID, version: Int?, to draft: TrackDraft, by account: AccountID
    ) async throws(TrackRefusal) {
        let now = library.now()
        try Self.check(draft.faults(at: now))
        let findings = try await findings(in: draft.master, of: account)
        try await change { database in
            let track = try own(id, account, in: database)
            var draft = draft
            draft.kind = track.kind
            try Items.edit(
                id, version: version,
                to: draft.item(of: account, key: "", preview: track.item.clip?.id, facts: track.facts), by: library,
                in: database)
            var master = track.master
            if let other = draft.master, other != track.master {
                guard track.progress == .refused || track.master == nil else {
                    throw TrackRefusal.fields([.track: .settled])
                }
                let film = try self.master(other, of: account, for: id, in: database)
                master = film.id
                try database.cachedStatement(sql: "UPDATE tracks SET master = ?, state = ?, why = ? WHERE item = ?")
                    .execute(arguments: [film.id.text, film.progress.rawValue, film.why ?? "", id.text])
            }
            let versionOf = draft.versionOf != nil && draft.versionOf != id
            let work = versionOf ? try work(draft, by: account, at: now, in: database) : track.work
            if work != track.work, let why = try hold(track.work, database) { throw TrackRefusal.held(why) }
            try database.cachedStatement(
                sql: """
                    UPDATE tracks SET work = ?, version = ?, appears = ?, price = ?, amount = ?, currency = ?
                    WHERE item = ?
                    """
            ).execute(
                arguments: [work.text, PlainText(draft.versionName).value, draft.appears] + draft.price.columns
                    + [id.text])
            try database.cachedStatement(
                sql: "DELETE FROM works WHERE id = ? AND NOT EXISTS (SELECT 1 FROM tracks WHERE tracks.work = works.id)"
            ).execute(arguments: [track.work.text])
            if master != track.master || track.progress == .made { try settle(id, findings, in: database) }
        }
    }

    /// The upload of a new track: its author's own, and no other track's.
    private func master(
        _ id: HubID?, of account: AccountID, for item: HubID, in database: Database
    ) throws -> (id: HubID, progress: Track.Progress, why: String?) {
        guard let id else { throw TrackRefusal.fields([.track: .missing]) }
        guard let film = try Films.film(id, in: database), film.owner == account, film.track != nil else {
            throw TrackRefusal.fields([.track: .notYours])
        }
        let isUsed = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM tracks WHERE master = ? AND item <> ?"),
            arguments: [id.text, item.text])
        guard isUsed == nil else { throw TrackRefusal.fields([.track: .used]) }
        switch film.state {
        case .receiving, .checking: return (id, .checking, nil)
        case .ready: return (id, .made, nil)
        case .refused: return (id, .refused, film.why)
        }
    }

    /// That of the track that this is a version of, or a new one.
    private func work(_ draft: TrackDraft, by account: AccountID, at now: Date, in database: Database) throws -> HubID {
        if let other = draft.versionOf {
            let track: Track
            do { track = try own(other, account, in: database) } catch {
                throw TrackRefusal.fields([.versionOf: .notYours])
            }
            // What was sold exclusively has no further versions.
            guard track.item.outcome != TrackOutcome.sold else { throw TrackRefusal.fields([.versionOf: .used]) }
            return track.work
        }
        let work = HubID()
        try database.cachedStatement(sql: "INSERT INTO works (id, author, created) VALUES (?, ?, ?)").execute(
            arguments: [work.text, account, Accounts.milliseconds(now)])
        return work
    }

    // MARK: reading

    /// What a viewer finds at a track's address; nil: there never was one.
    package func track(_ id: HubID, for viewer: Viewer) async throws -> TrackSight? {
        switch try await library.seen(by: viewer).item(id, board: Beats.board) {
        case nil: return nil
        case .gone(let state, let since): return .gone(state, since: since)
        case .item(let item): return try await whole([item]).first.map { .track($0) }
        }
    }

    /// A page of what a query finds, as a viewer sees it.
    package func tracks(_ query: ItemQuery, for viewer: Viewer) async throws -> (found: [Track], next: String?) {
        let page = try await library.seen(by: viewer).items(query)
        return (try await whole(page.items), page.next)
    }

    /// Tracks as a viewer sees them, in the order of the ids; those that are not seen are left out.
    package func tracks(_ ids: [HubID], for viewer: Viewer) async throws -> [Track] {
        let library = library
        return try await library.reading { database in
            try Track.all(
                of: ids.compactMap { id in
                    try Items.item(id, board: Beats.board, for: viewer, library: library, in: database)
                }, in: database)
        }
    }

    /// The versions of a work that a viewer sees, the first first.
    package func versions(of work: HubID, for viewer: Viewer) async throws -> [Track] {
        let ids = try await library.reading { database in
            try String.fetchAll(
                database.cachedStatement(sql: "SELECT item FROM tracks WHERE work = ? LIMIT 100"),
                arguments: [work.text])
        }
        return try await tracks(ids.compactMap { HubID($0) }, for: viewer).sorted {
            $0.item.sequence < $1.item.sequence
        }
    }

    private func whole(_ items: [Item]) async throws -> [Track] {
        guard !items.isEmpty else { return [] }
        return try await library.reading { try Track.all(of: items, in: $0) }
    }

    /// What somebody sees, whatever state it is in.
    ///
    /// - Throws: ``ItemRefusal/notFound``.
    package func track(_ id: HubID, for account: AccountID, in database: Database) throws -> Track {
        let item = try Items.item(id, board: Beats.board, for: .member(account), library: library, in: database)
        guard let item, let track = try Track.all(of: [item], in: database).first else { throw ItemRefusal.notFound }
        return track
    }

    func own(_ id: HubID, _ account: AccountID, in database: Database) throws -> Track {
        let track = try track(id, for: account, in: database)
        guard track.item.author.id == account else { throw ItemRefusal.notFound }
        return track
    }

    private static func check(_ faults: [TrackField: TrackFault]) throws(TrackRefusal) {
        guard faults.isEmpty else { throw .fields(faults) }
    }

    func change<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws(TrackRefusal) -> T {
        do { return try await library.transact(body) } catch { throw TrackRefusal(error) }
    }
}
