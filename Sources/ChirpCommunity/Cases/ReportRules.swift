/// How often somebody may report, and which reports hide something until a moderator has looked (LF-6).
///
/// An item is hidden by one report. A post is hidden by several: one hides nothing by itself, unless it is a moderator's or comes from somebody whose last report was right: otherwise
/// everybody could take anybody's post away for a day. Several do. Who has been wrong three times running, and who has just come,
/// does not count; such reports still reach the queue. What was judged right is not hidden again for the same reason.
package struct ReportRules: Hashable, Sendable {
    /// The time between two reports of a person, in seconds.
    package var pause = 300.0
    /// The most that a person reports within 24 hours.
    package var perDay = 20.0
    /// Multiplies both, as ``RateLimits`` does.
    package var scale = 1.0
    /// How many people hide a post.
    package var several = 2
    /// For how long at most, in seconds: then it returns by itself, and the case goes on.
    package var hiddenFor = 24 * 3600.0
    /// How old an account must be to count, in seconds.
    package var newFor = 24 * 3600.0

    package init() {}

    /// Seconds until a person may report again; nil: now.
    ///
    /// - Parameter before: the instants of the person's reports within the last 24 hours, newest first, in ms.
    package func wait(after before: [Int64], at now: Int64) -> Int? {
        let pause = Int64(clamping: (pause * 1000 / scale).rounded(.up))
        let most = max(1, Int(clamping: (perDay * scale).rounded(.down)))
        var free = now
        // What a clock that was set back has left in the future keeps nobody out.
        let before = before.filter { $0 <= now }
        if let newest = before.first { free = max(free, newest + pause) }
        if before.count >= most { free = max(free, before[most - 1] + 24 * 3_600_000) }
        guard free > now else { return nil }
        return Int(((free - now) + 999) / 1000)
    }

    /// What is known of somebody who reports.
    package struct Reporter: Hashable, Sendable {
        package var isModerator = false
        /// How old the account is, in seconds.
        package var age: Double
        /// Whether earlier reports were right, the newest first.
        package var verdicts: [Bool] = []

        package init(age: Double, verdicts: [Bool] = [], isModerator: Bool = false) {
            self.age = age
            self.verdicts = verdicts
            self.isModerator = isModerator
        }
    }

    /// Whether somebody's report counts.
    package func counts(_ reporter: Reporter) -> Bool {
        if reporter.isModerator { return true }
        return reporter.age >= newFor && !isDoubted(reporter)
    }

    /// Whether somebody was wrong three times running, so that her reports reach the queue and do nothing else.
    package func isDoubted(_ reporter: Reporter) -> Bool {
        !reporter.isModerator && reporter.verdicts.count >= 3 && !reporter.verdicts.prefix(3).contains(true)
    }

    /// Whether somebody's report hides an item.
    ///
    /// - Parameter isNews: its reason was not judged wrong before.
    package func hidesItem(_ reporter: Reporter, isNews: Bool) -> Bool { isNews && !isDoubted(reporter) }

    /// Whether the reports of a case hide what they are about.
    ///
    /// - Parameter isNews: the newest one's reason was not judged wrong before.
    package func hide(_ reporters: [Reporter], isNews: Bool) -> Bool {
        guard isNews else { return false }
        let counting = reporters.filter(counts)
        return counting.count >= several || counting.contains { $0.isModerator || $0.verdicts.first == true }
    }
}
