package import ChirpAccounts
internal import ChirpDatabase
internal import GRDB

/// How an account wants to be told of one kind of thing.
package struct NoticeChoice: Hashable, Sendable {
    /// Among the notices, for people and programs.
    package var onPage: Bool
    package var byMail: Bool
    /// In the browsers that the account has told to (``HubLibrary/subscribe(_:session:endpoint:key:secret:language:)``).
    package var byPush: Bool

    package init(onPage: Bool, byMail: Bool, byPush: Bool = true) {
        self.onPage = onPage
        self.byMail = byMail
        self.byPush = byPush
    }

    /// What holds until somebody chooses: everything stands on the page; a moderator's decision, an answer to what one looks for,
    /// the end of an own item, that somebody has bid more, and that buyers cannot pay by card any more, which one would miss, come by mail too.
    /// Browsers are told of everything, since each was asked to.
    package static func usual(_ kind: Notice.Kind) -> NoticeChoice {
        NoticeChoice(onPage: true, byMail: [.moderation, .claim, .ending, .bid, .cardsRefused].contains(kind))
    }

    /// The one of an account.
    static func of(_ account: AccountID, _ kind: Notice.Kind, in database: Database) throws -> NoticeChoice {
        try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT onPage, byMail, byPush FROM noticeChoices WHERE account = ? AND kind = ?"),
            arguments: [account, kind.rawValue]
        ).map(NoticeChoice.init) ?? .usual(kind)
    }

    fileprivate init(_ row: Row) { self.init(onPage: row["onPage"], byMail: row["byMail"], byPush: row["byPush"]) }
}

extension HubLibrary {
    /// What anybody is told of in this library.
    package var noticeKinds: [Notice.Kind] {
        Notice.Kind.allCases.filter { kind in
            !Notice.Kind.ofBoards.contains(kind) || boards.contains { $0.notices.contains(kind) }
        }
    }

    /// How an account wants to be told, for each kind.
    package func noticeChoices(of account: AccountID) async throws(LibraryError) -> [Notice.Kind: NoticeChoice] {
        try await read { database in
            var choices: [Notice.Kind: NoticeChoice] = [:]
            for kind in Notice.Kind.allCases { choices[kind] = try NoticeChoice.of(account, kind, in: database) }
            return choices
        }
    }

    /// Chooses how an account is told from now on. What was told stays.
    package func choose(
        _ choices: [Notice.Kind: NoticeChoice], of account: AccountID
    ) async throws(LibraryError) {
        try await write { database in
            for (kind, choice) in choices {
                try database.cachedStatement(
                    sql: """
                        INSERT INTO noticeChoices (account, kind, onPage, byMail, byPush) VALUES (?, ?, ?, ?, ?)
                        ON CONFLICT (account, kind) DO UPDATE SET onPage = excluded.onPage, byMail = excluded.byMail,
                            byPush = excluded.byPush
                        """
                ).execute(arguments: [account, kind.rawValue, choice.onPage, choice.byMail, choice.byPush])
            }
        }
    }
}

/// The table of what people want to be told, as steps.
enum NoticeSchema {
    static let steps = [
        SchemaStep(
            "notices-001",
            """
            -- Only what somebody has chosen; for the rest there is a rule.
            CREATE TABLE noticeChoices (
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                kind    TEXT NOT NULL,
                onPage  INTEGER NOT NULL CHECK (onPage IN (0, 1)),
                byMail  INTEGER NOT NULL CHECK (byMail IN (0, 1)),
                PRIMARY KEY (account, kind)
            ) STRICT, WITHOUT ROWID;
            """)
    ]

    /// What notices have of items, whose tables are made before.
    static let items = [
        SchemaStep(
            "notices-002",
            """
            ALTER TABLE notices ADD COLUMN item TEXT REFERENCES items (id) ON DELETE CASCADE;
            CREATE INDEX noticesByItem ON notices (item) WHERE item IS NOT NULL;
            """)
    ]
}
