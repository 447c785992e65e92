internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpOrders
internal import ChirpWeb
internal import FoundationEssentials

/// The page of a request, which both sides see: how it stands, what was done, and what may be done by whose turn it is (AR-13).
struct RequestPage {
    let sight: RequestSight
    /// The producer's tracks that may be handed over.
    let own: [Track]
    let problem: String?
    /// What was typed that was refused.
    var amount = ""
    var words = ""
    let layout: BeatLayout
    let links: HubLinks

    private var request: BeatRequest { sight.request }
    private var path: String { "\(links.prefix)\(sight.path)" }

    var html: HTML {
        layout.page(
            title: word("deal.request"), head: BeatLayout.unlisted,
            body: """
                <article class="beat-request"><h1>\(word("deal.request"))</h1>
                <div role="alert" class="problem" id="problem">\(problem.map { "<p>\($0).</p>" } ?? .nothing)</div>
                <p class="byline">\(between) · \(Wording.time(request.created))</p>
                <p class="beat-state" role="status"><b>\(request.state.words(for: sight.side))</b>\(expiry)</p>
                \(TrackWording.lines(request.words, language: nil))\(clip)\(reference)
                \(moves)\(acts)\(delivered)</article>
                """)
    }

    private var between: HTML {
        let name: HTML = RequestPage.name(sight.other, links)
        return sight.side == .asker
            ? HTML.word("deal.request.to", ["who": name]) : HTML.word("deal.request.from", ["who": name])
    }

    static func name(_ person: PostAuthor?, _ links: HubLinks) -> HTML {
        person.map {
            "<a href=\"\(links.prefix)/@\($0.handle)\"><bdi>\($0.name.isEmpty ? "@\($0.handle)" : $0.name)</bdi></a>"
        }
            ?? "\(word("deal.somebody"))"
    }

    private var expiry: HTML {
        guard let end = request.expires, !request.state.phase.isOver else { return .nothing }
        return " \(HTML.word("deal.request.expires", ["time": Wording.time(end)]))"
    }

    private var clip: HTML {
        guard let clip = sight.clip else { return .nothing }
        return Player(clip: clip, title: word("deal.request.clip"), links: links).html
    }

    private var reference: HTML {
        guard let track = sight.reference else { return .nothing }
        let link: HTML = "<a href=\"\(links.prefix)\(track.path)\" dir=\"auto\">\(track.item.title)</a>"
        return "<p>\(HTML.word("deal.request.like", ["track": link]))</p>\n"
    }

    private var moves: HTML {
        guard !sight.moves.isEmpty else { return .nothing }
        let items = sight.moves.map { move -> HTML in
            let who: HTML =
                switch move.side {
                case nil: .nothing
                case sight.side?: "\(word("deal.you")) · "
                default: "\(RequestPage.name(sight.other, links)) · "
                }
            return """
                <li><p>\(who)<b>\(move.sentence)</b> · \(Wording.time(move.at))</p>\(TrackWording.lines(move.words, language: nil))</li>
                """
        }
        return """
            <section aria-labelledby="moves"><h2 class="section" id="moves">\(word("deal.moves"))</h2>
            <ol class="beat-moves">\(HTML(joining: items, separator: "\n"))</ol></section>

            """
    }

    // MARK: what may be done

    private var acts: HTML {
        guard sight.isTurn, layout.token != nil else { return .nothing }
        let possible = request.state.acts
        var forms: [HTML] = []
        if possible.contains(.agree), let money = request.state.money {
            forms.append(
                form("agreement", word("deal.agree", ["money": money.words]), isMain: true, amount: money.digits))
        }
        if possible.contains(.price) { forms.append(offer("price", word("deal.price"), word("deal.price.send"))) }
        if possible.contains(.counter) {
            forms.append(offer("counter-offer", word("deal.counter"), word("deal.counter.send")))
        }
        if possible.contains(.pay) { forms.append(form("payment", word("deal.pay"), isMain: true)) }
        if possible.contains(.deliver) { forms.append(delivery) }
        if possible.contains(.decline) { forms.append(form("refusal", word("deal.decline"), isMain: false)) }
        return """
            <section aria-labelledby="acts"><h2 class="section" id="acts">\(word("deal.turn"))</h2>
            \(HTML(joining: forms, separator: "\n"))</section>

            """
    }

    private var hidden: HTML {
        """
        <input type="hidden" name="token" value="\(layout.token ?? "")"><input type="hidden" name="seen" value="\(request.state.moves)">
        """
    }

    private func form(_ noun: String, _ name: String, isMain: Bool, amount: String? = nil) -> HTML {
        let money: HTML =
            amount.map {
                """
                <input type="hidden" name="amount" value="\($0)"><input type="hidden" name="currency" \
                value="\(request.state.money?.currency.code ?? "")">
                """
            } ?? .nothing
        return """
            <form method="post" action="\(path)/\(noun)">\(hidden)\(money)<p><button class="\(isMain ? "main" : "act")">\(name)</button></p></form>
            """
    }

