package import ChirpAccounts
internal import ChirpCore
package import FoundationEssentials
internal import GRDB

/// What somebody says of an attempt.
package enum AttemptVerdict: Hashable, Sendable {
    case verify
    /// Plain text, for its author.
    case reject(why: String)

    /// A reason as it is kept.
    static func plain(_ reason: String) throws(AttemptRefusal) -> String {
        let plain = PlainText.lines(reason, limit: Attempt.longestReason + 1)
        guard !plain.isEmpty else { throw .fields([.reason: .missing]) }
        guard plain.isWithin(Attempt.longestReason) else {
            throw .fields([.reason: .tooLong(most: Attempt.longestReason)])
        }
        return plain
    }
}

/// What has become of an attempt by a verdict.
package struct AttemptOutcome: Hashable, Sendable {
    /// Waiting still, when somebody else has to agree.
    package let state: Attempt.State
    /// Who holds something now that she did not before, and who no longer; by attempts.
    package let begun: Set<Hold>
    package let ended: Set<Hold>
}

/// A row of what was said, in which nobody is named but to who has said it.
package struct Ruling: Hashable, Sendable {
    package enum What: String, Hashable, Sendable, CaseIterable { case verify, reject }

    package enum Standing: String, Hashable, Sendable, CaseIterable {
        case verifier, moderator
        /// Its media could not be used.
        case hub
    }

    package let what: What
    package let standing: Standing
    /// Nil: the hub, whose account is gone, or anybody else than the viewer.
    package let by: AccountID?
    package let why: String
    package var isAfterAppeal = false
    package var at = Date(timeIntervalSince1970: 0)

    init(what: What, standing: Standing, by: AccountID?, why: String) {
        self.what = what
        self.standing = standing
        self.by = by
        self.why = why
    }

    func write(_ attempt: AttemptStanding, at now: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: "INSERT INTO verdicts (attempt, \"by\", standing, what, why, round, at) VALUES (?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [
            attempt.sequence, by, standing.rawValue, what.rawValue, why, attempt.round, now,
        ])
    }
}
