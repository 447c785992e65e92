package import ChirpAccounts
internal import ChirpDatabase
package import GRDB

/// Who may hear a clip that is not shared: somebody whom its owner has answered with it. It is under no link that others could open.
package enum ClipHearers {
    static let steps = [
        SchemaStep(
            "clipHearers-001",
            """
            CREATE TABLE clipHearers (
                clip    TEXT NOT NULL REFERENCES clips (id) ON DELETE CASCADE,
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                PRIMARY KEY (clip, account)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX clipHearersByAccount ON clipHearers (account);
            """)
    ]

    /// Lets somebody hear a clip of its owner's. It is kept for as long as the row is there that refers to it: the claim, or the request.
    ///
    /// - Returns: false when the owner has no such clip.
    package static func add(
        _ account: AccountID, to clip: HubID, of owner: AccountID, in database: Database
    ) throws -> Bool {
        try database.cachedStatement(
            sql: """
                INSERT INTO clipHearers (clip, account) SELECT id, ? FROM clips WHERE id = ? AND owner = ?
                ON CONFLICT DO NOTHING
                """
        ).execute(arguments: [account, clip.text, owner])
        return database.changesCount > 0
    }
}

extension HubReader {
    /// A clip that the viewer has sent somebody or that was sent to her, heard by nobody else; nil: it is none of these, or is gone.
    package func sent(_ id: HubID) async throws(LibraryError) -> HubClip? {
        guard let account else { return nil }
        let now = HubLibrary.milliseconds(now)
        return try await library.read { database in
            let columns = HubLibrary.clipColumns(of: "clips")
            return try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT \(columns) FROM clips WHERE id = :id AND (expires IS NULL OR expires > :now) AND (owner = :me
                            OR EXISTS (SELECT 1 FROM clipHearers WHERE clip = clips.id AND account = :me))
                        """), arguments: ["id": id.text, "now": now, "me": account]
            ).flatMap(HubClip.init)
        }
    }
}
