package import FoundationEssentials
internal import GRDB

/// A clip that somebody at another server has posted, until its sound is here and it is a post like others.
package struct RemoteClip: Hashable, Sendable, Identifiable {
    /// In the order in which clips were told of.
    package let id: Int64
    /// Among the remote actors.
    package let actor: Int64
    /// The clip that it becomes here.
    package let clip: HubID
    /// Where its sound lies.
    package let sound: String
    package let title: String
    /// How often its sound could not be had.
    package let tries: Int
    package let received: Date

    /// What its server tells of it; texts are plain.
    package struct Draft: Hashable, Sendable {
        /// Its own: there is one clip of it.
        package var address: String
        package var sound: String
        package var title: String
        package var words: Words
        package var page: String
        package var published: Date?

        package init(
            address: String, sound: String, title: String, words: Words, page: String, published: Date?
        ) {
            (self.address, self.sound, self.title, self.words) = (address, sound, title, words)
            (self.page, self.published) = (page, published)
        }
    }

    /// What stands beside its sound; plain.
    package struct Words: Hashable, Sendable {
        package var text: String
        /// What stands before it, for those who rather not see the rest.
        package var spoiler: String
        package var language: String?

        /// The most characters of a text.
        package static let longest = 5000

        package init(text: String, spoiler: String = "", language: String? = nil) {
            (self.text, self.spoiler, self.language) = (text, spoiler, language)
        }
    }

    /// For so many seconds it can be heard.
    package static let lasting = 30 * 24 * 3600.0
    /// What was published earlier is no news, in seconds.
    static let oldest = 7 * 24 * 3600.0
    /// How many of one person are taken within a day.
    package static let mostADay = 100
    /// The bytes of all of them together; beyond it the oldest go.
    package static let mostBytes: Int64 = 5_000_000_000

    init?(_ row: Row) {
        guard let clip = HubID(row["clip"] as String) else { return nil }
        id = row["sequence"]
        actor = row["actor"]
        self.clip = clip
        sound = row["sound"]
        title = row["title"]
        tries = row["tries"]
        received = HubLibrary.date(row["received"])
    }
}

extension RemoteClip {
    /// Writes down what a server tells of, once: of those whom somebody here follows, and not of what was removed before it came.
    static func keep(_ draft: Draft, by actor: Int64, at now: Int64, in database: Database) throws {
        let published = min(draft.published.map(HubLibrary.milliseconds) ?? now, now)
        guard published > now - Int64(clamping: oldest * 1000), try isFollowed(actor, in: database) else { return }
        let known = try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT (SELECT COUNT(*) FROM remoteClips WHERE actor = ? AND received > ?)
                        + \(mostADay) * EXISTS (SELECT 1 FROM federationSeen WHERE id = ?)
                    """), arguments: [actor, now - 86_400_000, removed(draft.address, by: actor)])
        guard known ?? 0 < mostADay else { return }
        try database.cachedStatement(
            sql: """
                INSERT INTO remoteClips
                    (address, actor, clip, sound, title, text, spoiler, language, page, published, received)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (address) DO NOTHING
                """
        ).execute(arguments: [
            draft.address, actor, HubID().text, draft.sound, draft.title, draft.words.text, draft.words.spoiler,
            draft.words.language, draft.page, published, now,
        ])
    }

    /// Its author has changed the words. The sound stays: it may have been heard.
    static func edit(_ address: String, _ words: Words, by actor: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: "UPDATE remoteClips SET text = ?, spoiler = ?, language = ? WHERE address = ? AND actor = ?"
        ).execute(arguments: [words.text, words.spoiler, words.language, address, actor])
        guard database.changesCount == 1 else { return }
        try database.cachedStatement(
            sql: """
                UPDATE posts SET text = ?, spoiler = ?, language = ?
                WHERE sequence = (SELECT post FROM remoteClips WHERE address = ?)
                """
        ).execute(arguments: [words.text, words.spoiler, words.language, address])
    }

    /// Its author has removed it: with its post, and also before it has come.
    static func remove(_ address: String, by actor: Int64, at now: Int64, in database: Database) throws {
        let clip = try String.fetchOne(
            database.cachedStatement(sql: "DELETE FROM remoteClips WHERE address = ? AND actor = ? RETURNING clip"),
            arguments: [address, actor])
        if let clip {
            // Its file has no row then, and is swept.
            try database.cachedStatement(sql: "DELETE FROM clips WHERE id = ?").execute(arguments: [clip])
        }
        guard try clip != nil || isFollowed(actor, in: database) else { return }
        try database.cachedStatement(
            sql: "INSERT INTO federationSeen (id, received) VALUES (?, ?) ON CONFLICT DO NOTHING"
        ).execute(arguments: [removed(address, by: actor), now])
    }

    /// By what it is known that an address was removed.
    private static func removed(_ address: String, by actor: Int64) -> String { "removed:\(actor):\(address)" }

    static func isFollowed(_ actor: Int64, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM remoteFollows WHERE actor = ?)"),
            arguments: [actor]) ?? false
    }
}
