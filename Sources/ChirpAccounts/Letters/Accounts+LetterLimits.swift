internal import ChirpCore
internal import GRDB

/// How often letters are written in the hub's name because somebody asks for them. Counted where they are written down, in that
/// transaction: an act that may not write its letter does not happen, and no route can forget to count.
///
/// What is refused depends on what was asked for and never on who has an account: a letter to an unknown address counts too
/// (``Accounts/putNothing(_:to:by:in:)``). Letters of resets and those that confirm an address have buckets of their own, so that nobody
/// who signs up with the address of another keeps from them the letter that sets a password; whoever asks for that one too often has
/// sent its link as often, and each works for half an hour.
enum LetterLimits {
    /// Why a letter goes to an address that somebody types.
    enum Purpose {
        /// To confirm it, or to say that it has an account.
        case address
        case reset
    }

    private static let hour = 3600.0
    private static let day = 24 * hour

    /// The buckets of a letter.
    ///
    /// - Parameters:
    ///   - asker: whose account has asked for it; nil: nobody was signed in.
    ///   - network: from where; nil: from nowhere outside.
    static func buckets(
        _ purpose: Purpose, to mail: MailAddress, by asker: AccountID?, from network: ClientNetwork?
    ) -> [RateBucket] {
        var buckets: [RateBucket]
        switch purpose {
        case .address:
            buckets = [
                RateBucket("letter", RateRule(5, per: hour), by: .recipient(mail)),
                RateBucket("letter-day", RateRule(10, per: day), by: .recipient(mail)),
            ]
        case .reset: buckets = [RateBucket("letter-reset", RateRule(5, per: hour), by: .recipient(mail))]
        }
        if let asker {
            buckets.append(RateBucket("letter", RateRule(5, per: hour), by: .account(asker)))
            buckets.append(RateBucket("letter-day", RateRule(10, per: day), by: .account(asker)))
        }
        if let network {
            buckets.append(RateBucket("letter", RateRule(15, per: hour), by: .network(network)))
            buckets.append(RateBucket("letter-day", RateRule(60, per: day), by: .network(network)))
        }
        return buckets
    }

    /// The buckets of a letter that tells of a change to an account. It is never left out; the change is refused instead.
    static func buckets(ofChangeTo account: AccountID) -> [RateBucket] {
        [RateBucket("letter-change", RateRule(20, per: day), by: .account(account))]
    }
}

extension Accounts {
    /// Counts a letter that is about to be written down.
    ///
    /// - Throws: ``AccountError/tooOften(seconds:)``.
    func consume(_ buckets: [RateBucket], in database: Database) throws {
        if let seconds = try letterBuckets.consume(buckets, at: Self.milliseconds(now()), in: database) {
            throw AccountError.tooOften(seconds: seconds)
        }
    }

    /// Forgets whom no letters are counted for any more.
    func sweepLetterBuckets(in database: Database) throws {
        try letterBuckets.sweep(at: Self.milliseconds(now()), in: database)
    }

    private var letterBuckets: BucketTable {
        BucketTable(name: "letterBuckets", scale: limits?.scale ?? 1, kept: key.digest(ofBucket:))
    }
}