    private func offer(_ noun: String, _ title: String, _ send: String) -> HTML {
        let wrong: HTML = problem == nil ? .nothing : " aria-describedby=\"problem\""
        let currency: HTML =
            if let money = request.state.money {
                """
                <input type="hidden" name="currency" value="\(money.currency.code)">
                """
            } else {
                """
                <p class="field"><label for="currency">\(word("beat.field.currency"))</label>
                <select id="currency" name="currency">\(currencies)</select></p>
                """
            }
        return """
            <form method="post" action="\(path)/\(noun)"><fieldset class="beat-choice"><legend>\(title)</legend>\(hidden)
            <p class="field"><label for="amount">\(word("beat.field.amount"))</label><span class="hint" id="amount-hint">\(word("beat.hint.amount"))</span>
            <input id="amount" name="amount" inputmode="decimal" autocomplete="off" maxlength="12" required value="\(amount)"\(wrong)></p>
            \(currency)
            <p class="field"><label for="words">\(word("deal.field.said"))</label>
            <textarea id="words" name="words" rows="3" maxlength="\(BeatRequest.longestWords)" dir="auto">\(words)</textarea></p>
            <p><button class="main">\(send)</button></p></fieldset></form>
            """
    }

    private var currencies: HTML {
        FormFields<TrackField>.options(
            TrackPrice.Currency.allCases.map { ($0.rawValue, $0.rawValue) }, chosen: "EUR")
    }

    private var delivery: HTML {
        guard !own.isEmpty else {
            return """
                <p>\(word("deal.deliver.none"))</p><p><a class="act" href="\(links.prefix)\(BeatDesk.path)/new">\(word("beat.way.new"))</a></p>
                """
        }
        let choices = own.map { ($0.id.text, $0.item.title) }
        return """
            <form method="post" action="\(path)/delivery">\(hidden)
            <p class="field"><label for="track">\(word("deal.deliver"))</label><span class="hint" id="track-hint">\(word("deal.deliver.hint"))</span>
            <select id="track" name="track" aria-describedby="track-hint">\
            \(FormFields<TrackField>.options(choices, chosen: sight.track?.text ?? ""))</select></p>
            <p><button class="main">\(word("deal.deliver.send"))</button></p></form>
            """
    }

    private var delivered: HTML {
        guard request.state.phase == .delivered, sight.side == .asker else { return .nothing }
        return "<p><a class=\"act\" href=\"\(links.prefix)/messages\">\(word("deal.messages"))</a></p>\n"
    }
}

/// Both sides of somebody's requests, those first in which it is her turn.
struct RequestListPage {
    let sights: [RequestSight]
    let layout: BeatLayout
    let links: HubLinks

    var html: HTML {
        let turn = sights.filter(\.isTurn)
        let others = sights.filter { !$0.isTurn }
        return layout.page(
            title: word("deal.way.requests"), head: BeatLayout.unlisted,
            body: """
                <h1>\(word("deal.way.requests"))</h1>
                \(list(turn, "turn", word("deal.turn")))\(list(others, "others", word("deal.requests.others")))
                \(sights.isEmpty ? "<p class=\"empty\">\(word("deal.requests.none"))</p>" : .nothing)
                """)
    }

    private func list(_ sights: [RequestSight], _ id: String, _ title: String) -> HTML {
        guard !sights.isEmpty else { return .nothing }
        let items = sights.map { sight -> HTML in
            let name = RequestPage.name(sight.other, links)
            let between =
                sight.side == .asker
                ? HTML.word("deal.request.to", ["who": name]) : HTML.word("deal.request.from", ["who": name])
            return """
                <li><p><a href="\(links.prefix)\(sight.path)"><b>\(sight.request.state.words(for: sight.side))</b></a></p>
                <p class="byline">\(between) · \(Wording.time(sight.request.changed))</p></li>
                """
        }
        return """
            <section aria-labelledby="\(id)"><h2 class="section" id="\(id)">\(title)</h2>
            <ol class="beat-deals" role="list">\(HTML(joining: items, separator: "\n"))</ol></section>

            """
    }
}

/// The form in which somebody asks a producer for a beat.
struct AskPage {
    let producer: PostAuthor
    let reference: Track?
    let words: String
    let key: String
    let takesClips: Bool
    let problem: String?
    let layout: BeatLayout
    let links: HubLinks

    var html: HTML {
        let like: HTML =
            reference.map {
                """
                <p>\(HTML.word("deal.request.like", ["track": "<a href=\"\(links.prefix)\($0.path)\" dir=\"auto\">\($0.item.title)</a>"]))</p>
                <input type="hidden" name="like" value="\($0.id.text)">
                """
            } ?? .nothing
        let clip: HTML =
            takesClips
            ? """
            <p class="field"><label for="voice">\(word("deal.field.clip"))</label><span class="hint" id="voice-hint">\(word("deal.hint.clip"))</span>
            <input id="voice" name="voice" type="file" accept="audio/*" aria-describedby="voice-hint"></p>
            """ : .nothing
        let points: HTML = problem == nil ? .nothing : " aria-invalid=\"true\""
        return layout.form(
            title: word("deal.ask.title", ["who": producer.name]),
            problem: problem.map { "<p>\($0).</p>" } ?? .nothing,
            content: """
                <p role="status"></p><p>\(word("deal.ask.lead"))</p>
                <form method="post" action="\(links.prefix)\(BeatDesk.path)/ask/\(producer.handle)" enctype="multipart/form-data">\
                <input type="hidden" name="token" value="\(layout.token ?? "")"><input type="hidden" name="key" value="\(key)">
                \(like)
                <p class="field"><label for="words">\(word("deal.field.words"))</label><span class="hint" id="words-hint">\(word("deal.hint.words"))</span>
                <textarea id="words" name="words" rows="6" maxlength="\(BeatRequest.longestWords)" dir="auto" \
                aria-describedby="problem words-hint"\(points)>\(words)</textarea></p>
                \(clip)
                <p class="actions"><button class="main">\(word("deal.ask.send"))</button></p></form>
                """)
    }
}
