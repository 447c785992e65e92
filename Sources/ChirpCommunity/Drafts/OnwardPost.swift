package import FoundationEssentials
internal import GRDB

/// A publication of the owner's that goes on to another network, where she has signed in on this machine.
package struct OnwardPost: Hashable, Sendable {
    package enum Network: String, Hashable, Sendable, CaseIterable { case mastodon, x }

    package enum State: String, Hashable, Sendable {
        case waiting
        /// Somebody has begun, and may have died over it: the post may be there.
        case sending
        case posted, failed
    }

    /// The id of the post here; with the network's name the key of the post there.
    package let post: String
    package let network: Network
    package let state: State
    /// Without link and tag.
    package let words: String
    /// Of the clip, which the post there links to.
    package let page: String
    /// Of the post there.
    package let link: String?
    package let why: String?
    /// How often it was begun.
    package let tries: Int
    /// When it is tried next, while it waits.
    package let due: Date

    /// After so many tries it has failed.
    package static let mostTries = 10
}

extension OnwardPost {
    init?(row: Row) {
        guard let network = Network(rawValue: row["network"]), let state = State(rawValue: row["state"]) else {
            return nil
        }
        self.network = network
        self.state = state
        (post, words, page) = (row["post"], row["words"], row["page"])
        (link, why, tries) = (row["link"], row["why"], row["tries"])
        due = HubLibrary.date(row["due"])
    }

    /// Writes down that a post is to go on.
    static func add(
        _ onward: DraftPublication.Onward, of post: String, page: String, at instant: Int64, in database: Database
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO onward (post, network, state, words, page, due, created)
                VALUES (?, ?, 'waiting', ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """
        ).execute(arguments: [post, onward.network.rawValue, onward.words, page, instant, instant])
    }
}

extension HubLibrary {
    /// Where a post goes on, and how far that is.
    package func onward(of post: String) async throws(LibraryError) -> [OnwardPost] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(sql: "SELECT * FROM onward WHERE post = ? ORDER BY network"), arguments: [post]
            )
            .compactMap(OnwardPost.init)
        }
    }

    /// All that is still to go on, the most due first; also what an earlier process had in hand when it ended.
    package func onwardWaiting() async throws(LibraryError) -> [OnwardPost] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT * FROM onward WHERE state IN ('waiting', 'sending') ORDER BY due, post, network")
            ).compactMap(OnwardPost.init)
        }
    }

    /// Marks one as begun. A process that dies from here on leaves the mark, and the next try looks for the post first.
    ///
    /// - Returns: false when it is not wanted any more: its post was removed.
    package func beginOnward(_ onward: OnwardPost) async throws(LibraryError) -> Bool {
        try await write { database in
            try database.cachedStatement(
                sql: """
                    UPDATE onward SET state = 'sending', tries = tries + 1
                    WHERE post = ? AND network = ? AND state IN ('waiting', 'sending')
                    """
            ).execute(arguments: [onward.post, onward.network.rawValue])
            return database.changesCount > 0
        }
    }

    /// Writes down how a try has ended.
    ///
    /// - Parameters:
    ///   - state: ``OnwardPost/State/sending`` when nobody knows whether the post is there.
    ///   - due: when it is tried again.
    package func endOnward(
        _ onward: OnwardPost, as state: OnwardPost.State, link: String? = nil, why: String? = nil, due: Date
    ) async throws(LibraryError) {
        try await write { database in
            try database.cachedStatement(
                sql: "UPDATE onward SET state = ?, link = ?, why = ?, due = ? WHERE post = ? AND network = ?"
            ).execute(arguments: [
                state.rawValue, link, why, Self.milliseconds(due), onward.post, onward.network.rawValue,
            ])
        }
    }
}
