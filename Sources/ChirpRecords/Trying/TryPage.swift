internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpMusic
internal import ChirpWeb
internal import FoundationEssentials

/// Where somebody tries a challenge: the code, the tones, the recorder, and the form that hands it in.
struct TryPage {
    let challenge: Challenge
    /// Nil where nothing is tried any more.
    let code: TryCode?
    let form: HandInForm
    let problem: AttemptProblem?
    /// One of hers at this rule that is not decided.
    let open: Attempt?
    let now: Date
    let takesFilms: Bool
    /// Whether the code is read aloud here.
    let isSpoken: Bool
    let token: String?
    /// Whose page it is: what waits in her browser is sent as nobody else's.
    let person: String
    let links: HubLinks

    private var terms: RuleTerms { challenge.rule.terms }
    private var path: String { "\(links.prefix)\(challenge.path)" }
    private var fields: FormFields<AttemptField> {
        FormFields(
            style: "attempt", value: { form[$0] }, faults: problem?.faults ?? [:], label: \.label)
    }

    var html: HTML {
        RecordLayout(
            links: links, token: token, facts: ["person": person], words: ["attempt.script."]
        ).page(
            title: word("try.title", ["title": challenge.item.title]), head: RecordLayout.unlisted,
            body: """
                <article class="try form"><p class="byline"><a href="\(path)" dir="auto">\(challenge.item.title)</a></p>
                <h1>\(word("try.heading"))</h1>
                <div role="alert" class="problem" id="problem">\(problemText)</div>
                \(rule)\(content)</article>
                """)
    }

    private var problemText: HTML {
        guard let problem else { return .nothing }
        let faults = problem.faults
        return fields.summary(faults.isEmpty ? problem.sentence : nil)
    }

    private var content: HTML {
        if let ended = closed { return "<p class=\"attempt-note\">\(ended)</p>" }
        if let open, problem == nil {
            return """
                <p class="attempt-note">\(word("try.open"))</p>
                <p class="actions"><a class="main" href="\(links.prefix)\(open.path)">\(word("try.open.go"))</a></p>
                """
        }
        guard let code else { return .nothing }
        return "\(steps(code))\(recorder(code))\(handIn)"
    }

    /// Why nothing is taken now; nil: something is.
    private var closed: String? {
        guard challenge.item.state == .open else { return word("attempt.refused.ended") }
        guard let event = terms.event else { return nil }
        if now < event.begins { return word("attempt.refused.not-begun", ["time": Wording.instant(event.begins)]) }
        return now > event.closing ? word("attempt.refused.over", ["time": Wording.instant(event.closing)]) : nil
    }

    private var bounds: String {
        word("try.between", ["low": terms.said(terms.low), "high": terms.said(terms.high)])
    }

    /// What is to be done, and what would not count: in the same place as what is done.
    private var rule: HTML {
        var lines: [HTML] = [
            "<p><strong>\(terms.better == .more ? word("try.more") : word("try.less"))</strong> \(bounds)</p>"
        ]
        if !terms.needs.isEmpty {
            lines.append("<p>\(word("try.needs", ["what": RuleTerms.Evidence.names(terms.needs)]))</p>")
        }
        if terms.place == .here { lines.append("<p>\(word("try.here"))</p>") }
        if let event = terms.event {
            let times = ["begins": Wording.time(event.begins), "ends": Wording.time(event.ends)]
            lines.append("<p>\(HTML.word("try.event", times))</p>")
        }
        if !terms.invalid.isEmpty {
            let text = terms.invalid.split(separator: "\n").map { line -> HTML in "\(String(line))" }
            lines.append(
                "<p dir=\"auto\"><b>\(word("try.invalid"))</b> \(HTML(joining: text, separator: "<br>"))</p>")
        }
        return """
            <section class="facts" aria-labelledby="try-rule"><h2 id="try-rule">\(word("try.rule"))</h2>
            \(HTML(joining: lines))</section>
            """
    }

    private func steps(_ code: TryCode) -> HTML {
        let digits = code.code.digits.map { "\($0)" }.joined(separator: " ")
        let said = code.code.said
        let tones = "\(links.prefix)\(RecordDesk.path)/tries/\(code.id.text)"
        return """
            <section class="try-code" aria-labelledby="try-code"><h2 id="try-code">\(word("try.code"))</h2>
            <p class="try-digits"><strong aria-label="\(said)">\(digits)</strong></p>
            <p>\(word("try.say", ["words": said]))</p>
            <p data-plain>\(word("try.tones"))</p>
            <p class="actions" data-plain><a class="act" href="\(tones)/start.wav">\(word("try.tones.start"))</a> \
            <a class="act" href="\(tones)/stop.wav">\(word("try.tones.stop"))</a></p>
            <p class="hint">\(HTML.word("try.until", ["time": Wording.time(code.expires)]))</p></section>
            """
    }

