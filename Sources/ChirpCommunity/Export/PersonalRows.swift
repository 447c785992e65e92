internal import ChirpAccounts
internal import FoundationEssentials
internal import GRDB

/// What the tables hold of one person, as an export tells it.
struct PersonalRows {
    let person: AccountID
    /// Clips of nobody are the owner's.
    let isOwner: Bool
    let database: Database

    struct Account: Encodable {
        let handle, name, bio: String
        let mail: String?
        let role, state: String
        /// What letters are written in.
        let language: String
        let created: Date
        let tags: [String]
        let hasAuthenticator: Bool
        let sessions: [Session]
        let identities: [Identity]
        let passkeys: [Passkey]
        let noticeChoices: [NoticeChoice]
        let pushSubscriptions: [PushSubscription]
        let formerHandles: [FormerHandle]
        let programs: [Program]
        let feedAddressMade: Date?
        /// Of the last days.
        let letters: [Letter]
    }

    /// By what service elsewhere the person signs in.
    struct Identity: Encodable {
        let provider, subject, shown: String
        let created: Date
    }

    struct Passkey: Encodable {
        let name: String
        let created: Date
        let used: Date?
    }

    struct Session: Encodable {
        let agent: String
        let created, expires: Date
    }

    /// A browser that is told of notices, by the service that reaches it; its whole address would let others write there.
    struct PushSubscription: Encodable {
        let agent, service, language: String
        let created: Date
    }

    struct Post: Encodable {
        let id, text, link: String
        let clip: String?
        let created: Date
        let visibility, state, spoiler: String
        let language: String?
        /// The id of what it answers.
        let replyTo: String?
        /// The handles of those for whom it is.
        let recipients: [String]
        let onward: [Onward]
    }

    /// Where else a post went, or is to go.
    struct Onward: Encodable {
        let network, state, words: String
        let link: String?
    }

    struct Clip: Encodable {
        let id, title, fileName, contentType, sha256: String
        let bytes: Int64
        let seconds: Double?
        let created: Date
        let expires: Date?
        let shared: Bool
        /// What is said in it, where that was written down.
        let transcript: String?
    }

    /// A recording that was not published.
    struct Draft: Encodable {
        let id, title, text: String
        let from, to: Double?
        let created: Date
    }

    struct People: Encodable { let following, followers, blocked: [String] }

    struct Mark: Encodable {
        let post, kind: String
        let created: Date
    }

    struct Notice: Encodable {
        let kind: String
        let from, post: String?
        /// The address of what a board lists, below the hub's own.
        let item: String?
        let created: Date
    }

    struct Listening: Encodable {
        struct Play: Encodable {
            /// Its id; nil when it was deleted.
            let post: String?
            let arrived: Date
            let state: String
        }

        let begins, ends: Date
        let ended: Date?
        let accounts: [String]
        let plays: [Play]
    }
    /// How the person wants to be told of something, where she has chosen.
    struct NoticeChoice: Encodable {
        let kind: String
        let onPage, byMail, byPush: Bool
    }

