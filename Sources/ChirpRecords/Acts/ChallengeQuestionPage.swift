internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb

/// What somebody is asked before it is done.
enum ChallengeQuestion {
    case withdraw(Challenge, reason: String)
    case close(Challenge)
    /// It is the same as another, of which the address was typed.
    case merge(Challenge, into: String)
    case part(Challenge)

    var challenge: Challenge {
        switch self {
        case .withdraw(let challenge, _), .close(let challenge), .merge(let challenge, _), .part(let challenge):
            challenge
        }
    }
}

/// The page with such a question.
struct ChallengeQuestionPage {
    let question: ChallengeQuestion
    let faults: [ChallengeField: ChallengeFault]
    let token: String
    let links: HubLinks

    var html: HTML {
        let challenge = question.challenge
        return RecordLayout(links: links, token: token).form(
            title: texts.title, problem: fields([:]).summary(nil),
            content: """
                <p role="status"></p>
                <p><b dir="auto">\(challenge.item.title)</b></p>
                <p>\(texts.lead)</p>
                <form method="post" action="\(links.prefix)\(challenge.path)/\(texts.noun)"><input type="hidden" name="token" value="\(token)">
                \(content)
                <p class="actions"><button class="main">\(texts.button)</button>
                <a class="quiet" href="\(links.prefix)\(challenge.path)">\(word("challenge.keep"))</a></p></form>
                """)
    }

    private func fields(_ values: [ChallengeField: String]) -> ChallengeFields {
        ChallengeFields(
            style: "challenge", value: { values[$0] ?? "" }, faults: faults.mapValues(\.sentence), label: \.label)
    }

    private var texts: (noun: String, title: String, lead: String, button: String) {
        switch question {
        case .withdraw:
            (
                "withdrawal", word("challenge.withdraw"), word("challenge.withdraw.lead"),
                word("challenge.withdraw.send")
            )
        case .close: ("closure", word("challenge.close"), word("challenge.close.lead"), word("challenge.close.send"))
        case .merge: ("merger", word("challenge.merge"), word("challenge.merge.lead"), word("challenge.merge.send"))
        case .part: ("parting", word("challenge.part"), word("challenge.part.lead"), word("challenge.part.send"))
        }
    }

    private var content: HTML {
        switch question {
        case .close, .part: return .nothing
        case .merge(_, let into):
            return fields([.into: into]).line(
                .into, word("challenge.field.into"), hint: word("challenge.hint.into"), most: 300, isRequired: true)
        case .withdraw(_, let reason):
            let wrong: HTML =
                faults[.sure].map { " <span class=\"problem\" id=\"sure-problem\">\($0.sentence).</span>" } ?? .nothing
            let points: HTML =
                faults[.sure] == nil ? .nothing : " aria-describedby=\"sure-problem\" aria-invalid=\"true\""
            return """
                \(fields([.reason: reason]).lines(.reason, word("challenge.field.reason"), hint: word("challenge.hint.reason"), rows: 3))
                <p class="choice"><label for="sure"><input id="sure" name="sure" type="checkbox" value="yes"\(points)> \
                \(word("challenge.withdraw.sure"))</label>\(wrong)</p>
                """
        }
    }
}
