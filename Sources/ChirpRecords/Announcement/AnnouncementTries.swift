internal import FoundationEssentials
internal import GRDB

/// How often an announcement was begun, and when it may be begun again. Written down before anything is made of it: what a kill leaves is begun
/// again when its time has come, and what fails each time is not begun for ever.
enum AnnouncementTries {
    /// So often one is begun; with the waits between them, within six hours and some minutes.
    static let most = 12
    /// In ms.
    private static let (first, longest): (Int64, Int64) = (60_000, 3_600_000)

    /// A minute before the second time, then twice as long each time, an hour at most.
    ///
    /// - Parameter tries: how often it was begun, 1 or more.
    static func wait(after tries: Int) -> Int64 { min(longest, first << min(max(tries - 1, 0), 16)) }

    /// A condition on `announcementTries`, joined to what may have none: its time has come. A clock that was set back holds up nothing.
    ///
    /// - Parameter now: an expression in ms.
    static func isDue(at now: String) -> String {
        "(announcementTries.again IS NULL OR announcementTries.again <= \(now) OR announcementTries.again > \(now) + \(longest))"
    }

    /// Begins one, unless somebody else has.
    ///
    /// - Returns: which time it is, from 1.
    static func begin(_ attempt: Int64, at now: Int64, in database: Database) throws -> Int? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT attempts.sequence, announcementTries.tries FROM attempts
                    LEFT JOIN announcementTries ON announcementTries.attempt = attempts.sequence
                    WHERE attempts.sequence = ? AND \(isDue(at: "?"))
                        AND NOT EXISTS (SELECT 1 FROM recordAnnouncements WHERE attempt = attempts.sequence)
                    """), arguments: [attempt, now, now])
        guard let row else { return nil }
        let tries = (row["tries"] as Int? ?? 0) + 1
        try database.cachedStatement(
            sql: """
                INSERT INTO announcementTries (attempt, tries, again) VALUES (?, ?, ?)
                ON CONFLICT (attempt) DO UPDATE SET tries = excluded.tries, again = excluded.again
                """
        ).execute(arguments: [attempt, tries, now + wait(after: tries)])
        return tries
    }

    /// It was announced, or never will be.
    static func end(_ attempt: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM announcementTries WHERE attempt = ?").execute(
            arguments: [attempt])
    }
}