    func account() throws -> Account? {
        let choices = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT kind, onPage, byMail, byPush FROM noticeChoices WHERE account = ? ORDER BY kind"),
            arguments: [person]
        ).map { NoticeChoice(kind: $0["kind"], onPage: $0["onPage"], byMail: $0["byMail"], byPush: $0["byPush"]) }
        let sessions = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT agent, created, expires FROM sessions WHERE account = ? ORDER BY created"),
            arguments: [person]
        ).map { Session(agent: $0["agent"], created: Self.date($0["created"]), expires: Self.date($0["expires"])) }
        let identities = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT provider, subject, shown, created FROM identities WHERE account = ? ORDER BY created"),
            arguments: [person]
        ).map {
            Identity(
                provider: $0["provider"], subject: $0["subject"], shown: $0["shown"],
                created: Self.date($0["created"]))
        }
        let passkeys = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT name, created, used FROM passkeys WHERE account = ? ORDER BY created"),
            arguments: [person]
        ).map {
            Passkey(
                name: $0["name"], created: Self.date($0["created"]), used: ($0["used"] as Int64?).map { Self.date($0) })
        }
        let browsers = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT agent, endpoint, language, pushSubscriptions.created
                    FROM pushSubscriptions JOIN sessions ON sessions.id = session
                    WHERE pushSubscriptions.account = ? ORDER BY pushSubscriptions.created
                    """), arguments: [person]
        ).map {
            let endpoint: String = $0["endpoint"]
            return PushSubscription(
                agent: $0["agent"], service: endpoint.split(separator: "/").prefix(2).joined(separator: "//"),
                language: $0["language"], created: Self.date($0["created"]))
        }
        let tags = try PersonTag.of(person, in: database).map(\.rawValue)
        let (handles, programs, feed, letters) = (
            try formerHandles(), try programs(), try feedAddressMade(), try letters()
        )
        return try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT handle, name, bio, mail, role, state, language, created, totp IS NOT NULL AS second FROM accounts
                    WHERE id = ?
                    """), arguments: [person]
        ).map { row in
            Account(
                handle: row["handle"], name: row["name"], bio: row["bio"], mail: row["mail"], role: row["role"],
                state: row["state"], language: row["language"], created: Self.date(row["created"]), tags: tags,
                hasAuthenticator: row["second"],
                sessions: sessions, identities: identities, passkeys: passkeys, noticeChoices: choices,
                pushSubscriptions: browsers, formerHandles: handles, programs: programs, feedAddressMade: feed,
                letters: letters)
        }
    }

    func posts() throws -> [Post] {
        let onward = Dictionary(
            grouping: try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT onward.* FROM onward JOIN posts ON posts.id = onward.post
                        WHERE posts.account = ? ORDER BY onward.created, network
                        """), arguments: [person])
        ) { $0["post"] as String }
        return try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT posts.*, (SELECT id FROM posts AS answered WHERE answered.sequence = posts.replyTo) AS answers,
                        (SELECT group_concat(handle, ' ') FROM recipients JOIN accounts ON accounts.id = recipients.account
                            WHERE recipients.post = posts.sequence) AS handles
                    FROM posts WHERE account = ? ORDER BY sequence
                    """), arguments: [person]
        ).map { row in
            Post(
                id: row["id"], text: row["text"], link: row["link"], clip: row["clip"],
                created: Self.date(row["created"]), visibility: row["visibility"], state: row["state"],
                spoiler: row["spoiler"], language: row["language"], replyTo: row["answers"],
                recipients: (row["handles"] as String?)?.split(separator: " ").map(String.init) ?? [],
                onward: (onward[row["id"] as String] ?? []).map {
                    Onward(network: $0["network"], state: $0["state"], words: $0["words"], link: $0["link"])
                })
        }
    }

    func clips() throws -> [Clip] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id, title, fileName, contentType, sha256, bytes, seconds, created, expires, shared,
                        (SELECT text FROM transcripts WHERE clip = clips.id) AS transcript
                    FROM clips
                    WHERE owner = ? OR ? AND owner IS NULL ORDER BY created, id
                    """), arguments: [person, isOwner]
        ).map { row in
            Clip(
                id: row["id"], title: row["title"], fileName: row["fileName"], contentType: row["contentType"],
                sha256: row["sha256"], bytes: row["bytes"], seconds: row["seconds"],
                created: Self.date(row["created"]), expires: (row["expires"] as Int64?).map(Self.date),
                shared: row["shared"], transcript: row["transcript"])
        }
    }

    func drafts() throws -> [Draft] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT \(HubDraft.columns) FROM drafts JOIN media ON media.id = drafts.id
                    WHERE media.owner = ? AND drafts.post IS NULL ORDER BY media.created, drafts.id
                    """), arguments: [person]
        ).compactMap(HubDraft.init).map { draft in
            Draft(
                id: draft.id.text, title: draft.wish.title, text: draft.text, from: draft.wish.from, to: draft.wish.to,
                created: draft.created)
        }
    }

    func people() throws -> People {
        People(
            following: try handles("SELECT followed FROM follows WHERE follower = ?"),
            followers: try handles("SELECT follower FROM follows WHERE followed = ?"),
            blocked: try handles("SELECT blocked FROM blocks WHERE blocker = ?"))
    }

    func marks() throws -> [Mark] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT posts.id AS post, kind, marks.created AS created FROM marks
                    JOIN posts ON posts.sequence = marks.post WHERE marks.account = ? ORDER BY marks.created
                    """), arguments: [person]
        ).map { Mark(post: $0["post"], kind: $0["kind"], created: Self.date($0["created"])) }
    }

    func notices() throws -> [Notice] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT notices.kind, accounts.handle AS handle, posts.id AS about, notices.created AS created,
                        '/' || items.board || '/' || items.id AS item
                    FROM notices
                    LEFT JOIN accounts ON accounts.id = notices.actor LEFT JOIN posts ON posts.sequence = notices.post
                    LEFT JOIN items ON items.id = notices.item
                    WHERE notices.account = ? ORDER BY notices.sequence
                    """), arguments: [person]
        ).map { row in
            Notice(
                kind: row["kind"], from: row["handle"], post: row["about"], item: row["item"],
                created: Self.date(row["created"]))
        }
    }

    /// Live listening in browsers, as long as it is kept.
    func listening() throws -> [Listening] {
        try Row.fetchAll(
            database.cachedStatement(sql: "SELECT * FROM liveSessions WHERE account = ? ORDER BY number"),
            arguments: [person]
        ).map { row in
            let number: Int64 = row["number"]
            let chosen = try String.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT handle FROM liveChosen JOIN accounts ON accounts.id = liveChosen.account
                        WHERE session = ? ORDER BY handle
                        """), arguments: [number])
            let heard = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT posts.id AS post, arrived, livePlays.state AS state FROM livePlays
                        LEFT JOIN posts ON posts.sequence = livePlays.post WHERE session = ? ORDER BY livePlays.id
                        """), arguments: [number])
            return Listening(
                begins: Self.date(row["begins"]), ends: Self.date(row["ends"]),
                ended: (row["ended"] as Int64?).map(Self.date), accounts: chosen,
                plays: heard.map {
                    Listening.Play(post: $0["post"], arrived: Self.date($0["arrived"]), state: $0["state"])
                })
        }
    }

    private func handles(_ chosen: String) throws -> [String] {
        try String.fetchAll(
            database, sql: "SELECT handle FROM accounts WHERE id IN (\(chosen)) ORDER BY handle",
            arguments: [person])
    }

    private static func date(_ milliseconds: Int64) -> Date { HubLibrary.date(milliseconds) }
}
