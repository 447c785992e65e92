internal import ChirpDatabase
internal import GRDB
internal import Synchronization

/// Tells whether anything has changed that somebody reads in the library: as ``LibraryVersion``, but without what is only tidied up there.
///
/// Safe for many requests at once.
package final class ContentVersion: Sendable {
    private let version: LibraryVersion
    private let state: Mutex<State>

    private struct State {
        /// What the library said last.
        var seen: Int
        var number = 0
        /// Somebody is about to commit what nobody sees.
        var isTidied = false

        mutating func see(_ now: Int) {
            if now != seen { (seen, number) = (now, number + 1) }
        }
    }

    /// Opens a connection of its own: blocks for a moment.
    package init(_ library: HubLibrary) throws(LibraryError) {
        version = try LibraryVersion(library)
        state = Mutex(State(seen: try version.current))
    }

    /// Another number than before, if anything has changed; nil: that cannot be told at this moment. Blocks for some microseconds.
    package var current: Int? {
        get throws(LibraryError) {
            // Asked while nobody else does, so that no change is seen before one that came earlier.
            try state.withLock { state throws(LibraryError) in
                let now = try version.current
                if state.isTidied, now != state.seen { return nil }
                state.see(now)
                return state.number
            }
        }
    }

    /// Ends a transaction that has changed nothing of what anybody reads.
    ///
    /// - Parameter database: the writer's, in that transaction, which keeps other writers away.
    func commit(_ database: Database) throws {
        let own = try LibraryVersion.number(database)
        let committed = try version.current
        state.withLock { state in
            state.see(committed)
            state.isTidied = true
        }
        defer { state.withLock { $0.isTidied = false } }
        try database.commit()
        let after = try version.current
        // The writer's own number counts others alone: had one of them committed before `after` was read, that would stand for both.
        let isAlone = try LibraryVersion.number(database) == own
        state.withLock { state in
            if isAlone { state.seen = after } else { state.see(after) }
        }
    }
}

extension HubLibrary {
    /// Writes what changes nothing of what anybody reads.
    ///
    /// - Parameter content: does not count it; nil: nobody asks for that.
    func tidy<Done: Sendable>(
        _ content: ContentVersion?, _ body: @Sendable (Database) throws -> Done
    ) async throws(LibraryError) -> Done {
        guard let content else { return try await write(body) }
        do {
            return try await database.writeWithoutTransaction { database in
                try database.beginTransaction(.immediate)
                do {
                    let done = try body(database)
                    try content.commit(database)
                    return done
                } catch {
                    if database.isInsideTransaction { try database.rollback() }
                    throw error
                }
            }
        } catch {
            throw LibraryError(DatabaseFailure(error), path: file.path)
        }
    }
}
