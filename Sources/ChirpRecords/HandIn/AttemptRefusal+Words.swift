internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import HTTPTypes

extension AttemptFault {
    /// As people read it, without its full stop.
    func sentence(_ terms: RuleTerms?) -> String {
        switch self {
        case .score(let fault): terms.map(fault.sentence) ?? word("challenge.score.unclear")
        case .missing: word("attempt.fault.missing")
        case .tooLong(let most): word("attempt.fault.long", ["most": "\(most)"])
        case .inFuture: word("attempt.fault.future")
        case .longAgo: word("attempt.fault.past")
        case .outsideEvent(let begins, let ends):
            word("attempt.fault.event", ["begins": Wording.instant(begins), "ends": Wording.instant(ends)])
        case .needs(let kinds): word("attempt.fault.needs", ["what": RuleTerms.Evidence.names(kinds)])
        case .elsewhere(let metres): word("attempt.fault.elsewhere", ["metres": "\(metres)"])
        }
    }
}

extension RuleTerms.Evidence {
    /// Several of them in a sentence.
    static func names(_ kinds: Set<Self>) -> String {
        allCases.filter(kinds.contains).map(\.name).joined(separator: ", ")
    }
}

extension Involvement.Tie {
    /// Why somebody decides nothing about an attempt, without its full stop.
    var sentence: String {
        switch self {
        case .author: word("attempt.involved.author")
        case .setter: word("attempt.involved.setter")
        case .holder: word("attempt.involved.holder")
        case .rival: word("attempt.involved.rival")
        case .stake: word("attempt.involved.stake")
        case .decided: word("attempt.involved.decided")
        }
    }
}

/// What was not done about an attempt, with what its sentences need.
struct AttemptProblem: BoardRefusal {
    let refusal: AttemptRefusal
    /// Of the rule; nil: not known.
    var terms: RuleTerms?
    /// What is wrong beside the rule's own: a file that cannot be used, a place that nobody knows. Sentences without their full stop.
    var others: [AttemptField: String] = [:]

    var faults: [AttemptField: String] {
        guard case .fields(let faults) = refusal else { return others }
        return faults.mapValues { $0.sentence(terms) }.merging(others) { _, other in other }
    }

    var wrong: [String: String] { Dictionary(uniqueKeysWithValues: faults.map { ($0.key.rawValue, $0.value) }) }

    var sentence: String {
        switch refusal {
        case .fields: word("attempt.refused.fields")
        case .notFound: word("attempt.refused.nothing")
        case .noAccount: word("attempt.refused.inactive")
        case .ended: word("attempt.refused.ended")
        case .changed: word("attempt.refused.changed")
        case .notBegun(let begins): word("attempt.refused.not-begun", ["time": Wording.instant(begins)])
        case .over(let ended): word("attempt.refused.over", ["time": Wording.instant(ended)])
        case .already: word("attempt.refused.already")
        case .tooOften: word("attempt.refused.often")
        case .state(let state): word("attempt.refused.state", ["state": state.name])
        case .notAllowed: word("attempt.refused.not-allowed")
        case .involved(let tie): tie.sentence
        case .decidedAlready: word("attempt.refused.decided")
        case .noAppeal: word("attempt.refused.no-appeal")
        case .library: word("attempt.refused.inside")
        }
    }

    var status: HTTPResponse.Status {
        switch refusal {
        case .fields: .unprocessableContent
        case .notFound: .notFound
        case .noAccount, .notAllowed, .involved: .forbidden
        case .ended, .changed, .notBegun, .over, .already, .state, .decidedAlready, .noAppeal: .conflict
        case .tooOften: .tooManyRequests
        case .library(let error): error.status
        }
    }

    var wait: Int? {
        guard case .tooOften(let seconds) = refusal else { return nil }
        return seconds
    }
}

extension Attempt.State {
    /// What happens next, in a sentence.
    var meaning: String {
        switch self {
        case .receiving: word("attempt.meaning.receiving")
        case .checking: word("attempt.meaning.checking")
        case .waiting: word("attempt.meaning.waiting")
        case .verified: word("attempt.meaning.verified")
        case .rejected: word("attempt.meaning.rejected")
        case .withdrawn: word("attempt.meaning.withdrawn")
        }
    }
}

extension AttemptField {
    /// What it is called where it is told what is wrong with it.
    var label: String {
        switch self {
        case .score: word("attempt.field.score")
        case .text: word("attempt.field.text")
        case .done: word("attempt.field.done")
        case .media: word("attempt.field.media")
        case .place: word("attempt.field.place")
        case .key: word("attempt.field.key")
        case .reason: word("attempt.field.reason")
        }
    }
}
