internal import ChirpCore
internal import FoundationEssentials
package import GRDB

extension Accounts {
    /// Writes a letter down in the transaction of the act that it tells of, so that there is neither one without the other, and counts it
    /// there (``LetterLimits``).
    ///
    /// - Parameters:
    ///   - id: where the letter's link was made from it.
    ///   - account: nil where it is told to an address and to nobody who is here.
    ///   - asker: whose account has asked for it.
    /// - Throws: ``AccountError/tooOften(seconds:)``.
    @discardableResult
    func put(
        _ letter: AccountLetter, id: String = Accounts.newLetterID(), for account: AccountID?,
        by asker: AccountID? = nil, in database: Database
    ) throws -> AccountLetter {
        switch letter {
        case .confirm(let mail, _), .alreadyHere(let mail):
            try consume(LetterLimits.buckets(.address, to: mail, by: asker, from: network), in: database)
        case .reset(let mail, _):
            try consume(LetterLimits.buckets(.reset, to: mail, by: asker, from: network), in: database)
        case .changed:
            if let account { try consume(LetterLimits.buckets(ofChangeTo: account), in: database) }
        case .deleted, .decided, .noticed: break
        }
        return try putUncounted(letter, id: id, for: account, in: database)
    }

    /// The same for what follows from a link of a letter, which was counted when that one was written: nobody keeps from an owner what a link
    /// in the owner's mail does, or the news of it.
    @discardableResult
    func putUncounted(
        _ letter: AccountLetter, id: String = Accounts.newLetterID(), for account: AccountID?, in database: Database
    ) throws -> AccountLetter {
        try Self.put(letter, id: id, for: account, language: language, at: Self.milliseconds(now()), in: database)
    }

    /// Writes to somebody of a moderator's decision, within its transaction. Who has no mail address reads of it at the next visit.
    ///
    /// - Parameters:
    ///   - what: was decided, in a few words; nothing of who reported.
    ///   - now: in milliseconds since 1970.
    package static func tell(
        _ account: AccountID, ofDecision what: String, at now: Int64, in database: Database
    ) throws {
        guard let mail = try Self.account("id = ?", [account], in: database)?.mail else { return }
        try put(
            .decided(mail, what: what), id: newLetterID(), for: account,
            language: try language(of: account, in: database),
            at: now, in: database)
    }

    /// What somebody reads, as of the last sign-in.
    static func language(of account: AccountID, in database: Database) throws -> String {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT language FROM accounts WHERE id = ?"), arguments: [account]) ?? "en"
    }

    /// Writes a letter down that nobody has asked for: of a decision, or of a notice, which has a limit of its own.
    @discardableResult
    static func put(
        _ letter: AccountLetter, id: String, cause: String? = nil, for account: AccountID?, language: String,
        at now: Int64, in database: Database
    ) throws -> AccountLetter {
        let data = String(decoding: try JSONEncoder().encode(letter.data), as: UTF8.self)
        try database.cachedStatement(
            sql: """
                INSERT INTO letters (id, cause, account, recipient, kind, data, language, state, next, created)
                VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting', ?, ?)
                """
        ).execute(arguments: [
            id, cause ?? "\(letter.kind):\(id)", account, letter.recipient.text, letter.kind, data, language, now,
            now,
        ])
        return letter
    }

    /// Writes a letter down whose link is made from its id.
    func putLink(
        _ purpose: AccountLink.Purpose, account: AccountID, mail: MailAddress, by asker: AccountID? = nil,
        in database: Database
    ) throws -> AccountLetter {
        let id = Self.newLetterID()
        let link = try link(
            purpose, account: account, mail: purpose == .confirm ? mail : nil, token: key.token(of: id), in: database)
        return try put(
            purpose == .confirm ? .confirm(mail, link) : .reset(mail, link), id: id, for: account, by: asker,
            in: database)
    }

    /// Writes down nothing that is sent, and counts it: who asks for a letter to an address that gets none waits as long as for another, is
    /// refused as soon, and what is sent finds as much to do.
    func putNothing(
        _ purpose: LetterLimits.Purpose, to mail: MailAddress, by asker: AccountID? = nil, in database: Database
    ) throws {
        try consume(LetterLimits.buckets(purpose, to: mail, by: asker, from: network), in: database)
        let (id, now) = (Self.newLetterID(), Self.milliseconds(now()))
        try database.cachedStatement(
            sql: """
                INSERT INTO letters (id, cause, account, recipient, kind, data, state, next, created)
                VALUES (?, ?, NULL, '', 'nothing', '{}', 'waiting', ?, ?)
                """
        ).execute(arguments: [id, "nothing:\(id)", now, now])
    }

    /// 130 random bits.
    static func newLetterID() -> String { "\(RandomName(length: 26))" }
}
