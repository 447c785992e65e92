internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpMap
internal import ChirpWeb
internal import FoundationEssentials

/// The page of a challenge.
struct ChallengePageView {
    let challenge: Challenge
    /// The version that is shown, and all there are.
    let rule: Rule
    let rules: [Rule]
    let holders: [RecordSpan]
    /// Whose history is drawn.
    let area: RecordArea
    let history: [RecordSpan]
    let attempts: [Attempt]
    /// There are others.
    let hasMore: Bool
    /// What the viewer has put to it.
    let marks: Set<ItemMark>
    let transcript: ClipTranscript?
    /// The challenge that it is the same as.
    let target: Challenge?
    let map: HTML
    let film: HubID?
    let votes: HTML
    let comments: HTML
    /// What other parts of the board give.
    let parts: [(place: ChallengePart.Place, html: HTML)]
    let view: ChallengeView
    let ground: MapGround
    let now: Date
    let links: HubLinks

    private var item: Item { challenge.item }
    private var terms: RuleTerms { rule.terms }
    private var isOpen: Bool { item.state == .open }
    private var isNewest: Bool { rule.version == challenge.rule.version }

    var html: HTML {
        RecordLayout(links: links, token: view.token, ground: map.text.isEmpty ? nil : ground).page(
            title: item.title, head: head,
            body: """
                <article class="challenge">
                <p class="byline"><span class="challenge-category">\(challenge.categoryName)</span> · \
                <a href="\(links.prefix)/@\(item.author.handle)"><bdi>\(item.author.name)</bdi></a> · \
                \(RecordWording.ago(item.created, now: now))</p>
                <h1 dir="auto">\(item.title)</h1>
                \(state)\(pictures)\(voice)\(RecordWording.lines(item.text, language: item.language))
                \(HTML(joining: [acts, ruleSection, records, historySection, tried, places], separator: "\n"))
                \(HTML(joining: parts.filter { $0.place == .section }.map(\.html), separator: "\n"))
                \(votes)\(comments)\(management)
                </article>
                """)
    }

    /// Others may quote it; what is not open is in no search engine.
    private var head: HTML {
        let robots: HTML =
            isOpen && !item.isHidden && isNewest ? .nothing : "<meta name=\"robots\" content=\"noindex\">"
        let picture: HTML =
            item.pictures.first.map {
                "\n<meta property=\"og:image\" content=\"\(links.picture($0, .medium))\">"
            } ?? .nothing
        return """
            <link rel="canonical" href="\(links.publicURL)\(challenge.path)">
            <meta property="og:title" content="\(item.title)">
            <meta property="og:description" content="\(String(item.text.prefix(200)))">
            <meta property="og:url" content="\(links.publicURL)\(challenge.path)">\(picture)\(robots)
            """
    }

    private var state: HTML {
        var lines: [HTML] = []
        if item.isHidden { lines.append("\(word("challenge.state.hidden"))") }
        if item.isFrozen { lines.append("\(word("challenge.state.frozen"))") }
        let time = item.ended.map(Wording.time) ?? .nothing
        switch item.state {
        case .open: break
        case .draft: lines.append("\(word("challenge.state.draft"))")
        case .settled:
            if let target {
                let way: HTML = "<a href=\"\(links.prefix)\(target.path)\" dir=\"auto\">\(target.item.title)</a>"
                lines.append(.word("challenge.state.merged", ["other": way]))
            } else {
                lines.append(.word("challenge.state.closed", ["time": time]))
            }
        case .expired: lines.append(.word("challenge.state.over", ["time": time]))
        case .withdrawn:
            lines.append(
                .word("challenge.state.withdrawn", ["time": time, "why": "<q dir=\"auto\">\(item.reason)</q>"]))
        }
        if !isNewest {
            lines.append(
                .word(
                    "challenge.state.older",
                    [
                        "version": "\(rule.version)",
                        "newest": "<a href=\"\(links.prefix)\(challenge.path)\">\(word("challenge.rule.newest"))</a>",
                    ]))
        }
        guard !lines.isEmpty else { return .nothing }
        return "<div class=\"challenge-state\">\(HTML(joining: lines.map { "<p>\($0)</p>" }))</div>"
    }

