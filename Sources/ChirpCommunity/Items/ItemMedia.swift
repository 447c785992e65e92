package import ChirpAccounts
internal import ChirpDatabase
package import GRDB

/// Recordings and pictures that people send to an item of somebody else's, such as what shows an attempt at a challenge; and posts that tell of
/// something at an item, which are for those who watch it too.
///
/// What a film is shown with is written down by ``Films/show(_:of:with:isShown:in:)``; this is the same for clips and pictures.
package enum ItemMedia {
    static let steps = [
        SchemaStep(
            "itemMedia-001",
            """
            -- While it is shown, whoever sees the item may have it; what is not shown is for its owner.
            CREATE TABLE itemMedia (
                clip    TEXT UNIQUE REFERENCES clips (id) ON DELETE CASCADE,
                picture TEXT UNIQUE REFERENCES pictures (id) ON DELETE CASCADE,
                item    TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
                shown   INTEGER NOT NULL CHECK (shown IN (0, 1)),
                CHECK ((clip IS NULL) <> (picture IS NULL))
            ) STRICT;
            CREATE INDEX itemMediaByItem ON itemMedia (item);
            -- A post by which an item's board tells of something.
            CREATE TABLE itemPosts (
                post INTEGER PRIMARY KEY REFERENCES posts (sequence) ON DELETE CASCADE ON UPDATE CASCADE,
                item TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE
            ) STRICT;
            CREATE INDEX itemPostsByItem ON itemPosts (item);
            """)
    ]

    /// Says with which item a clip belongs: it is kept, and while it is shown everybody who sees the item may hear it. May be repeated, to show it or
    /// to take it from sight.
    ///
    /// - Returns: false when the owner has no such clip, there is no such item, or the clip belongs with another.
    package static func show(
        clip: HubID, of owner: AccountID, with item: HubID, isShown: Bool, in database: Database
    ) throws -> Bool {
        try database.cachedStatement(
            sql: """
                INSERT INTO itemMedia (clip, item, shown)
                SELECT clips.id, items.id, ?4 FROM clips JOIN items ON items.id = ?3 WHERE clips.id = ?1 AND clips.owner = ?2
                ON CONFLICT (clip) DO UPDATE SET shown = excluded.shown WHERE itemMedia.item = excluded.item
                """
        ).execute(arguments: [clip.text, owner, item.text, isShown])
        guard database.changesCount == 1 else { return false }
        // A clip is heard by its link from the first time on that it is shown; what takes it from sight is above.
        if isShown {
            try database.cachedStatement(sql: "UPDATE clips SET shared = 1 WHERE id = ?").execute(arguments: [clip.text]
            )
        }
        return true
    }

    /// The same for a picture.
    package static func show(
        picture: HubID, of owner: AccountID, with item: HubID, isShown: Bool, in database: Database
    ) throws -> Bool {
        try database.cachedStatement(
            sql: """
                INSERT INTO itemMedia (picture, item, shown)
                SELECT pictures.id, items.id, ?4 FROM pictures JOIN items ON items.id = ?3
                WHERE pictures.id = ?1 AND pictures.owner = ?2 AND pictures.state = 'ready'
                ON CONFLICT (picture) DO UPDATE SET shown = excluded.shown WHERE itemMedia.item = excluded.item
                """
        ).execute(arguments: [picture.text, owner, item.text, isShown])
        return database.changesCount == 1
    }

    /// Says that a post tells of something at an item: those who watch that get it as if they followed its author.
    package static func tell(_ post: Int64, of item: HubID, in database: Database) throws {
        try database.cachedStatement(
            sql: "INSERT INTO itemPosts (post, item) SELECT ?, id FROM items WHERE id = ? ON CONFLICT DO NOTHING"
        ).execute(arguments: [post, item.text])
    }

    /// Accounts that watch the item that a post tells of, as `account`.
    ///
    /// - Parameter post: an expression for the post's number.
    static func watchers(of post: String) -> String {
        """
        SELECT itemMarks.account FROM itemPosts JOIN items ON items.id = itemPosts.item
        JOIN itemMarks ON itemMarks.item = items.sequence AND itemMarks.kind = 'watch' WHERE itemPosts.post = \(post)
        """
    }

    /// Posts that tell of what somebody watches, as `post`.
    ///
    /// - Parameter account: an expression for the account's id.
    static func posts(watchedBy account: String) -> String {
        """
        SELECT itemPosts.post FROM itemMarks JOIN items ON items.sequence = itemMarks.item
        JOIN itemPosts ON itemPosts.item = items.id WHERE itemMarks.account = \(account) AND itemMarks.kind = 'watch'
        """
    }
}
