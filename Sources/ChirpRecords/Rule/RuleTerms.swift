internal import ChirpAccounts
package import FoundationEssentials

/// What a rule says: all that decides whether an attempt counts, and which of two is better (OU-16).
///
/// Scores are whole numbers of the last place that counts: in metres with two places, 12.5 m is 1250. Nothing is ever rounded, so that a
/// record cannot change hands by a number that a machine cannot hold.
package struct RuleTerms: Hashable, Sendable {
    package var measure: Measure
    package var unit: ScoreUnit
    package var better: Better
    /// Places behind the point that count.
    package var decimals: Int
    /// In scores: what every score is a multiple of; 1: every number with so many places is one.
    package var step: Int64 = 1
    /// In scores: the least and the most that anybody believes.
    package var low: Int64
    package var high: Int64
    /// Without these nobody can judge an attempt.
    package var needs: Set<Evidence> = []
    /// What makes an attempt invalid; plain text, perhaps of several lines.
    package var invalid = ""
    package var place = PlaceRule.anywhere
    /// Nil: for ever.
    package var event: Event?

    package init(measure: Measure, unit: ScoreUnit, better: Better, decimals: Int, low: Int64, high: Int64) {
        self.measure = measure
        self.unit = unit
        self.better = better
        self.decimals = decimals
        self.low = low
        self.high = high
    }

    package enum Better: String, Hashable, Sendable, CaseIterable {
        case more, less
    }

    /// What comes with an attempt, for others to judge by.
    package enum Evidence: String, Hashable, Sendable, CaseIterable {
        case picture, sound, video
    }

    package enum PlaceRule: String, Hashable, Sendable, CaseIterable {
        case anywhere
        /// At the place of the challenge alone.
        case here
    }

    /// When attempts count (OU-15). By the server's clock; instants are whole milliseconds.
    package struct Event: Hashable, Sendable {
        package var begins: Date
        package var ends: Date
        /// So many seconds after its end what was done before may still be handed in.
        package var grace: Int

        package init(begins: Date, ends: Date, grace: Int) {
            self.begins = begins
            self.ends = ends
            self.grace = grace
        }

        /// Until when attempts are taken, in ms.
        package var closes: Int64 { Accounts.milliseconds(ends) + Int64(grace) * 1000 }
        var closing: Date { Accounts.date(closes) }
    }

    /// Whether one score beats another. Equal ones do not: then the earlier holds (OU-19).
    package func beats(_ score: Int64, _ other: Int64) -> Bool { better == .more ? score > other : score < other }
}

/// A rule as it stands: terms that never change. Other terms are another version, with records of its own.
package struct Rule: Hashable, Sendable, Identifiable {
    /// Its number among all rules.
    package let id: Int64
    /// From 1 on.
    package let version: Int
    package let terms: RuleTerms
    package let made: Date
    /// How many attempts there were at it, however they ended.
    package let attempts: Int
}
