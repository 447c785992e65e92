internal import ChirpAccounts
internal import ChirpCore
package import FoundationEssentials

/// What a challenge is made of, by the names that forms and programs use.
package enum ChallengeField: String, Hashable, Sendable, CaseIterable {
    case title, text, category, language, pictures, clip, place
    case measure, unit, better, decimals, step, low, high, needs, invalid, begins, ends, grace
    /// A point, how exactly everybody may know it, and whether the challenge can be tried elsewhere.
    case at, precision, `where`
    /// Of acts: why, that it is meant, and which challenge it is the same as.
    case reason, sure, into
}

/// What is wrong with a field.
package enum ChallengeFault: Hashable, Sendable {
    case missing
    case tooLong(most: Int)
    case tooMany(most: Int)
    /// None of those that can be chosen, or none that goes with the measure.
    case unknown
    /// Not from the first to the second.
    case outside(Int64, Int64)
    /// There is nothing between the bounds.
    case backwards
    /// Nothing is less than nothing of it.
    case belowZero
    /// It is over before it was made.
    case past
    /// In seconds.
    case tooShort(least: Int)
    case tooLongTime(most: Int)
    /// A place that attempts have to be done at is known to everybody, exactly.
    case notExact
    /// Somebody has tried it there.
    case attempted
    /// No number, or one in a unit of something else, or with more places than count.
    case noNumber
    case noTime
    /// No place is called so here.
    case noPlace
    /// No latitude and longitude.
    case noPoint
    /// Not the setter's own, or not ready.
    case notYours
    /// In bytes.
    case tooLarge(most: Int)
    /// What was sent is no picture, or no recording; why, as a sentence without its full stop.
    case unusable(String)
    /// Files are taken by other hubs.
    case takenNowhere
    /// There is no such challenge.
    case noSuch
}

extension RuleTerms {
    /// In scores: no bound is farther from 0.
    package static let farthest: Int64 = 1_000_000_000_000
    /// In characters.
    package static let longestInvalid = 2000
    /// In seconds: an event, and the time after it.
    package static let shortestEvent = 60
    package static let longestEvent = 366 * 86_400
    package static let longestGrace = 7 * 86_400

    /// What is wrong, one fault for each field; none when attempts can be judged by it.
    package func faults(at now: Date) -> [ChallengeField: ChallengeFault] {
        var faults: [ChallengeField: ChallengeFault] = [:]
        if unit.measure != measure { faults[.unit] = .unknown }
        if !(0...measure.mostDecimals).contains(decimals) {
            faults[.decimals] = .outside(0, Int64(measure.mostDecimals))
        }
        let least = measure.goesBelowZero ? -Self.farthest : 0
        if !(least...Self.farthest).contains(low) {
            faults[.low] = low < 0 && least == 0 ? .belowZero : .outside(least, Self.farthest)
        }
        if !(least...Self.farthest).contains(high) {
            faults[.high] = .outside(least, Self.farthest)
        } else if faults[.low] == nil, high <= low {
            faults[.high] = .backwards
        }
        if !(1...Self.farthest).contains(step) {
            faults[.step] = .outside(1, Self.farthest)
        } else if faults[.low] == nil, faults[.high] == nil, !hasTwoScores {
            faults[.step] = .outside(1, high - low)
        }
        if !PlainText.lines(invalid, limit: Self.longestInvalid + 1).isWithin(Self.longestInvalid) {
            faults[.invalid] = .tooLong(most: Self.longestInvalid)
        }
        return faults.merging(event?.faults(at: now) ?? [:]) { first, _ in first }
    }

    /// Within the bounds lie two multiples of the step at least: of one alone nobody beats another.
    private var hasTwoScores: Bool {
        let remainder = low % step
        let first = remainder == 0 ? low : remainder > 0 ? low + (step - remainder) : low - remainder
        return first <= high - step
    }

    /// The same with words as they are kept.
    var cleaned: RuleTerms {
        var terms = self
        terms.invalid = PlainText.lines(invalid, limit: Self.longestInvalid + 1)
        return terms
    }
}

extension RuleTerms.Event {
    func faults(at now: Date) -> [ChallengeField: ChallengeFault] {
        var faults: [ChallengeField: ChallengeFault] = [:]
        let (first, last) = (Accounts.milliseconds(begins), Accounts.milliseconds(ends))
        let (shortest, longest) = (RuleTerms.shortestEvent, RuleTerms.longestEvent)
        // What is beyond the calendar of the tables is at its end.
        let (length, isTooLong) = last.subtractingReportingOverflow(first)
        if first >= last {
            faults[.ends] = .backwards
        } else if last <= Accounts.milliseconds(now) {
            faults[.ends] = .past
        } else if isTooLong || length > Int64(longest) * 1000 {
            faults[.ends] = .tooLongTime(most: longest)
        } else if length < Int64(shortest) * 1000 {
            faults[.ends] = .tooShort(least: shortest)
        } else if ends.timeIntervalSince(now) > 10 * Double(longest) {
            faults[.begins] = .tooLongTime(most: 10 * longest)
        }
        if !(0...RuleTerms.longestGrace).contains(grace) {
            faults[.grace] = .outside(0, Int64(RuleTerms.longestGrace))
        }
        return faults
    }
}
