internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials

/// The page of an attempt: what was reached, how it stands, what shows it and what was found in that, and what the viewer can do.
struct AttemptPage {
    let sight: AttemptSight
    let media: AttemptShow
    let now: Date
    /// Why an act was refused, which one, and what was typed for it.
    let problem: AttemptProblem?
    let act: String
    let typed: String
    let token: String?
    let links: HubLinks

    private var attempt: Attempt { sight.attempt }
    private var path: String { "\(links.prefix)\(attempt.path)" }

    var html: HTML {
        RecordLayout(links: links, token: token, words: ["attempt.script.", "player."]).page(
            title: title, head: attempt.state == .verified ? .nothing : RecordLayout.unlisted,
            body: """
                <article class="attempt attempt-\(attempt.state.rawValue)">
                <p class="byline"><a href="\(links.prefix)\(sight.challenge.path)" dir="auto">\(sight.challenge.item.title)</a>\
                \(version)</p>
                <h1>\(HTML.word("attempt.heading", ["score": "<span>\(sight.score)</span>", "who": who]))</h1>
                \(state)\(media.html(links))\(said)\(MediaFindings(sight: sight, media: media).html)\(facts)\
                \(votes)\(asked)\(judging)\(own)
                </article>
                """)
    }

    private var title: String {
        word("attempt.title", ["score": sight.score, "title": sight.challenge.item.title])
    }

    private var version: HTML {
        sight.challenge.rule.id == attempt.rule
            ? .nothing : " · \(word("attempt.version", ["version": "\(attempt.version)"]))"
    }

    private var who: HTML {
        guard let person = attempt.person else { return "\(word("attempt.somebody"))" }
        return "<a href=\"\(links.prefix)/@\(person.handle)\"><bdi>\(person.name)</bdi></a>"
    }

    private var state: HTML {
        var lines: [HTML] = ["<p><strong>\(attempt.state.name)</strong> \(attempt.state.meaning)</p>"]
        for reason in sight.reasons {
            let text = HTML(joining: reason.split(separator: "\n").map { "\(String($0))" as HTML }, separator: "<br>")
            lines.append("<p dir=\"auto\">\(word("attempt.reason")) <q>\(text)</q></p>")
        }
        if let appeal = attempt.appeal {
            lines.append("<p dir=\"auto\">\(word("attempt.appealed")) <q>\(appeal)</q></p>")
        }
        if attempt.state == .waiting {
            let verifications = sight.rulings.count { !$0.isAfterAppeal && $0.standing == .verifier }
            if verifications > 0 { lines.append("<p>\(word("attempt.voices", count: verifications))</p>") }
            if let times = sight.times { lines.append("<p>\(Self.told(times))</p>") }
        }
        return "<div class=\"attempt-note\">\(HTML(joining: lines))</div>"
    }

    /// How long decisions have taken of late.
    static func told(_ times: (median: Double, most: Double)) -> String {
        word("attempt.times", ["median": Wording.spoken(times.median), "most": Wording.spoken(times.most)])
    }

    private var said: HTML { RecordWording.lines(attempt.text) }

    private func fact(_ name: String, _ value: HTML) -> HTML { "<div><dt>\(name)</dt><dd>\(value)</dd></div>" }

    private var facts: HTML {
        var facts = [fact(word("attempt.fact.done"), Wording.time(attempt.done))]
        if let received = attempt.received {
            facts.append(fact(word("attempt.fact.received"), Wording.time(received)))
            if attempt.state == .waiting {
                facts.append(
                    fact(word("attempt.fact.waiting"), "\(Wording.spoken(max(0, now.timeIntervalSince(received))))"))
            }
        }
        if let decided = attempt.decided {
            facts.append(fact(word("attempt.fact.decided"), Wording.time(decided)))
            if let received = attempt.received, attempt.state != .withdrawn {
                facts.append(
                    fact(
                        word("attempt.fact.took"), "\(Wording.spoken(max(0, decided.timeIntervalSince(received))))"))
            }
        }
        if let place = attempt.place {
            let name = place.name.isEmpty ? place.townName : place.name
            facts.append(fact(word("attempt.fact.where"), "<bdi>\(name)</bdi>"))
        }
        if !attempt.media.isEmpty {
            facts.append(fact(word("attempt.fact.media"), "\(RuleTerms.Evidence.names(attempt.media))"))
        }
        return """
            <section class="facts" aria-labelledby="about"><h2 id="about">\(word("attempt.facts"))</h2>
            <dl>\(HTML(joining: facts, separator: "\n"))</dl></section>
            """
    }

    private var votes: HTML {
        AttemptVoteSection(attempt: attempt, votes: sight.votes, token: token, links: links).html
    }

