/// What becomes of a pledge: a pure function of the attempts at its rule, so that a rejection after all gives back what it would have been
/// without (OU-17, OU-19). No money is moved by it.
package enum StakeOutcome: Hashable, Sendable {
    /// Nobody has broken the record, and there is time.
    case open
    /// Time is over, but what came in time is not decided.
    case waiting
    /// To whom it would go; nothing is paid before that instant, in ms, and not while something else that waits or was rejected may
    /// come to change who wins: until then the attempt may be rejected, and what was rejected may be appealed.
    case frozen(attempt: Int64, until: Int64)
    case won(attempt: Int64)
    /// It goes back to the setter.
    case back

    /// As much of an attempt as decides it.
    package struct Try: Hashable, Sendable {
        package let attempt: VerifiedAttempt
        package let state: Attempt.State
        /// When it was verified or rejected, in ms.
        package let decided: Int64?
        /// Of the setter, by whichever account.
        package let isSetters: Bool

        package init(_ attempt: VerifiedAttempt, _ state: Attempt.State, decided: Int64?, isSetters: Bool = false) {
            self.attempt = attempt
            self.state = state
            self.decided = decided
            self.isSetters = isSetters
        }
    }

    /// - Parameters:
    ///   - tries: all that were received at the rule, in any order. Verified ones that have never held the world's record may be left out.
    ///   - made: when it was pledged, in ms.
    ///   - end: until when a record has to be broken, by receipt.
    package static func outcome(
        _ tries: some Sequence<Try>, _ terms: RuleTerms, from made: Int64, until end: Int64, at now: Int64
    ) -> StakeOutcome {
        let appealTime = Int64(clamping: Attempt.appealTime * 1000)
        let tries = Array(tries)
        let verified = tries.filter { $0.state == .verified }
        let winner = winner(verified, terms, made, end)
        // What may still come to count. One that was before all decides too: what was to be broken may turn out to be higher.
        let undecided = tries.filter { entry in
            switch entry.state {
            case .checking, .waiting: true
            case .rejected: entry.decided.map { now <= $0 + appealTime } ?? false
            case .receiving, .verified, .withdrawn: false
            }
        }
        func mayChange(_ entries: [Try]) -> Bool {
            self.winner(verified + entries, terms, made, end)?.attempt.sequence != winner?.attempt.sequence
        }
        let isSettled = !mayChange(undecided) && !undecided.contains { mayChange([$0]) }
        guard let winner else { return now <= end ? .open : isSettled ? .back : .waiting }
        let settled = winner.decided.map { $0 + appealTime }
        guard isSettled, let settled, now > settled else {
            return .frozen(attempt: winner.attempt.sequence, until: settled.map { max($0, now) } ?? now)
        }
        return .won(attempt: winner.attempt.sequence)
    }

    /// The first that took the world record from somebody in time, but for the setter's own.
    private static func winner(_ verified: [Try], _ terms: RuleTerms, _ made: Int64, _ end: Int64) -> Try? {
        let world = HoldFold.holds(verified.map(\.attempt), terms).filter { $0.area == .world }
        let breaking = world.dropFirst().filter { $0.from > made && $0.from <= end }
        let byNumber = Dictionary(verified.map { ($0.attempt.sequence, $0) }) { first, _ in first }
        return breaking.compactMap { byNumber[$0.attempt] }.first { !$0.isSetters }
    }
}
