internal import ChirpCore
internal import FoundationEssentials
internal import GRDB

extension Accounts {
    /// Writes a letter down in the transaction of the act that it tells of, so that there is neither one without the other.
    ///
    /// - Parameters:
    ///   - id: where the letter's link was made from it.
    ///   - account: nil where it is told to an address and to nobody who is here.
    @discardableResult
    func put(
        _ letter: AccountLetter, id: String = Accounts.newLetterID(), for account: AccountID?, in database: Database
    ) throws -> AccountLetter {
        let now = Self.milliseconds(now())
        let data = String(decoding: try JSONEncoder().encode(letter.data), as: UTF8.self)
        try database.execute(
            sql: """
                INSERT INTO letters (id, cause, account, recipient, kind, data, state, next, created)
                VALUES (?, ?, ?, ?, ?, ?, 'waiting', ?, ?)
                """,
            arguments: [
                id, "\(letter.kind):\(id)", account, letter.recipient.text, letter.kind, data, now, now,
            ])
        return letter
    }

    /// Writes a letter down whose link is made from its id.
    func putLink(
        _ purpose: AccountLink.Purpose, account: AccountID, mail: MailAddress, in database: Database
    ) throws -> AccountLetter {
        let id = Self.newLetterID()
        let link = try link(
            purpose, account: account, mail: purpose == .confirm ? mail : nil, token: key.token(of: id), in: database)
        return try put(
            purpose == .confirm ? .confirm(mail, link) : .reset(mail, link), id: id, for: account, in: database)
    }

    /// Writes down nothing that is sent: who asks for a letter to an address without an account waits as long as for another.
    func putNothing(in database: Database) throws {
        let (id, now) = (Self.newLetterID(), Self.milliseconds(now()))
        try database.execute(
            sql: """
                INSERT INTO letters (id, cause, account, recipient, kind, data, state, next, created)
                VALUES (?, ?, NULL, '', 'nothing', '{}', 'dropped', ?, ?)
                """, arguments: [id, "nothing:\(id)", now, now])
    }

    /// 130 random bits.
    static func newLetterID() -> String { "\(RandomName(length: 26))" }
}