    private var pictures: HTML {
        if item.pictures.isEmpty, let film {
            return """
                <video class="challenge-film" controls muted playsinline preload="none" \
                poster="\(links.film(film, .poster, below: links.prefix))" src="\(links.film(film, .preview, below: links.prefix))" \
                aria-label="\(word("challenge.preview", ["title": item.title]))"></video>
                """
        }
        return ItemPictures(of: item, style: "challenge", links: links) { number, count in
            count == 1
                ? word("challenge.picture.only", ["title": item.title])
                : word("challenge.picture.of", ["number": "\(number)", "count": "\(count)", "title": item.title])
        }.html
    }

    private var voice: HTML {
        guard let clip = item.clip else { return .nothing }
        return Player(
            clip: clip, title: word("challenge.voice", ["title": item.title]), transcript: transcript, links: links
        ).html
    }

    private func form(_ path: String, _ on: Bool, _ button: String) -> HTML {
        """
        <form method="post" action="\(links.prefix)\(challenge.path)\(path)"><input type="hidden" name="token" \
        value="\(view.token ?? "")"><input type="hidden" name="on" value="\(on ? "yes" : "")">\
        <button class="act">\(button)</button></form>
        """
    }

    /// What a reader can do; a visitor is sent to sign in by each.
    private var acts: HTML {
        var acts: [HTML] = []
        if isOpen, isNewest, terms.event.map({ now <= $0.ends }) ?? true {
            acts.append(
                "<a class=\"main\" href=\"\(links.prefix)\(challenge.tryPath)\">\(word("challenge.try"))</a>")
        }
        acts += parts.filter { $0.place == .acts }.map(\.html)
        if view.token != nil {
            let (isSaved, isWatched) = (marks.contains(.save), marks.contains(.watch))
            acts.append(
                form("/save", !isSaved, isSaved ? word("challenge.unsave") : word("challenge.save")))
            acts.append(
                form("/watch", !isWatched, isWatched ? word("challenge.unwatch") : word("challenge.watch")))
        }
        if !view.isSetter {
            acts.append(
                "<a class=\"act\" href=\"\(links.prefix)/report/items/\(item.id.text)\">\(word("challenge.report"))</a>"
            )
        }
        return "<div class=\"actions challenge-acts\">\(HTML(joining: acts))</div>"
    }

    private var ruleSection: HTML {
        let others = rules.filter { $0.version != rule.version }.map { other -> HTML in
            """
            <li><a href="\(links.prefix)\(challenge.path)?version=\(other.version)">\
            \(word("challenge.rule.version", ["version": "\(other.version)"]))</a> · \(Wording.time(other.made)) · \
            \(word("challenge.rule.tried", count: other.attempts))</li>
            """
        }
        let versions: HTML =
            others.isEmpty
            ? .nothing
            : """
            <details class="challenge-details"><summary>\(word("challenge.rule.others"))</summary>\
            <ul>\(HTML(joining: others))</ul></details>
            """
        return """
            <section aria-labelledby="rule"><h2 class="section" id="rule">\(word("challenge.rule"))</h2>
            \(RuleView(rule: rule, now: now).html)\(versions)</section>
            """
    }

    private var records: HTML {
        guard !holders.isEmpty else {
            return """
                <section aria-labelledby="records"><h2 class="section" id="records">\(word("challenge.records"))</h2>
                <p class="empty">\(word("challenge.records.none"))</p></section>
                """
        }
        let rows = holders.map { span -> HTML in
            let version: HTML = isNewest ? .nothing : "version=\(rule.version)&amp;"
            let address: HTML =
                "\(links.prefix)\(challenge.path)?\(version)level=\(span.hold.area.level.rawValue)&amp;area=\(PercentEncoding.encode(span.hold.area.key))#history"
            let isShown: HTML = span.hold.area == area ? " aria-current=\"true\"" : .nothing
            return """
                <tr><th scope="row">\(span.hold.area.level.name)\(areaName(span))</th>\
                <td>\(score(span))</td>\
                <td>\(holder(span))</td><td>\(RecordWording.days(span.days))</td>\
                <td><a href="\(address)"\(isShown)>\(word("challenge.history"))\
                <span class="visually-hidden">: \(span.hold.area.level.name)\(areaName(span))</span></a></td></tr>
                """
        }
        return """
            <section aria-labelledby="records"><h2 class="section" id="records">\(word("challenge.records"))</h2>
            <div class="wide" tabindex="0" role="region" aria-labelledby="records"><table><thead><tr>\
            <th scope="col">\(word("challenge.records.level"))</th><th scope="col">\(terms.measure.name)</th>\
            <th scope="col">\(word("challenge.records.holder"))</th><th scope="col">\(word("challenge.records.days"))</th>\
            <th scope="col">\(word("challenge.history"))</th></tr></thead><tbody>\(HTML(joining: rows))</tbody></table></div></section>
            """
    }

