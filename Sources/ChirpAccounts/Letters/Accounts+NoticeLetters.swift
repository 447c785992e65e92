package import GRDB

extension Accounts {
    /// The most letters about notices that an account gets in ``noticeDay``: what strangers do must not fill a mailbox.
    package static let mostNoticeLetters = 20
    /// The time of ``mostNoticeLetters``, in milliseconds.
    private static let noticeDay: Int64 = 24 * 3600 * 1000

    /// Writes to somebody of a notice, within its transaction: once for its cause, and only where the mail address is confirmed.
    ///
    /// - Parameters:
    ///   - kind: by its name in the table of notices.
    ///   - actor: the handle of who did it.
    ///   - path: where it is to be seen, without what links begin with.
    ///   - cause: what it came of.
    ///   - now: in milliseconds since 1970.
    package static func tell(
        _ account: AccountID, ofNotice kind: String, by actor: String, at path: String, cause: String, now: Int64,
        in database: Database
    ) throws {
        guard let person = try Self.account("id = ?", [account], in: database), person.state == .active,
            let mail = person.mail
        else { return }
        let name = "notice:\(account):\(cause)"
        let isWritten = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM letters WHERE cause = ?"), arguments: [name])
        let count = try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT COUNT(*) FROM letters WHERE account = ? AND kind = 'noticed' AND created > ?"),
            arguments: [account, now - noticeDay])
        guard isWritten != true, count ?? 0 < mostNoticeLetters else { return }
        try put(
            .noticed(mail, kind: kind, actor: actor, path: path), id: newLetterID(), cause: name, for: account,
            language: try language(of: account, in: database), at: now, in: database)
    }
}
