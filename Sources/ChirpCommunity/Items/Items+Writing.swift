internal import ChirpAccounts
internal import ChirpPlaces
internal import FoundationEssentials
package import GRDB

/// What an item's tables do within a transaction, so that a board writes its own rows in the same.
package enum Items {
    /// Writes one down, once for its author and key; whatever is asked again under that key, the first one is the answer. The caller
    /// has validated nothing: lengths, ownership and account are checked here.
    ///
    /// - Throws: ``ItemRefusal``; then the transaction has to end with it.
    package static func create(_ draft: ItemDraft, by library: HubLibrary, in database: Database) throws -> HubID {
        let known = try String.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM items WHERE account = ? AND key = ?"),
            arguments: [draft.author, draft.key])
        if let known = known.flatMap({ HubID($0) }) { return known }
        let draft = try draft.checked()
        guard draft.state == .open || draft.state == .draft else { throw ItemRefusal.state(draft.state) }
        let now = HubLibrary.milliseconds(library.now())
        guard try HubLibrary.isActive(draft.author, at: now, in: database) else { throw ItemRefusal.noAccount }
        try check(draft, by: library, in: database)
        let place = try ItemPlacing(draft, in: database)
        let id = HubID()
        try database.cachedStatement(
            sql: """
                INSERT INTO items (id, board, kind, key, account, title, text, language, category, tags, facets, state,
                    created, changed, expires, clip)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            id.text, draft.board, draft.kind, draft.key, draft.author, draft.title, draft.text, draft.language,
            draft.category, draft.tags.joined(separator: "\n"), ItemTokens.facets(of: draft, shown: place?.shown),
            draft.state.rawValue, now, now, draft.expires.map(HubLibrary.milliseconds), draft.clip?.text,
        ])
        let sequence = database.lastInsertedRowID
        try place?.write(sequence, in: database)
        try write(draft.pictures, of: sequence, in: database)
        try letHear(draft, in: database)
        return id
    }

    /// Puts another content in the place of an open one's, or of a draft's. State, author, board, kind and key stay, and the end
    /// where the new content names none.
    ///
    /// - Parameter version: that the author has seen; nil: whatever it is.
    /// - Throws: ``ItemRefusal``; then the transaction has to end with it. ``ItemRefusal/notFound`` for everybody but its author.
    package static func edit(
        _ id: HubID, version: Int?, to draft: ItemDraft, by library: HubLibrary, in database: Database
    ) throws {
        let now = HubLibrary.milliseconds(library.now())
        let row = try ItemStanding(id, in: database)
        guard row.account == draft.author, row.board == draft.board else { throw ItemRefusal.notFound }
        guard row.state == .open || row.state == .draft else { throw ItemRefusal.state(row.state) }
        guard !row.isFrozen else { throw ItemRefusal.frozen }
        guard version == nil || version == row.version else { throw ItemRefusal.changed(version: row.version) }
        guard try HubLibrary.isActive(draft.author, at: now, in: database) else { throw ItemRefusal.noAccount }
        var draft = draft
        draft.kind = row.kind
        draft.key = row.key
        draft = try draft.checked()
        try check(draft, by: library, in: database)
        let place = try ItemPlacing(draft, in: database)
        try database.cachedStatement(
            sql: """
                UPDATE items SET title = ?, text = ?, language = ?, category = ?, tags = ?, facets = ?,
                    expires = COALESCE(?, expires), clip = ?, version = version + 1, changed = ?
                WHERE sequence = ? AND state = ?
                """
        ).execute(arguments: [
            draft.title, draft.text, draft.language, draft.category, draft.tags.joined(separator: "\n"),
            ItemTokens.facets(of: draft, shown: place?.shown), draft.expires.map(HubLibrary.milliseconds),
            draft.clip?.text, now, row.sequence, row.state.rawValue,
        ])
        if let place {
            try place.write(row.sequence, in: database)
        } else {
            try database.cachedStatement(sql: "DELETE FROM itemPlaces WHERE item = ?").execute(arguments: [row.sequence]
            )
        }
        try database.cachedStatement(sql: "DELETE FROM itemPictures WHERE item = ?").execute(arguments: [row.sequence])
        try write(draft.pictures, of: row.sequence, in: database)
        try letHear(draft, in: database)
    }

    /// Pictures and clip are the author's own, and ready. A clip of nobody's is of whose library it is.
    private static func check(_ draft: ItemDraft, by library: HubLibrary, in database: Database) throws {
        for picture in draft.pictures {
            let isOwn = try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT 1 FROM pictures WHERE id = ? AND owner = ? AND state = 'ready'"),
                arguments: [picture.text, draft.author])
            guard isOwn == true else { throw ItemRefusal.notYours(picture) }
        }
        guard let clip = draft.clip else { return }
        let isOwn = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM clips WHERE id = ? AND COALESCE(owner, ?) = ?"),
            arguments: [clip.text, library.owner.id, draft.author])
        guard isOwn == true else { throw ItemRefusal.notYours(clip) }
    }

    private static func write(_ pictures: [HubID], of item: Int64, in database: Database) throws {
        for (position, picture) in pictures.enumerated() {
            try database.cachedStatement(sql: "INSERT INTO itemPictures (item, position, picture) VALUES (?, ?, ?)")
                .execute(arguments: [item, position, picture.text])
        }
    }

    /// What is said about an item that others see can be heard by them.
    private static func letHear(_ draft: ItemDraft, in database: Database) throws {
        guard let clip = draft.clip, draft.state != .draft else { return }
        try database.cachedStatement(sql: "UPDATE clips SET shared = 1 WHERE id = ?").execute(arguments: [clip.text])
    }
}

/// How an item stands before it is changed.
struct ItemStanding {
    let sequence: Int64
    let account: AccountID
    let board, kind, key: String
    let state: Item.State
    let isFrozen: Bool
    let version: Int

    /// - Throws: ``ItemRefusal/notFound``.
    init(_ id: HubID, in database: Database) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT sequence, account, board, kind, key, state, frozen, version FROM items WHERE id = ?"),
            arguments: [id.text])
        guard let row, let state = Item.State(rawValue: row["state"]) else { throw ItemRefusal.notFound }
        sequence = row["sequence"]
        account = row["account"]
        (board, kind, key) = (row["board"], row["kind"], row["key"])
        self.state = state
        isFrozen = row["frozen"]
        version = row["version"]
    }
}
