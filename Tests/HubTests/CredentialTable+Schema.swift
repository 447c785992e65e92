import HubHousehold

extension CredentialTable {
    /// The tables with a column that refers to an account or is called as one, and those with a column that is called as a secret.
    static func tables(in house: HubHousehold) async throws -> (naming: Set<String>, secret: Set<String>) {
        let columns = """
            SELECT t.name FROM sqlite_schema t, pragma_table_info(t.name) c
            WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND
            """
        let naming = try await house.texts(
            """
            SELECT t.name FROM sqlite_schema t, pragma_foreign_key_list(t.name) f
            WHERE t.type = 'table' AND f."table" = 'accounts'
            UNION \(columns) c.name IN ('account', 'owner', 'person', 'author', 'member', 'holder', 'user')
            """)
        let secret = try await house.texts(
            """
            \(columns) (c.name IN ('digest', 'secret', 'token', 'tokens', 'password', 'totp', 'auth', 'sealed')
                OR c.name LIKE '%secret%' OR c.name LIKE '%digest%')
            """)
        return (Set(naming), Set(secret))
    }

    /// Tables that name an account, or have a secret, and open nothing: with the reason.
    static let openNothing: [String: String] = {
        var reasons: [String: String] = [:]
        for (reason, tables) in grouped { for table in tables { reasons[table] = reason } }
        return reasons
    }()

    private static let grouped: [(reason: String, tables: [String])] = [
        (
            "what a person has made, said or chosen: shown by who asks, not by what is kept here",
            [
                "posts", "clips", "comments", "media", "films", "pictures", "portraits", "items", "itemParts",
                "itemMarks", "itemSight", "marks", "follows", "blocks", "tags4people", "noticeChoices", "listings",
                "listingsUnkept", "alerts", "claims", "attempts", "attemptVotes", "attemptQuestions", "rules", "stakes",
                "stakeTies", "challengeMergers", "challengeVisits", "verifiers", "verdicts", "works", "requests",
                "connections", "connectionQuestions", "licenceTexts", "beatRoles", "trackListeners", "trackTags",
                "voters", "clipHearers", "formerHandles", "changedFeeds",
            ]
        ),
        (
            "what was told to a person, or waits to be; the link of a letter is in `links`",
            [
                "notices", "pushes", "letters", "recipients", "threadReads", "matches", "matchesTold",
                "strangerLetters", "moderatorsSeen", "recentPosts",
            ]
        ),
        ("what moderators have decided", ["cases", "reports", "decisions", "sanctions"]),
        (
            "who is known at other servers: the hub signs for them with keys that it gives to nobody",
            ["federationActors", "remoteFollowers", "remoteFollows", "remoteBlocks", "outwardMarks", "outwardReplies"]
        ),
        (
            "how far a person has listened: reached by a session or a token",
            ["liveSessions", "liveChosen", "livePlays"]
        ),
        (
            "what is bought and sold, and where its money goes: changed by a session or a token",
            [
                "auctions", "bids", "bidTries", "grants", "beatPurchases", "beatSellers", "sellerCards", "orders",
                "orderLedger", "stakeLedger",
            ]
        ),
        ("a code that is heard in a recording, to show that it is new", ["attemptCodes"]),
        ("a program, whoever it speaks for: its secret gives no token of a person", ["apps"]),
        ("the hub itself, as other servers know it", ["identityClients"]),
        ("of a frame, and goes with it", ["frameUpdates"]),
        ("why the token of a frame opens nothing any more", ["frameEnds"]),
    ]
}
