internal import FoundationEssentials
internal import GRDB

/// What of an account is neither told by its profile nor made by the person.
extension PersonalRows {
    /// A name that the account had before.
    struct FormerHandle: Encodable {
        let handle: String
        let changed: Date
    }

    /// A program that speaks for the person; its token opens the account and is nobody's to take along.
    struct Program: Encodable {
        let name, website, scopes: String
        let created, used: Date
        let expires: Date?
    }

    /// That a letter was sent to her, or waits to be; its words are made when it goes.
    struct Letter: Encodable {
        let kind, language, state: String
        let created: Date
    }

    /// Something that she has sent and that is no draft: how far it is, and what she called it.
    struct Upload: Encodable {
        let id, state, title, fileName, type, description: String
        let bytes: Int64?
        /// Why it was refused.
        let why: String?
        /// What it became.
        let clip: String?
        let created: Date
        let expires: Date?
    }

    func formerHandles() throws -> [FormerHandle] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT handle, changed FROM formerHandles WHERE account = ? ORDER BY changed"),
            arguments: [person]
        ).map { FormerHandle(handle: $0["handle"], changed: HubLibrary.date($0["changed"])) }
    }

    func programs() throws -> [Program] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT apps.name, apps.website, tokens.scopes, tokens.created, tokens.used, tokens.expires
                    FROM tokens JOIN apps ON apps.id = tokens.app WHERE tokens.account = ? ORDER BY tokens.created
                    """), arguments: [person]
        ).map { row in
            Program(
                name: row["name"], website: row["website"], scopes: row["scopes"],
                created: HubLibrary.date(row["created"]), used: HubLibrary.date(row["used"]),
                expires: (row["expires"] as Int64?).map(HubLibrary.date))
        }
    }

    /// When the address of her private feed was made; it would let others read the feed.
    func feedAddressMade() throws -> Date? {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT created FROM feedAddresses WHERE account = ?"), arguments: [person]
        ).map(HubLibrary.date)
    }

    func letters() throws -> [Letter] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT kind, language, state, created FROM letters WHERE account = ? ORDER BY created, rowid"),
            arguments: [person]
        ).map { row in
            Letter(
                kind: row["kind"], language: row["language"], state: row["state"],
                created: HubLibrary.date(row["created"]))
        }
    }

    func uploads() throws -> [Upload] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT * FROM media WHERE owner = ?
                        AND NOT EXISTS (SELECT 1 FROM drafts WHERE drafts.id = media.id AND drafts.post IS NULL)
                    ORDER BY created, id
                    """), arguments: [person]
        ).map { row in
            Upload(
                id: row["id"], state: row["state"], title: row["title"], fileName: row["fileName"], type: row["type"],
                description: row["description"], bytes: row["bytes"], why: row["why"], clip: row["clip"],
                created: HubLibrary.date(row["created"]), expires: (row["expires"] as Int64?).map(HubLibrary.date))
        }
    }
}