    /// Where its page is, for who may see it.
    private func way(to span: RecordSpan) -> String? {
        span.isHidden && !span.isOwn && !view.isModerator ? nil : Attempt.path(span.attempt)
    }

    private func score(_ span: RecordSpan) -> HTML {
        let text: HTML = "\(span.terms.said(span.score))"
        return way(to: span).map { "<a href=\"\(links.prefix)\($0)\">\(text)</a>" } ?? text
    }

    private func areaName(_ span: RecordSpan) -> HTML { span.name.isEmpty ? .nothing : ": <bdi>\(span.name)</bdi>" }

    private func holder(_ span: RecordSpan) -> HTML {
        guard let person = span.person else { return "\(word("challenge.someone"))" }
        return "<a href=\"\(links.prefix)/@\(person.handle)\"><bdi>\(person.name)</bdi></a>"
    }

    private var historySection: HTML {
        guard let last = history.last else { return .nothing }
        let name = last.name.isEmpty ? area.level.name : "\(area.level.name): \(last.name)"
        let chart = HistoryChart(
            name: word("challenge.history.of", ["where": name]), measure: terms.measure.name,
            points: history.map { span in
                HistoryChart.Point(
                    since: span.from, value: Double(span.score), text: span.terms.said(span.score),
                    name: span.person?.name ?? word("challenge.someone"), href: way(to: span))
            }, now: history.last?.until ?? now, prefix: links.prefix)
        return """
            <section aria-labelledby="history"><h2 class="section" id="history">\(word("challenge.history"))</h2>
            \(chart.html)</section>
            """
    }

    private var tried: HTML {
        let terms = Dictionary(rules.map { ($0.version, $0.terms) }) { first, _ in first }
        let all: HTML =
            !hasMore
            ? .nothing
            : "<p><a href=\"\(links.prefix)\(challenge.path)/attempts\">\(word("challenge.attempts.all"))</a></p>"
        return """
            <section aria-labelledby="attempts"><h2 class="section" id="attempts">\(word("challenge.attempts"))</h2>
            \(AttemptList(attempts: attempts, rules: terms, links: links).html)\(all)</section>
            """
    }

    private var places: HTML {
        guard !map.text.isEmpty else { return .nothing }
        let name: HTML =
            item.place.map { $0.name.isEmpty ? .nothing : "<p><bdi>\($0.name)</bdi></p>" } ?? .nothing
        return """
            <section aria-labelledby="places"><h2 class="section" id="places">\(word("challenge.places"))</h2>
            \(name)\(map)</section>
            """
    }

    /// What its setter does with it, and moderators.
    private var management: HTML {
        guard view.isSetter || view.isModerator else { return .nothing }
        var ways: [(String, String)] = []
        if isOpen {
            ways.append(("edit", word("challenge.edit")))
            if view.isModerator || rules.allSatisfy({ $0.attempts == 0 }) {
                ways.append(("rule", word("challenge.rule.edit")))
                ways.append(("closure", word("challenge.close")))
            }
            if view.isSetter { ways.append(("withdrawal", word("challenge.withdraw"))) }
            if view.isModerator, !view.isSetter { ways.append(("merger", word("challenge.merge"))) }
        }
        if view.isModerator {
            if target != nil, !view.isSetter { ways.append(("parting", word("challenge.part"))) }
            ways.append(("verifiers", word("challenge.verifiers")))
        }
        guard !ways.isEmpty else { return .nothing }
        let items = ways.map { part, name -> HTML in
            "<li><a class=\"act\" href=\"\(links.prefix)\(challenge.path)/\(part)\">\(name)</a></li>"
        }
        return """
            <section aria-labelledby="manage"><h2 class="section" id="manage">\(word("challenge.manage"))</h2>
            <ul class="tags" role="list">\(HTML(joining: items))</ul></section>
            """
    }
}
