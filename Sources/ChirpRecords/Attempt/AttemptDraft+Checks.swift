internal import ChirpAccounts
internal import ChirpCore
package import ChirpPlaces
package import FoundationEssentials

extension AttemptDraft {
    /// What is wrong, one fault for each field; none when it can be handed in.
    ///
    /// - Parameters:
    ///   - here: where the challenge is shown, for a rule that can be tried there alone.
    ///   - now: by the server's clock.
    package func faults(
        by terms: RuleTerms, here: GeoPoint? = nil, at now: Date
    ) -> [AttemptField: AttemptFault] {
        var faults: [AttemptField: AttemptFault] = [:]
        do throws(ScoreFault) { _ = try terms.score(typed: score) } catch { faults[.score] = .score(error) }
        if !PlainText.lines(text, limit: Attempt.longestText + 1).isWithin(Attempt.longestText) {
            faults[.text] = .tooLong(most: Attempt.longestText)
        }
        if let spot {
            if !spot.name.isWithin(Attempt.longestPlace) {
                faults[.place] = .tooLong(most: Attempt.longestPlace)
            } else if terms.place == .here, let here {
                let distance = spot.point.distance(to: here)
                if distance > Attempt.farthestFromPlace { faults[.place] = .elsewhere(metres: Int(clamping: distance)) }
            }
        }
        if !terms.needs.isSubset(of: media) { faults[.media] = .needs(terms.needs.subtracting(media)) }
        if done.timeIntervalSince(now) > Attempt.aheadOfTime {
            faults[.done] = .inFuture
        } else if now.timeIntervalSince(done) > Attempt.farthestPast {
            faults[.done] = .longAgo
        } else if let event = terms.event, done(at: now) < event.begins || done(at: now) > event.ends {
            faults[.done] = .outsideEvent(begins: event.begins, ends: event.ends)
        }
        return faults
    }

    /// When it was done, as it is kept: nothing is done after it was handed in, whatever the clock of its author shows.
    func done(at now: Date) -> Date { min(done, now) }
}

extension RuleTerms.Event {
    /// Nothing is taken before it begins, and what comes when the time after its end is over comes too late (OU-15).
    ///
    /// - Parameter instant: by the server's clock.
    package func check(_ instant: Date) throws(AttemptRefusal) {
        guard instant >= begins else { throw .notBegun(begins) }
        guard Accounts.milliseconds(instant) <= closes else { throw .over(Accounts.date(closes)) }
    }
}
