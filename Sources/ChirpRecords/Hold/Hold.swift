/// That an attempt was, or is, the best in some area.
package struct Hold: Hashable, Sendable {
    package let area: RecordArea
    /// ``Attempt/sequence``.
    package let attempt: Int64
    /// When the hub had received the attempt, and the one that beat it; in ms since 1970 in UTC. Nil: it holds.
    package let from: Int64
    package let until: Int64?

    package init(area: RecordArea, attempt: Int64, from: Int64, until: Int64?) {
        self.area = area
        self.attempt = attempt
        self.from = from
        self.until = until
    }

    /// Whole days of 24 hours, so that summer time and zones make no difference: how long it was held, or has been.
    ///
    /// - Parameter now: in ms.
    package func days(at now: Int64) -> Int { Int(max(0, (until ?? now) - from) / 86_400_000) }
}

/// As much of a verified attempt as decides who holds what.
package struct VerifiedAttempt: Hashable, Sendable {
    /// ``Attempt/sequence``.
    package let sequence: Int64
    package let score: Int64
    /// When the hub had all of it, in ms.
    package let received: Int64
    /// ``RecordPlace/areas(place:town:country:)``.
    package let areas: [RecordArea]

    package init(sequence: Int64, score: Int64, received: Int64, areas: [RecordArea]) {
        self.sequence = sequence
        self.score = score
        self.received = received
        self.areas = areas
    }
}

/// Who held what, made from the attempts that are verified, and from nothing else: whichever way they have come to be, the history is
/// the same (OU-19).
package enum HoldFold {
    /// - Parameters:
    ///   - attempts: verified ones at one rule, in any order.
    ///   - terms: say which of two scores is better.
    /// - Returns: in the order of areas, and of time in each.
    package static func holds(_ attempts: some Sequence<VerifiedAttempt>, _ terms: RuleTerms) -> [Hold] {
        let ordered = attempts.sorted { ($0.received, $0.sequence) < ($1.received, $1.sequence) }
        var runs: [RecordArea: [VerifiedAttempt]] = [:]
        for attempt in ordered {
            for area in attempt.areas { extend(&runs[area, default: []], by: attempt, terms) }
        }
        let levels = RecordLevel.allCases
        return runs.sorted { one, other in
            let (first, second) = (levels.firstIndex(of: one.key.level), levels.firstIndex(of: other.key.level))
            return (first ?? 0, one.key.key) < (second ?? 0, other.key.key)
        }.flatMap { area, run in HoldRun(area: area, entries: run, end: nil).holds }
    }

    /// Those of some attempts that have held one area, in the order of receipt.
    static func run(_ attempts: some Sequence<VerifiedAttempt>, _ terms: RuleTerms) -> [VerifiedAttempt] {
        attempts.sorted { ($0.received, $0.sequence) < ($1.received, $1.sequence) }.reduce(into: []) { run, attempt in
            extend(&run, by: attempt, terms)
        }
    }

    /// - Parameter attempt: was received after all of the run, or was begun after what was received with it.
    private static func extend(_ run: inout [VerifiedAttempt], by attempt: VerifiedAttempt, _ terms: RuleTerms) {
        if let holder = run.last {
            // What is as good comes later, and so does not hold.
            guard terms.beats(attempt.score, holder.score) else { return }
            // Both came within the same millisecond: the other has never held it.
            if holder.received == attempt.received { run.removeLast() }
        }
        run.append(attempt)
    }
}
