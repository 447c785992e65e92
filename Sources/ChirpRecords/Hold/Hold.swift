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
            for area in attempt.areas {
                // What is as good comes later, and so does not hold.
                if let holder = runs[area]?.last {
                    guard terms.beats(attempt.score, holder.score) else { continue }
                    // Both came within the same millisecond: the other has never held it.
                    if holder.received == attempt.received { runs[area]?.removeLast() }
                }
                runs[area, default: []].append(attempt)
            }
        }
        let levels = RecordLevel.allCases
        return runs.sorted { one, other in
            let (first, second) = (levels.firstIndex(of: one.key.level), levels.firstIndex(of: other.key.level))
            return (first ?? 0, one.key.key) < (second ?? 0, other.key.key)
        }.flatMap { area, run in
            run.indices.map { index in
                Hold(
                    area: area, attempt: run[index].sequence, from: run[index].received,
                    until: index + 1 < run.count ? run[index + 1].received : nil)
            }
        }
    }
}