    /// What those who judge wanted to know, and the answers.
    private var asked: HTML {
        guard !sight.questions.isEmpty else { return .nothing }
        let items = sight.questions.map { question -> HTML in
            let answer: HTML =
                if !question.answer.isEmpty {
                    "<p><b>\(word("attempt.answer"))</b></p>\(RecordWording.lines(question.answer))"
                } else if attempt.isOwn, attempt.state == .waiting {
                    form(
                        "answer", word("attempt.answer.send"), label: word("attempt.answer"),
                        hidden: "<input type=\"hidden\" name=\"question\" value=\"\("\(question.sequence)")\">",
                        id: "answer-\(question.sequence)")
                } else {
                    "<p>\(word("attempt.answer.none"))</p>"
                }
            let text: HTML =
                question.text.isEmpty
                ? "<p>\(word("attempt.question.removed"))</p>" : RecordWording.lines(question.text)
            return "<li>\(text)\(answer)</li>"
        }
        return """
            <section class="facts" aria-labelledby="questions"><h2 id="questions">\(word("attempt.questions"))</h2>
            <ul class="attempt-questions">\(HTML(joining: items))</ul></section>
            """
    }

    /// What somebody may decide who has nothing to do with it; and why she may not.
    private var judging: HTML {
        let content: HTML
        switch sight.judging {
        case nil: return .nothing
        case .refused(.involved(let tie))? where attempt.state == .waiting:
            content = "<p>\(tie.sentence).</p>"
        case .refused(.decidedAlready)? where attempt.state == .waiting:
            content = "<p>\(word("attempt.judge.waits"))</p>"
        case .refused?: return .nothing
        case .may(let standing)?:
            let verify: HTML =
                attempt.state == .waiting
                ? """
                <form method="post" action="\(path)/verification"><input type="hidden" name="token" value="\(token ?? "")">\
                <p><button class="main">\(word("attempt.verify"))</button></p></form>
                """ : .nothing
            let question = form("question", word("attempt.ask.send"), label: word("attempt.ask.what"))
            let ask: HTML =
                attempt.state == .waiting
                ? "<details><summary>\(word("attempt.ask"))</summary>\(question)</details>" : .nothing
            content = """
                <p>\(standing == .moderator ? word("attempt.judge.alone") : word("attempt.judge.two"))</p>
                \(checks)\(verify)\
                <details\(act == "rejection" ? " open" : .nothing)><summary>\(word("attempt.reject"))</summary>\
                \(form("rejection", word("attempt.reject.send"), label: word("attempt.reject.why")))</details>\(ask)
                """
        }
        return """
            <section class="facts" aria-labelledby="judging"><h2 id="judging">\(word("attempt.judge"))</h2>
            \(content)</section>
            """
    }

    /// What to look for: what the rule says makes it invalid, beside the evidence.
    private var checks: HTML {
        guard !sight.terms.invalid.isEmpty else { return .nothing }
        return "<p><b>\(word("try.invalid"))</b></p>\(RecordWording.lines(sight.terms.invalid))"
    }

    private var own: HTML {
        var acts: [HTML] = []
        if sight.canAppeal {
            let appeal = form("appeal", word("attempt.appeal"), label: word("attempt.appeal.why"))
            acts.append("<p>\(word("attempt.appeal.what"))</p>\(appeal)")
        }
        if sight.canWithdraw {
            acts.append(
                """
                <details><summary>\(word("attempt.withdraw"))</summary><p>\(word("attempt.withdraw.what"))</p>
                <form method="post" action="\(path)/withdrawal"><input type="hidden" name="token" value="\(token ?? "")">\
                <p><button class="act">\(word("attempt.withdraw.sure"))</button></p></form></details>
                """)
        }
        let isOver = attempt.state == .rejected || attempt.state == .withdrawn
        if attempt.isOwn, isOver, sight.challenge.item.state == .open {
            acts.append(way(sight.challenge.tryPath, word("attempt.once-more")))
        }
        if !attempt.isOwn { acts.append(way("/report/items/\(attempt.id.text)", word("attempt.report"))) }
        return acts.isEmpty ? .nothing : "<div class=\"attempt-acts\">\(HTML(joining: acts, separator: "\n"))</div>"
    }

    private func way(_ path: String, _ name: String) -> HTML {
        "<p><a class=\"act\" href=\"\(links.prefix)\(path)\">\(name)</a></p>"
    }

    /// A form with one text.
    private func form(
        _ noun: String, _ button: String, label: String, hidden: HTML = .nothing, id: String? = nil
    ) -> HTML {
        let id = id ?? "\(noun)-text"
        let isWrong = act == noun && problem != nil
        let fault = isWrong ? problem?.faults[.reason] ?? problem?.sentence : nil
        let beside: HTML =
            fault.map { "<span class=\"problem\" id=\"\(id)-problem\" role=\"alert\">\($0).</span>" } ?? .nothing
        let points: HTML =
            fault == nil ? .nothing : " aria-describedby=\"\(id)-problem\" aria-invalid=\"true\""
        return """
            <form class="post" method="post" action="\(path)/\(noun)"><input type="hidden" name="token" value="\(token ?? "")">\(hidden)\
            <p class="field"><label for="\(id)">\(label)</label>\(beside)
            <textarea id="\(id)" name="reason" rows="3" dir="auto" required maxlength="\(Attempt.longestReason)"\(points)>\
            \(isWrong ? typed : "")</textarea></p><p><button class="act">\(button)</button></p></form>
            """
    }
}
