internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb

/// All that a viewer sees of an attempt.
struct AttemptSight: Sendable {
    let attempt: Attempt
    let challenge: Challenge
    /// What it is judged by: the version of the rule that it was tried by.
    let rule: Rule
    let rulings: [Ruling]
    /// For its author and who may judge.
    let questions: [AttemptQuestion]
    /// What the viewer may decide; nil for a visitor, and for the author.
    let judging: AttemptJudging?
    /// In seconds: how long decisions have taken of late.
    let times: (median: Double, most: Double)?
    let votes: AttemptVotes

    var terms: RuleTerms { rule.terms }
    var score: String { terms.said(attempt.score) }

    /// Why it does not count, for whom that is told.
    var reasons: [String] {
        guard attempt.state == .rejected else { return [] }
        let last = rulings.last { $0.what == .reject }?.isAfterAppeal
        return rulings.filter { $0.what == .reject && $0.isAfterAppeal == last && !$0.why.isEmpty }.map { ruling in
            guard ruling.standing == .hub else { return ruling.why }
            return ruling.why == AttemptMediaWork.late
                ? word("attempt.hub.late") : word("attempt.hub.unusable", ["why": ruling.why])
        }
    }

    /// Whether its author can ask somebody else to look again (``AttemptStore/appeal(_:text:by:)``).
    var canAppeal: Bool {
        attempt.isOwn && attempt.state == .rejected && attempt.appeal == nil
            && !rulings.contains { $0.standing == .hub }
    }

    var canWithdraw: Bool {
        attempt.isOwn && (attempt.state == .verified || Attempt.State.open.contains(attempt.state))
    }
}

extension RecordDesk {
    /// - Throws: 404 for what is not there, and for what the viewer does not see.
    func sight(of id: HubID, for viewer: Viewer) async throws -> AttemptSight {
        guard let attempt = try await attempts.attempt(id, for: viewer),
            let challenge = try await challenge(of: attempt, for: viewer),
            let rule = try await rule(of: attempt, for: viewer)
        else { throw AttemptProblem(refusal: .notFound) }
        var (questions, judging): ([AttemptQuestion], AttemptJudging?) = ([], nil)
        if case .member(let account) = viewer {
            questions = try await attempts.questions(of: id, for: account)
            if !attempt.isOwn { judging = try await attempts.judging(id, by: account) }
        }
        return AttemptSight(
            attempt: attempt, challenge: challenge, rule: rule,
            rulings: try await attempts.rulings(of: id, for: viewer), questions: questions, judging: judging,
            times: attempt.state == .waiting ? try await attempts.decisionTimes() : nil,
            votes: try await attempts.votes(on: [id], for: viewer)[id] ?? AttemptVotes())
    }

    /// Nobody keeps attempts from moderators by blocking them: what everybody sees of the challenge they see too.
    private func challenge(of attempt: Attempt, for viewer: Viewer) async throws -> Challenge? {
        if let own = try await challenges.challenges([attempt.challenge], for: viewer).first { return own }
        return try await challenges.challenges([attempt.challenge], for: .visitor).first
    }

    /// What an attempt is judged by.
    func rule(of attempt: Attempt, for viewer: Viewer) async throws -> Rule? {
        var rules = try await challenges.rules(of: attempt.challenge, for: viewer)
        if rules.isEmpty { rules = try await challenges.rules(of: attempt.challenge, for: .visitor) }
        return rules.first { $0.id == attempt.rule }
    }
}
