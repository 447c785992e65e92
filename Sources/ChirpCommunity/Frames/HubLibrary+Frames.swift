package import ChirpAccounts
internal import ChirpCore
internal import FoundationEssentials
internal import GRDB

/// Frames, from the first press until they are signed out. Each act is one transaction.
extension HubLibrary {
    /// How long a frame that nobody has set up is kept after its browser was here, in seconds.
    private static let longestUnset = 24.0 * 3600
    /// How long it is known why a token opens nothing, in seconds.
    private static let longestEnd = 30.0 * 24 * 3600
    /// The most frames that one account has.
    package static let mostFrames = 20

    /// Makes the frame of the account that a link is for, and uses the link up: both happen, or nothing does.
    ///
    /// - Returns: nil for a link that was used, has ended or never was one, and for an account that may have no frame, or no more.
    package func newFrame(
        _ token: OpaqueToken, name: String, byLink link: OpaqueToken
    ) async throws(LibraryError) -> FrameDevice? {
        let now = Self.milliseconds(now())
        return try await write { database in
            let key = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        DELETE FROM frameKeys WHERE digest = ? AND kind = 'link' AND expires > ? AND account IS NOT NULL
                        RETURNING account, (SELECT digest FROM tokens WHERE digest = frameKeys.maker) AS program
                        """), arguments: [Data(link.digest), now])
            guard let key else { return nil }
            let frame = try newFrame(
                token, name: name, account: key["account"] as AccountID, network: .hub, at: now, in: database)
            try database.cachedStatement(sql: "UPDATE frames SET maker = ? WHERE id = ?").execute(
                arguments: [key["program"] as Data?, frame?.id])
            return frame
        }
    }

    /// Makes a frame that is nobody's yet.
    ///
    /// - Parameter name: as its browser calls itself.
    /// - Returns: nil for an account that may have none (``AccountCredential/frame``), or no more (``mostFrames``).
    package func newFrame(
        _ token: OpaqueToken, name: String, account: AccountID? = nil, network: FrameDevice.Network? = nil
    ) async throws(LibraryError) -> FrameDevice? {
        let now = Self.milliseconds(now())
        return try await write {
            try newFrame(token, name: name, account: account, network: network, at: now, in: $0)
        }
    }

    private func newFrame(
        _ token: OpaqueToken, name: String, account: AccountID?, network: FrameDevice.Network?, at now: Int64,
        in database: Database
    ) throws -> FrameDevice? {
        let (id, name) = ("\(RandomName(length: 16))", PlainText(name, limit: 200).value)
        if let account, try !Self.mayCare(account, for: id, by: nil, at: now, in: database) { return nil }
        try database.cachedStatement(sql: "DELETE FROM frames WHERE step = 'network' AND visited < ?").execute(
            arguments: [now - Int64(clamping: Self.longestUnset * 1000)])
        try database.cachedStatement(sql: "DELETE FROM frameEnds WHERE at < ?").execute(arguments: [
            now - Int64(clamping: Self.longestEnd * 1000)
        ])
        try database.cachedStatement(sql: "DELETE FROM frameKeys WHERE expires <= ?").execute(arguments: [now])
        try database.cachedStatement(
            sql: """
                INSERT INTO frames (id, digest, name, account, network, step, created, visited)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            id, Data(token.digest), name, account, network?.rawValue, account == nil ? "network" : "friends",
            now, now,
        ])
        return try Self.frame("frames.id = ?", [id], in: database)
    }

    /// Whose token it is; nil for no frame's.
    package func frame(of token: OpaqueToken) async throws(LibraryError) -> FrameDevice? {
        let digest = Data(token.digest)
        return try await read { try Self.frame("digest = ?", [digest], in: $0) }
    }

    /// Why a token opens nothing any more; nil when nobody knows.
    package func frameEnd(of token: OpaqueToken) async throws(LibraryError) -> FrameEnd? {
        let digest = Data(token.digest)
        return try await read {
            try String.fetchOne(
                $0.cachedStatement(sql: "SELECT why FROM frameEnds WHERE digest = ?"), arguments: [digest])
        }.flatMap(FrameEnd.init)
    }

    /// By its id; nil when there is none.
    package func frame(_ id: FrameDevice.ID) async throws(LibraryError) -> FrameDevice? {
        try await read { try Self.frame("frames.id = ?", [id], in: $0) }
    }

    /// Those that an account cares for, oldest first.
    package func frames(of account: AccountID) async throws(LibraryError) -> [FrameDevice] {
        try await read { try Self.frames("account = ? ORDER BY created, id", [account], in: $0) }
    }

    /// Those that show somebody from another network.
    package func framesElsewhere() async throws(LibraryError) -> [FrameDevice] {
        try await read { try Self.frames("step = 'watch' AND network <> 'hub' ORDER BY id", [], in: $0) }
    }

    /// Frames with a sign-in at another network, whatever step they are at.
    package func framesSignedInElsewhere() async throws(LibraryError) -> [FrameDevice] {
        try await read { try Self.frames("sealed IS NOT NULL ORDER BY id", [], in: $0) }
    }

    /// What becomes of a frame.
    package struct FrameChange: Sendable {
        package var account: AccountID?
        /// By whoever asks for that account.
        package var shown: ShownCredential?
        package var network: FrameDevice.Network?
        package var step: FrameDevice.Step?
        /// Somebody else at this hub, or nobody.
        package var vip: AccountID??
        package var crop: FrameCrop?
        package var style: FrameStyle?
        package var sealed: [UInt8]??
        package var tokens: [UInt8]??
        package var why: String??
        package var cursor: String??
        package var name: String?
        /// What waited is about somebody else.
        package var forgetsUpdates = false
        /// Its screen must not hear of it.
        package var isSilent = false

        package init() {}
    }

    /// Changes a frame; there may be none any more. Returns it as it is then; nil, and nothing changes, where it would become an account's
    /// that may have none, or no more (``mostFrames``), or what was shown has ended.
    @discardableResult
    package func change(_ id: FrameDevice.ID, _ change: FrameChange) async throws(LibraryError) -> FrameDevice? {
        let now = Self.milliseconds(now())
        return try await write { database in
            var sets: [String] = change.isSilent ? [] : ["version = version + 1"]
            var arguments: [(any DatabaseValueConvertible)?] = []
            func set(_ column: String, _ value: (any DatabaseValueConvertible)?) {
                sets.append("\(column) = ?")
                arguments.append(value)
            }
            if let account = change.account {
                guard try Self.mayCare(account, for: id, by: change.shown, at: now, in: database) else { return nil }
                set("account", account)
                set("maker", change.shown?.digestOfProgram)
            }
            if let network = change.network { set("network", network.rawValue) }
            if let step = change.step { set("step", step.rawValue) }
            if let vip = change.vip { set("vip", vip) }
            if let crop = change.crop { set("crop", try FrameDevice.text(crop)) }
            if let style = change.style { set("style", try FrameDevice.text(style)) }
            if let sealed = change.sealed { set("sealed", sealed.map { Data($0) }) }
            if let tokens = change.tokens { set("tokens", tokens.map { Data($0) }) }
            if let why = change.why { set("why", why) }
            if let cursor = change.cursor { set("cursor", cursor) }
            if let name = change.name { set("name", PlainText(name, limit: 200).value) }
            if !sets.isEmpty {
                try database.execute(
                    sql: "UPDATE frames SET \(sets.joined(separator: ", ")) WHERE id = ?",
                    arguments: StatementArguments(arguments + [id]))
            }
            if change.forgetsUpdates {
                try database.cachedStatement(sql: "DELETE FROM frameUpdates WHERE frame = ?").execute(arguments: [id])
                try database.cachedStatement(sql: "DELETE FROM framePhotos WHERE frame = ? AND NOT isOwn").execute(
                    arguments: [id])
            }
            return try Self.frame("frames.id = ?", [id], in: database)
        }
    }

    /// The browser of a frame was here. Written at most once a minute.
    package func visit(_ frame: FrameDevice) async throws(LibraryError) {
        let now = now()
        guard now.timeIntervalSince(frame.visited) >= 60 || now < frame.visited else { return }
        try await write { database in
            try database.cachedStatement(sql: "UPDATE frames SET visited = ? WHERE id = ?").execute(arguments: [
                Self.milliseconds(now), frame.id,
            ])
        }
    }

    /// Ends a frame: nothing of it is left.
    ///
    /// - Parameter why: what its screen is told when it comes back; nil: it knows.
    package func endFrame(_ id: FrameDevice.ID, why: FrameEnd?) async throws(LibraryError) {
        let now = Self.milliseconds(now())
        try await write { database in
            if let why {
                try database.cachedStatement(
                    sql: """
                        INSERT OR REPLACE INTO frameEnds (digest, why, at) SELECT digest, ?, ? FROM frames WHERE id = ?
                        """
                ).execute(arguments: [why.rawValue, now, id])
            }
            try database.cachedStatement(sql: "DELETE FROM frames WHERE id = ?").execute(arguments: [id])
        }
    }

    /// Whether an account may have a frame, which may be its own already. Asked in the transaction that gives it: two at once would both find
    /// room for one.
    ///
    /// - Parameters:
    ///   - shown: by whoever asks for the account; nil where no request is behind it.
    ///   - now: in milliseconds.
    static func mayCare(
        _ account: AccountID, for frame: FrameDevice.ID, by shown: ShownCredential?, at now: Int64,
        in database: Database
    ) throws -> Bool {
        let others = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT COUNT(*) FROM frames WHERE account = ? AND id <> ?"),
            arguments: [account, frame])
        return try others ?? 0 < mostFrames && Accounts.mayHave(.frame, account, by: shown, at: now, in: database)
    }

    static func frame(
        _ condition: String, _ arguments: StatementArguments, in database: Database
    ) throws -> FrameDevice? { try frames(condition, arguments, in: database).first }

    private static func frames(
        _ condition: String, _ arguments: StatementArguments, in database: Database
    ) throws -> [FrameDevice] {
        try Row.fetchAll(
            database.cachedStatement(sql: "SELECT \(FrameDevice.columns) FROM frames WHERE \(condition)"),
            arguments: arguments
        ).map(FrameDevice.init)
    }
}
