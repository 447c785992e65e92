internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb

/// The form of a claim: the secret question as its author wrote it, to be answered in words or aloud.
struct ClaimForm {
    let listing: Listing
    let typed: String
    let problem: String?
    let takesVoice: Bool
    let token: String?
    let links: HubLinks

    private var path: String { "\(links.prefix)\(ListingDesk.path)/\(listing.id.text)" }

    var html: HTML {
        let title = Claim.Kind(to: listing.side).words
        return ListingLayout(links: links, token: token).form(
            title: title, problem: problem.map { "<p>\($0)</p>" } ?? .nothing,
            content: """
                <p dir="auto"><a href="\(path)">\(listing.item.title)</a></p>
                <p>\(word("claim.private"))</p>
                <form method="post" action="\(path)/claim" enctype="multipart/form-data">\
                <input type="hidden" name="token" value="\(token ?? "")">
                <p class="field"><label for="answer" dir="auto">\(question)</label>
                <textarea id="answer" name="answer" rows="4" dir="auto" maxlength="\(Claim.longestAnswer)"\
                \(problem == nil ? .nothing : " aria-describedby=\"problem\" aria-invalid=\"true\"")>\(typed)</textarea></p>
                \(voice)<p><button class="main">\(word("claim.send"))</button></p></form>
                """)
    }

    /// Asking gives nothing away that the listing does not say.
    private var question: String {
        if !listing.question.isEmpty { return listing.question }
        return listing.side == .found ? word("claim.ask.mine") : word("claim.ask.seen")
    }

    private var voice: HTML {
        guard takesVoice else { return .nothing }
        return """
            <p class="field"><label for="voice">\(word("claim.voice"))</label>\
            <span class="hint" id="voice-hint">\(word("claim.voice.hint"))</span>
            <input id="voice" name="voice" type="file" accept="audio/*" capture aria-describedby="voice-hint"></p>

            """
    }
}

/// Claims: those at one listing for its author, or all that somebody has to do with.
struct ClaimsPage {
    let claims: [Claim]
    /// Those of them that can be seen.
    let listings: [Listing]
    let me: AccountID
    let token: String?
    let links: HubLinks

    private var path: String { "\(links.prefix)\(ListingDesk.path)" }

    var html: HTML {
        ListingLayout(links: links, token: token).page(
            title: word("claim.title"), head: ListingLayout.unlisted,
            body: "<h1>\(word("claim.title"))</h1>\n\(list)")
    }

    private var list: HTML {
        guard !claims.isEmpty else { return "<p class=\"empty\">\(word("claim.none"))</p>" }
        return "<ol class=\"posts\" role=\"list\">\(HTML(joining: claims.map(item), separator: "\n"))</ol>"
    }

    private func item(_ claim: Claim) -> HTML {
        let isOwn = claim.claimant.id == me
        let who: HTML =
            isOwn
            ? "\(word("claim.you"))"
            : "<a href=\"\(links.prefix)/@\(claim.claimant.handle)\"><bdi>\(claim.claimant.name)</bdi></a>"
        let title: HTML =
            listings.first { $0.id == claim.listing }.map { "<a href=\"\(path)/\($0.id.text)\">\($0.item.title)</a>" }
            ?? "\(word("claim.listing-gone"))"
        return """
            <li class="post"><div class="text"><h2 dir="auto">\(title)</h2>
            <p class="byline">\(who) · \(claim.kind.words) · \(claim.state.words) · \(Wording.time(claim.created))</p>
            \(said(claim))\(isOwn ? own(claim) : decision(claim))</div></li>
            """
    }

    /// What was asked, and the answer. Links of strangers stay text.
    private func said(_ claim: Claim) -> HTML {
        let lines = claim.answer.split(separator: "\n", omittingEmptySubsequences: false).map { line -> HTML in
            "\(String(line))"
        }
        let asked: HTML = claim.question.isEmpty ? .nothing : "<p dir=\"auto\"><q>\(claim.question)</q></p>"
        let words: HTML =
            claim.answer.isEmpty
            ? .nothing : "<p class=\"words\" dir=\"auto\">\(HTML(joining: lines, separator: "<br>"))</p>"
        guard claim.clip != nil else { return "\(asked)\(words)" }
        return """
            \(asked)\(words)<audio controls preload="none" src="\(path)/claims/\(claim.id.text)/sound.mp3" \
            aria-label="\(word("claim.sound"))"></audio>
            """
    }

    private func own(_ claim: Claim) -> HTML {
        let mayEnd = claim.state == .open || claim.state == .accepted
        return "\(claim.state.told)\(mayEnd ? act(claim, "withdrawal", word("claim.withdraw")) : .nothing)"
    }

    private func decision(_ claim: Claim) -> HTML {
        switch claim.state {
        case .open:
            """
            <form method="post" action="\(path)/claims/\(claim.id.text)/acceptance">\
            <input type="hidden" name="token" value="\(token ?? "")">
            <p class="field"><label for="greeting-\(claim.id.text)">\(word("claim.first-words"))</label>
            <input id="greeting-\(claim.id.text)" name="greeting" dir="auto" autocomplete="off" maxlength="500" \
            value="\(word("claim.greeting"))"></p>
            <p>\(word("claim.accept.what"))</p><p><button class="main">\(word("claim.accept"))</button></p></form>
            \(act(claim, "refusal", word("claim.refuse")))
            """
        case .accepted: act(claim, "refusal", word("claim.refuse.after"))
        case .refused, .withdrawn: .nothing
        }
    }

    private func act(_ claim: Claim, _ noun: String, _ name: String) -> HTML {
        """
        <form method="post" action="\(path)/claims/\(claim.id.text)/\(noun)">\
        <input type="hidden" name="token" value="\(token ?? "")"><p><button class="act">\(name)</button></p></form>
        """
    }
}

/// What a listing's page says about claims.
struct ClaimPart {
    let desk: ListingDesk

    init(_ desk: ListingDesk) { self.desk = desk }

    var part: ListingPart {
        ListingPart(place: .section) { listing, view in
            let store = ClaimStore(library: desk.desk.library)
            let path = "\(desk.prefix)\(ListingDesk.path)/\(listing.id.text)"
            if view.isAuthor {
                let waiting = try await store.waiting(at: listing.id, of: listing.item.author.id)
                return """
                    <h2>\(word("claim.title"))</h2><p><a href="\(path)/claims">\(word("claim.waiting", count: waiting))</a></p>
                    """
            }
            var claims: [Claim] = []
            if case .member(let me) = view.viewer { claims = try await store.claims(of: listing.id, for: me) }
            let isBusy = claims.contains { $0.state == .open || $0.state == .accepted }
            var parts: [HTML] = []
            if let newest = claims.first {
                parts.append(newest.state.told)
                if newest.state == .accepted {
                    let thread = desk.desk.library.seen(by: view.viewer).threadID(with: [listing.item.author.id])
                    parts.append("<p><a href=\"\(desk.prefix)/messages/\(thread)\">\(word("claim.talk"))</a></p>")
                }
                parts.append("<p><a href=\"\(desk.prefix)\(ListingDesk.path)/claims\">\(word("claim.own"))</a></p>")
            }
            if listing.item.state == .open, !isBusy, claims.count < Claim.mostPerListing {
                parts.append(
                    "<p><a class=\"main\" href=\"\(path)/claim\">\(Claim.Kind(to: listing.side).words)</a></p>")
            }
            return HTML(joining: parts)
        }
    }
}