    /// All of it is the script's: without it nothing of this is shown.
    private func recorder(_ code: TryCode) -> HTML {
        // Of pictures none is recorded.
        guard !terms.needs.contains(.picture) else { return .nothing }
        let needsNothing = terms.needs.isEmpty
        let sound: HTML =
            needsNothing || terms.needs.contains(.sound)
            ? "<button type=\"button\" class=\"main\" data-sound>\(word("try.record.sound"))</button>" : .nothing
        let film: HTML =
            takesFilms && (needsNothing || terms.needs.contains(.video))
            ? "<button type=\"button\" class=\"main\" data-film>\(word("try.record.film"))</button>" : .nothing
        return """
            <section class="try-recorder" aria-labelledby="try-record" hidden data-try \
            data-tones="\(links.prefix)\(RecordDesk.path)/tries/\(code.id.text)" data-expires="\(code.expires.formatted(.iso8601))" \
            data-counts="\(terms.measure == .time ? "time" : "")"\(takesFilms ? " data-untouched" : "")\(isSpoken ? " data-spoken" : "")>
            <h2 id="try-record">\(word("try.record"))</h2>
            <p>\(word("try.record.how"))</p>
            <div class="actions" data-begin>\(sound)\(film)</div>
            <div data-running hidden><video data-view muted playsinline hidden></video>
            <p class="try-count" data-count role="timer">3</p>
            <p class="actions"><button type="button" class="main" data-stop>\(word("try.stop"))</button></p></div>
            <div data-review hidden><div data-playback></div><div class="try-wave" data-wave hidden></div>
            <p class="field"><label for="trim-from">\(word("try.from"))</label>\
            <input type="range" id="trim-from" min="0" max="1" step="0.1" value="0"></p>
            <p class="field"><label for="trim-to">\(word("try.to"))</label>\
            <input type="range" id="trim-to" min="0" max="1" step="0.1" value="1"></p>
            <p class="try-fit" data-fit></p>
            <p class="actions"><button type="button" class="act" data-again>\(word("try.again"))</button></p></div>
            <p class="problem" data-trouble></p></section>
            """
    }

    private var handIn: HTML {
        let kept = [("clip", form.clip), ("film", form.film), ("picture", form.picture)].compactMap {
            name, id -> HTML? in
            id.map { id -> HTML in "<input type=\"hidden\" name=\"\(name)\" value=\"\(id.text)\">" }
        }
        let hint = word("try.score.hint", ["example": terms.said(terms.better == .more ? terms.high : terms.low)])
        return """
            <form class="attempt-form" method="post" action="\(links.prefix)\(challenge.tryPath)" \
            enctype="multipart/form-data" data-hand-in="\(links.prefix)\(RecordDesk.api)/\(challenge.id.text)/attempts" \
            data-title="\(challenge.item.title)"><input type="hidden" name="token" value="\(token ?? "")">\
            <input type="hidden" name="key" value="\(form.key)"><input type="hidden" name="version" value="\(form.version)">\
            <input type="hidden" name="code" value="\(form.code?.text ?? "")"><input type="hidden" name="offset" value="0">\
            \(HTML(joining: kept))
            <h2>\(word("try.hand-in"))</h2>
            \(file(isKept: !kept.isEmpty))
            \(fields.line(.score, scoreLabel, hint: hint, most: 60, isRequired: true, more: " inputmode=\"text\""))
            \(fields.line(.done, word("try.done"), hint: word("try.done.hint"), type: "datetime-local", more: " data-utc"))
            \(terms.place == .here ? .nothing : fields.line(.place, word("try.place"), hint: word("try.place.hint"), most: Attempt.longestPlace))
            \(fields.lines(.text, word("try.text"), rows: 3))
            <p role="status" data-sending></p>
            <p class="actions"><button class="main">\(word("try.send"))</button></p></form>
            """
    }

    private var scoreLabel: String {
        let unit = terms.unit.symbol
        return unit.isEmpty ? word("try.score") : word("try.score.unit", ["unit": unit])
    }

    /// A file that was made elsewhere; also where the script records.
    private func file(isKept: Bool) -> HTML {
        let needs = terms.needs
        let types = needs.contains(.video) ? "video/*" : takesFilms ? "audio/*,video/*" : "audio/*"
        let fault: HTML =
            problem?.faults[.media].map { "<span class=\"problem\" id=\"media-problem\">\($0).</span>" } ?? .nothing
        let points = problem?.faults[.media] == nil ? "media-hint" : "media-problem media-hint"
        let kept: HTML = isKept ? "<p class=\"attempt-note\">\(word("try.kept"))</p>" : .nothing
        let pictures: HTML =
            needs.contains(.picture)
            ? """
            <p class="field"><label for="picture">\(word("try.picture"))</label>
            <input id="picture" name="picture" type="file" accept="image/*"></p>
            """ : .nothing
        return """
            \(kept)<p class="field"><label for="media">\(word("try.file"))</label>\(fault)\
            <span class="hint" id="media-hint">\(word("try.file.hint", ["most": Wording.size(Int64(HandIn.mostFileBytes))]))</span>
            <input id="media" name="file" type="file" accept="\(types)" aria-describedby="\(points)"></p>\(pictures)
            """
    }
}
