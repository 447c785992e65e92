internal import ChirpAccounts
internal import ChirpDatabase
internal import GRDB

/// What people send to an item of somebody else's and others see with it, such as an attempt at a challenge. Reports and decisions are about it by
/// its own id, as about an item (``CaseSubject/item(_:)``), and take it from sight alone: the item stays.
///
/// The rows are the board's: triggers of its tables write them, and it shows nothing that is hidden here.
enum ItemParts {
    static let steps = [
        SchemaStep(
            "itemParts-001",
            """
            CREATE TABLE itemParts (
                id      TEXT PRIMARY KEY,
                item    TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
                -- Whose it is.
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                kind    TEXT NOT NULL,
                -- Where its page is, below the board's.
                path    TEXT NOT NULL,
                text    TEXT NOT NULL,
                -- Whoever sees the item sees it, as long as it is not hidden. What is not shown is for its author.
                shown   INTEGER NOT NULL CHECK (shown IN (0, 1)),
                hidden  INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1))
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX itemPartsByItem ON itemParts (item);
            CREATE INDEX itemPartsByAccount ON itemParts (account);
            """),
        // A list asks of each of hundreds of parts whether it is hidden, and nearly none is.
        SchemaStep("itemParts-002", "CREATE INDEX itemPartsHidden ON itemParts (id) WHERE hidden = 1;"),
    ]

    /// Nil when there is none of that id. It is called what its item is called.
    static func summary(of id: HubID, in database: Database) throws -> ItemSummary? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT itemParts.*, items.board, items.title FROM itemParts JOIN items ON items.id = itemParts.item
                    WHERE itemParts.id = ?
                    """), arguments: [id.text])
        guard let row, let item = HubID(row["item"] as String) else { return nil }
        let (board, path): (String, String) = (row["board"], row["path"])
        return ItemSummary(
            id: id, item: item, board: board, kind: row["kind"], author: row["account"], title: row["title"],
            text: row["text"], state: row["shown"] ? .open : .withdrawn, isHidden: row["hidden"], isFrozen: false,
            clip: nil, pictures: [], place: nil, path: "/\(board)/\(path)")
    }

    /// Whether somebody sees one.
    ///
    /// - Parameter evenIfHidden: or would see it if it were not hidden.
    static func isSeen(
        _ id: HubID, by account: AccountID, evenIfHidden: Bool, in database: Database
    ) throws -> Bool {
        let item = Items.visible(to: account)
        return try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM itemParts JOIN items ON items.id = itemParts.item
                        WHERE \(item.sql) AND itemParts.id = ? AND (itemParts.account = ?
                            OR itemParts.shown AND (? OR NOT itemParts.hidden)
                                AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = ? AND blocked = itemParts.account)
                                AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = itemParts.account AND blocked = ?)))
                    """), arguments: item.arguments + [id.text, account, evenIfHidden, account, account]) ?? false
    }

    /// Takes one from sight, or lets it be seen again. May be repeated; there may be none.
    static func hide(_ id: HubID, _ isHidden: Bool, in database: Database) throws {
        try database.cachedStatement(sql: "UPDATE itemParts SET hidden = ? WHERE id = ? AND hidden <> ?").execute(
            arguments: [isHidden, id.text, isHidden])
    }
}
