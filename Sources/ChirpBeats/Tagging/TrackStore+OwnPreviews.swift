package import ChirpAccounts
package import ChirpBoards
package import ChirpCommunity
internal import ChirpCore
internal import ChirpFiles
internal import ChirpMusic
internal import FoundationEssentials
internal import GRDB
internal import Glibc

/// Previews that are made for one listener each. Their files are a store that may be lost: each is made again from its row.
extension TrackStore {
    /// All files together, in bytes: then those that were fetched longest ago go.
    package static let mostOwnPreviewBytes: Int64 = 1_000_000_000
    /// One file, and some.
    private static let mostBytes = ByteCount(Int64(6_000_000))
    /// When a file was fetched is written down so seldom, in seconds.
    private static let heardStep = 3600.0

    var ownPreviews: String { "\(library.folder)/own-previews" }

    private func path(_ file: String) -> String { "\(ownPreviews)/\(file).mp3" }

    // MARK: fetching

    /// Whether who is signed in gets one of her own of a track.
    package func hasOwnPreviews(_ id: HubID) async throws -> Bool {
        try await library.reading { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT 1 FROM trackTags WHERE item = ? AND isOn = 1 AND state = 'ready'"),
                arguments: [id.text]) != nil
        }
    }

    /// What there is for somebody of a track that she sees.
    package func ownPreview(of id: HubID, for account: AccountID) async throws -> OwnPreview {
        let found: OwnPreview = try await library.reading { database in
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT listeners.* FROM trackTags
                        LEFT JOIN trackListeners AS listeners ON listeners.item = trackTags.item AND account = ?
                        WHERE trackTags.item = ? AND isOn = 1 AND trackTags.state = 'ready'
                        """), arguments: [account, id.text])
            guard let row else { return .none }
            switch row["state"] as String? {
            case nil, "gone": return .unmade
            case "ready":
                return .ready(
                    OwnPreview.File(
                        path: path(row["file"]), sha256: row["sha256"], made: Accounts.date(row["made"]),
                        heard: Accounts.date(row["heard"])))
            default: return .coming
            }
        }
        guard case .ready(let file) = found, library.now().timeIntervalSince(file.heard) > Self.heardStep else {
            return found
        }
        try await note("UPDATE trackListeners SET heard = ? WHERE item = ? AND account = ?", id, account)
        return found
    }

    /// Asks for it: its pattern is drawn and written down. May be repeated.
    package func askForOwnPreview(of id: HubID, for account: AccountID) async throws {
        let seed = Int64(bitPattern: .random(in: .min ... .max) as UInt64)
        let now = Accounts.milliseconds(library.now())
        try await library.transact { database in
            try database.cachedStatement(
                sql: """
                    INSERT INTO trackListeners (item, account, seed, file, asked, state, tries, heard)
                    SELECT item, ?2, ?3, ?4, ?5, 'waiting', 0, ?5 FROM trackTags WHERE item = ?1 AND isOn = 1
                    ON CONFLICT (item, account) DO UPDATE SET state = 'waiting', tries = 0, asked = ?5, heard = ?5
                    WHERE state = 'gone'
                    """
            ).execute(arguments: [id.text, account, seed, HubID().text, now])
        }
    }

    /// Its file is gone, as in a library that came out of a backup.
    package func loseOwnPreview(of id: HubID, for account: AccountID) async throws {
        try await note(
            "UPDATE trackListeners SET heard = ?, state = 'gone' WHERE item = ? AND account = ? AND state = 'ready'",
            id, account)
    }

    private func note(_ sql: String, _ id: HubID, _ account: AccountID) async throws {
        let now = Accounts.milliseconds(library.now())
        try await library.transact { database in
            try database.cachedStatement(sql: sql).execute(arguments: [now, id.text, account])
        }
    }

    // MARK: making

    private struct Due: Sendable {
        let item, account, file: String
        let tries: Int
        let order: ListenerTagging.Order?
    }

    /// Makes one that is asked for. It is written down before and after, so whoever dies leaves it to the next one, and its file appears whole.
    ///
    /// - Parameters:
    ///   - most: bytes of all files together.
    ///   - may: whether another one may be made now; asked when there is one.
    /// - Returns: whether there was one, so that there may be more.
    package func makeNextOwnPreview(
        by tagging: ListenerTagging, most: Int64 = mostOwnPreviewBytes, if may: () async throws -> Bool = { true }
    ) async throws -> Bool {
        let waits = try await library.reading { try Row.fetchOne($0.cachedStatement(sql: Self.waiting)) != nil }
        // What can be had again takes no room from what cannot.
        guard waits, try await library.room().free > Self.mostBytes, try await may(),
            let due = try await library.transact({ try due(in: $0) })
        else { return false }
        guard let order = due.order, due.tries <= Self.mostTagTries else {
            try await settle(due, "failed")
            return true
        }
        let folder = ownPreviews
        await offPool { _ = mkdir(folder, 0o700) }
        do throws(ListenerTagging.Failure) { try await tagging.make(order) } catch {
            // The next errand tries again; the tries are counted.
            guard case .refused = error else { return false }
            try await settle(due, "failed")
            return true
        }
        let digest = try await offPool { () throws(FileError) in try FileDigest.reading(order.goal) }
        let now = Accounts.milliseconds(library.now())
        let isKept = try await library.transact { database in
            try database.cachedStatement(
                sql: """
                    UPDATE trackListeners SET state = 'ready', made = COALESCE(made, ?1), heard = ?1, bytes = ?2, sha256 = ?3
                    WHERE item = ?4 AND account = ?5 AND file = ?6
                    """
            ).execute(arguments: [now, digest.bytes, digest.sha256, due.item, due.account, due.file])
            return database.changesCount == 1
        }
        // Who has gone meanwhile leaves nothing.
        if !isKept { unlink(order.goal) }
        try await makeRoom(most)
        return true
    }

    private static let waiting = """
        SELECT listeners.*, trackTags.title, person, slots, common, voice, master FROM trackListeners AS listeners
        JOIN trackTags ON trackTags.item = listeners.item JOIN tracks ON tracks.item = listeners.item
        WHERE listeners.state = 'waiting' AND isOn = 1 AND trackTags.state = 'ready' AND master IS NOT NULL
        ORDER BY listeners.tries, asked LIMIT 1
        """

    private func due(in database: Database) throws -> Due? {
        guard let row = try Row.fetchOne(database.cachedStatement(sql: Self.waiting)) else { return nil }
        let (item, account, tries) = (row["item"] as String, row["account"] as String, (row["tries"] as Int) + 1)
        try database.cachedStatement(sql: "UPDATE trackListeners SET tries = ? WHERE item = ? AND account = ?").execute(
            arguments: [tries, item, account])
        let order = ListenerTagging.Ground(row).flatMap { ground in
            HubID(row["master"] as String).map { master in
                ListenerTagging.Order(
                    master: library.films.file(master, .original), title: row["title"], person: row["person"],
                    voice: ground.voice, places: TagPlan(ground.slots, seed: Self.seed(row)).places,
                    goal: path(row["file"]))
            }
        }
        return Due(item: item, account: account, file: row["file"], tries: tries, order: order)
    }

    static func seed(_ row: Row) -> UInt64 { UInt64(bitPattern: row["seed"] as Int64) }

    private func settle(_ due: Due, _ state: String) async throws {
        try await library.transact { database in
            try database.cachedStatement(
                sql: "UPDATE trackListeners SET state = ? WHERE item = ? AND account = ? AND file = ?"
            ).execute(arguments: [state, due.item, due.account, due.file])
        }
    }

    // MARK: room

    private func makeRoom(_ most: Int64) async throws {
        let gone = try await library.transact { database in
            var (left, gone): (Int64, [String]) = (most, [])
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT file, bytes FROM trackListeners WHERE state = 'ready' ORDER BY heard DESC, made DESC"))
            for row in rows {
                left -= row["bytes"] as Int64
                guard left < 0 else { continue }
                let file: String = row["file"]
                try database.cachedStatement(sql: "UPDATE trackListeners SET state = 'gone' WHERE file = ?").execute(
                    arguments: [file])
                gone.append(file)
            }
            return gone
        }
        await offPool { for file in gone { unlink(path(file)) } }
    }

    /// Removes files that no row names, as of people who have gone; younger ones than an hour may be about to get theirs.
    package func sweepOwnPreviews() async throws {
        let kept = Set(
            try await library.reading { database in
                try String.fetchAll(
                    database.cachedStatement(sql: "SELECT file FROM trackListeners WHERE state = 'ready'"))
            })
        let limit = library.now().timeIntervalSince1970 - 3600
        await offPool {
            _ = AtomicFile.removeStrays(in: ownPreviews)
            for name in (try? FolderListing(ownPreviews).names) ?? [] where name.hasSuffix(".mp3") {
                var facts = stat()
                guard !kept.contains(String(name.dropLast(4))), lstat("\(ownPreviews)/\(name)", &facts) == 0,
                    Double(facts.st_mtim.tv_sec) < limit
                else { continue }
                unlink("\(ownPreviews)/\(name)")
            }
        }
    }
}
