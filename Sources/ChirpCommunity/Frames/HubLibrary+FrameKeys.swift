package import ChirpAccounts
internal import FoundationEssentials
internal import GRDB

/// What leads to a frame once, and for a short time. Tables hold only digests.
extension HubLibrary {
    /// What a key is for.
    package enum FrameKeyKind: String, Sendable {
        /// A code that the screen shows and its caretaker types.
        case code
        /// A link that signs a browser on the hub's machine in.
        case link
        /// The way back from a sign-in at another network.
        case signin

        /// How long it works, in seconds.
        package var seconds: Double { 600 }
    }

    /// Whom a key led to.
    package struct FrameKey: Hashable, Sendable {
        package let frame: FrameDevice.ID?
        package let account: AccountID?
        package let detail: String
    }

    /// Makes a key. Of a frame's codes only the newest works. For an account that may have none nothing is made.
    ///
    /// - Parameter shown: by whoever asks for the account; nothing is made once that has ended.
    package func keepFrameKey(
        _ digest: [UInt8], _ kind: FrameKeyKind, frame: FrameDevice.ID? = nil, account: AccountID? = nil,
        detail: String = "", by shown: ShownCredential? = nil
    ) async throws(LibraryError) {
        let now = Self.milliseconds(now())
        try await write { database in
            if let account, try !Accounts.mayHave(.frameKey, account, by: shown, at: now, in: database) { return }
            try database.cachedStatement(sql: "DELETE FROM frameKeys WHERE expires <= ?").execute(arguments: [now])
            try database.cachedStatement(sql: "DELETE FROM frameKeys WHERE frame = ? AND kind = ?").execute(arguments: [
                frame, kind.rawValue,
            ])
            try database.cachedStatement(
                sql: """
                    INSERT INTO frameKeys (digest, kind, frame, account, detail, expires, maker)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                Data(digest), kind.rawValue, frame, account, detail, now + Int64(clamping: kind.seconds * 1000),
                shown?.digest,
            ])
        }
    }

    /// Uses a key up; nil when it was used, has ended or never was one.
    ///
    /// - Parameter frame: it has to be this one's.
    package func useFrameKey(
        _ digest: [UInt8], _ kind: FrameKeyKind, frame: FrameDevice.ID? = nil
    ) async throws(LibraryError) -> FrameKey? {
        let now = Self.milliseconds(now())
        return try await write { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        DELETE FROM frameKeys WHERE digest = ? AND kind = ? AND expires > ? AND (?4 IS NULL OR frame IS ?4)
                        RETURNING frame, account, detail
                        """), arguments: [Data(digest), kind.rawValue, now, frame]
            ).map { FrameKey(frame: $0["frame"], account: $0["account"], detail: $0["detail"]) }
        }
    }

    /// Gives the frame of a code to an account: both happen, or nothing does.
    ///
    /// - Parameter shown: by whoever asks for the account.
    /// - Returns: nil when the code leads nowhere, or the account has as many frames as it may, or may have none
    ///   (``AccountCredential/frame``), or what was shown has ended.
    package func pairFrame(
        code digest: [UInt8], with account: AccountID, by shown: ShownCredential? = nil
    ) async throws(LibraryError) -> FrameDevice? {
        let now = Self.milliseconds(now())
        return try await write { database in
            // The code's frame is nobody's yet.
            guard try Self.mayCare(account, for: "", by: shown, at: now, in: database) else { return nil }
            guard
                let frame = try String.fetchOne(
                    database.cachedStatement(
                        sql: "DELETE FROM frameKeys WHERE digest = ? AND kind = 'code' AND expires > ? RETURNING frame"),
                    arguments: [Data(digest), now])
            else { return nil }
            try database.cachedStatement(
                sql: """
                    UPDATE frames SET account = ?, maker = ?, network = 'hub', step = 'friends', vip = NULL, sealed = NULL, why = NULL,
                        cursor = NULL, version = version + 1
                    WHERE id = ? AND account IS NULL AND step = 'network'
                    """
            ).execute(arguments: [account, shown?.digestOfProgram, frame])
            guard database.changesCount > 0 else { return nil }
            return try Self.frame("frames.id = ?", [frame], in: database)
        }
    }
}

extension HubLibrary {
    /// What begins a frame of an account in the browser that shows it: once, and within ten minutes.
    ///
    /// - Parameter shown: by whoever asks: once that has ended the link leads nowhere, and what a program's link has begun ends with its
    ///   token.
    package func frameLink(
        for account: AccountID, by shown: ShownCredential? = nil
    ) async throws(LibraryError) -> OpaqueToken {
        let link = OpaqueToken()
        try await keepFrameKey(link.digest, .link, account: account, by: shown)
        return link
    }
}
