package import ChirpCore

/// From where somebody shows a password or a code.
package struct SignInOrigin: Sendable {
    /// Nil: from nowhere outside.
    let network: ClientNetwork?
    let knownBrowser: @Sendable (_ account: AccountID, _ epoch: Int64) -> KnownBrowser?

    /// Nobody asks from outside.
    package static let inside = SignInOrigin(network: nil) { _, _ in nil }

    /// - Parameter knownBrowser: the browser that asks, where this account has signed in there before, within the epoch of its known browsers.
    package init(
        network: ClientNetwork?,
        knownBrowser: @escaping @Sendable (_ account: AccountID, _ epoch: Int64) -> KnownBrowser?
    ) {
        (self.network, self.knownBrowser) = (network, knownBrowser)
    }
}

/// How often a password or a code may be wrong. Counted where they are compared, so on every way on which one is shown.
///
/// Whoever guesses is one of three. *Strangers* share a bucket for a name, from wherever they come, and one for a network. *A browser in
/// which this account has signed in before* has a bucket of its own, and all of them of one account share another: so strangers keep no
/// owner out, and whoever has signed in as somebody else is a stranger here. *A session that is asked for the password again* has a bucket
/// for its account. A name is counted and not the account that it finds, since two names that shared a bucket would say that they are one
/// person's; an account has two, its handle and its mail address.
///
/// Each is taken before the comparison and given back when it was right, so that many at once are not let in by the bucket that all of them
/// found full. By day there are fewer: 10 in a quarter of an hour for ever would find a code of six digits within months.
enum GuessLimits {
    private static let network = RateRule(20, per: quarter)
    private static let soon = RateRule(10, per: quarter)
    private static let daily = RateRule(100, per: day)
    private static let codesDaily = RateRule(50, per: day)
    private static let together = RateRule(30, per: quarter)
    private static let rightHourly = RateRule(60, per: 3600)
    private static let quarter = 15 * 60.0
    private static let day = 24 * 3600.0

    /// Of where somebody comes from who is a stranger there: many people can be behind one address, and each takes a place for as long as the
    /// comparison lasts.
    static func strangers(from origin: SignInOrigin) -> [RateBucket] {
        origin.network.map { [RateBucket("signin", network, by: .network($0))] } ?? []
    }

    static func passwords(_ name: SignInName, in browser: KnownBrowser?) -> [RateBucket] {
        if let browser {
            return [
                RateBucket("password-known", soon, by: .browser(browser)),
                RateBucket("password-known", together, by: .account(browser.account)),
                RateBucket("password-known-day", daily, by: .account(browser.account)),
            ]
        }
        return [
            RateBucket("password-name", soon, by: .name(name)), RateBucket("password-name-day", daily, by: .name(name)),
        ]
    }

    /// Of right passwords, each of which begins a session or asks for a code. Whoever has learned a password keeps its owner out of no browser in
    /// which the owner has signed in before.
    static func right(_ account: AccountID, in browser: KnownBrowser?) -> RateBucket {
        browser == nil
            ? RateBucket("password-right", rightHourly, by: .account(account))
            : RateBucket("password-right-known", rightHourly, by: .account(account))
    }

    /// Of whoever is signed in and asked again. Programs have buckets of their own: one that guesses keeps its person from confirming nothing.
    static func passwords(again account: AccountID, of program: Bool) -> [RateBucket] {
        if program {
            return [
                RateBucket("password-again-program", soon, by: .account(account)),
                RateBucket("password-again-program-day", daily, by: .account(account)),
            ]
        }
        return [
            RateBucket("password-again", soon, by: .account(account)),
            RateBucket("password-again-day", daily, by: .account(account)),
        ]
    }

    /// Codes are looked at behind the right password alone, so these buckets are the account's.
    static func codes(_ account: AccountID, in browser: KnownBrowser?) -> [RateBucket] {
        if let browser {
            return [
                RateBucket("code-known", soon, by: .browser(browser)),
                RateBucket("code-known", together, by: .account(account)),
                RateBucket("code-known-day", codesDaily, by: .account(account)),
            ]
        }
        return [
            RateBucket("code", soon, by: .account(account)), RateBucket("code-day", codesDaily, by: .account(account)),
        ]
    }

    /// Of an authenticator that is being added.
    static func newCodes(_ account: AccountID) -> [RateBucket] { [RateBucket("code-new", soon, by: .account(account))] }
}

extension Accounts {
    /// Does what may be a wrong guess, and counts it if it was one.
    ///
    /// - Parameters:
    ///   - buckets: who is counted.
    ///   - isWrong: whether an error says that the guess was wrong.
    /// - Throws: ``AccountError/tooOften(seconds:)`` without having done it, and what the act throws.
    func guessing<Done>(
        _ buckets: [RateBucket], isWrong: (AccountError) -> Bool,
        _ act: () async throws(AccountError) -> Done
    ) async throws(AccountError) -> Done {
        try await limits?.consume(buckets)
        do {
            let done = try await act()
            try await limits?.restore(buckets)
            return done
        } catch {
            if !isWrong(error) { try? await limits?.restore(buckets) }
            throw error
        }
    }

    /// Does what looks at a code, if one is shown, and counts it if it was wrong.
    func guessingCode<Done>(
        _ code: String?, of account: AccountID, from origin: SignInOrigin,
        _ act: () async throws(AccountError) -> Done
    ) async throws(AccountError) -> Done {
        guard let code, !code.isEmpty else { return try await act() }
        let browser = origin.knownBrowser(account, try await epoch(of: account))
        let buckets = GuessLimits.codes(account, in: browser)
        return try await guessing(
            browser == nil ? buckets + GuessLimits.strangers(from: origin) : buckets,
            isWrong: { $0 == .codeNeeded(wasWrong: true) }, act)
    }
}
