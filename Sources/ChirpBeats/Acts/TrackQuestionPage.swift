internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb

/// What somebody is asked before it is done.
enum TrackQuestion {
    case withdraw(Track, reason: String)
    case close(Track)
    case publish(Track)

    var track: Track {
        switch self {
        case .withdraw(let track, _), .close(let track), .publish(let track): track
        }
    }
}

/// The page with such a question.
struct TrackQuestionPage {
    let question: TrackQuestion
    let faults: [TrackField: TrackFault]
    let layout: BeatLayout
    let links: HubLinks

    var html: HTML {
        let track = question.track
        return layout.form(
            title: texts.title, problem: fields([:]).summary(nil),
            content: """
                <p role="status"></p>
                <p><b dir="auto">\(track.item.title)</b></p>
                <p>\(texts.lead)</p>
                <form method="post" action="\(links.prefix)\(track.path)/\(texts.noun)"><input type="hidden" name="token" value="\(layout.token ?? "")">
                \(content)
                <p class="actions"><button class="main">\(texts.button)</button>
                <a class="quiet" href="\(links.prefix)\(track.path)">\(word("beat.keep"))</a></p></form>
                """)
    }

    private func fields(_ values: [TrackField: String]) -> FormFields<TrackField> {
        FormFields(style: "beat", value: { values[$0] ?? "" }, faults: faults.mapValues(\.sentence), label: \.label)
    }

    private var texts: (noun: String, title: String, lead: String, button: String) {
        switch question {
        case .withdraw:
            ("withdrawal", word("beat.withdraw"), word("beat.withdraw.lead"), word("beat.withdraw.send"))
        case .close: ("closure", word("beat.close"), word("beat.close.lead"), word("beat.close.send"))
        case .publish: ("publication", word("beat.publish"), word("beat.publish.lead"), word("beat.publish.send"))
        }
    }

    private var content: HTML {
        guard case .withdraw(_, let reason) = question else { return .nothing }
        let wrong: HTML =
            faults[.sure].map { " <span class=\"problem\" id=\"sure-problem\">\($0.sentence).</span>" } ?? .nothing
        let points: HTML =
            faults[.sure] == nil ? .nothing : " aria-describedby=\"sure-problem\" aria-invalid=\"true\""
        return """
            \(fields([.reason: reason]).lines(.reason, word("beat.field.reason"), hint: word("beat.hint.reason"), rows: 3))
            <p class="choice"><label for="sure"><input id="sure" name="sure" type="checkbox" value="yes"\(points)> \
            \(word("beat.withdraw.sure"))</label>\(wrong)</p>
            """
    }
}
