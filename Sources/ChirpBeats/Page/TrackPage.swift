internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials

/// The page of a track.
struct TrackPage {
    let track: Track
    /// The others of its work.
    let versions: [Track]
    let like: [LikeTrack]
    /// Others with the same recording, for those who are told.
    let twins: [TrackTwin]
    let stems: TrackStems?
    /// What the viewer has put to it.
    let marks: Set<ItemMark>
    let transcript: ClipTranscript?
    let comments: HTML
    /// Whether a preview is made for who listens alone, and whether its author may wish for that.
    let hasOwnPreview, mayTag: Bool
    /// What other parts of the board give.
    let parts: [(place: TrackPart.Place, html: HTML)]
    let view: TrackView
    let now: Date
    let layout: BeatLayout
    let links: HubLinks

    private var item: Item { track.item }

    private func part(_ place: TrackPart.Place) -> HTML {
        HTML(joining: parts.filter { $0.place == place }.map(\.html), separator: "\n")
    }

    var html: HTML {
        layout.page(
            title: item.title, head: head,
            body: """
                <article class="beat" data-beat-track="\(item.id.text)" data-title="\(item.title)"\(isWaiting ? " data-beat-waiting=\"\(item.id.text)\"" : .nothing)>
                <p class="byline"><span class="beat-kind">\(track.kind.name)</span> · \
                <a href="\(links.prefix)/@\(item.author.handle)"><bdi>\(item.author.name)</bdi></a> · \
                \(Wording.time(item.created))</p>
                <h1 dir="auto">\(item.title)</h1>
                \(state)\(sameRecording)\(cover)\(player)
                <p class="beat-cost"><b>\(track.price.name)</b>\(until)</p>
                \(part(.offer))\(acts)
                \(TrackWording.lines(item.text, language: item.language))\(tags)
                \(facts)\(StemsView(stems: stems, track: track, isAuthor: view.isAuthor, links: links).html)\
                \(otherVersions)\(LikenessView(like: like, links: links).html)
                \(part(.section))
                \(comments)\(management)
                </article>
                """)
    }

    /// Others may quote it; what is not open is in no search engine.
    private var head: HTML {
        let robots: HTML = item.state == .open && !item.isHidden ? .nothing : BeatLayout.unlisted
        let picture: HTML =
            item.pictures.first.map { "\n<meta property=\"og:image\" content=\"\(links.picture($0, .medium))\">" }
            ?? .nothing
        let sound: HTML =
            track.publicPreview.map { "\n<meta property=\"og:audio\" content=\"\(links.audio($0.id))\">" } ?? .nothing
        return """
            <link rel="canonical" href="\(links.publicURL)\(track.path)">
            <meta property="og:title" content="\(item.title)">
            <meta property="og:description" content="\(String(item.text.prefix(200)))">
            <meta property="og:url" content="\(links.publicURL)\(track.path)">\(picture)\(sound)\(robots)
            """
    }

    private var isWaiting: Bool { view.isAuthor && (track.progress == .checking || track.progress == .made) }

    private var state: HTML {
        var lines: [HTML] = []
        if item.isHidden { lines.append("\(word("beat.state.hidden"))") }
        if item.isFrozen { lines.append("\(word("beat.state.frozen"))") }
        let time = item.ended.map(Wording.time) ?? .nothing
        switch (item.state, track.progress) {
        case (.draft, .checking), (.draft, .made):
            lines.append("\(track.appears ? word("beat.state.checking") : word("beat.state.checking.draft"))")
        case (.draft, .refused):
            lines.append(.word("beat.state.refused", ["why": "<q lang=\"en\">\(track.why)</q>"]))
        case (.draft, .ready): lines.append("\(word("beat.state.draft"))")
        case (.open, _): break
        case (.settled, _):
            let isSold = item.outcome == TrackOutcome.sold
            lines.append(
                isSold ? .word("beat.state.sold", ["time": time]) : .word("beat.state.retired", ["time": time]))
        case (.expired, _): lines.append(.word("beat.state.expired", ["time": time]))
        case (.withdrawn, _) where item.outcome == TrackOutcome.sold:
            lines.append(.word("beat.state.sold", ["time": time]))
        case (.withdrawn, _):
            lines.append(.word("beat.state.withdrawn", ["time": time, "why": "<q dir=\"auto\">\(item.reason)</q>"]))
        }
        guard !lines.isEmpty else { return .nothing }
        return """
            <div class="beat-state" data-beat-state>\(HTML(joining: lines.map { "<p>\($0)</p>" }))</div>

            """
    }

    private var sameRecording: HTML {
        TwinsView(twins: twins, isWaiting: item.state == .draft && view.isAuthor, links: links).html
    }

    private var cover: HTML {
        ItemPictures(of: item, style: "beat", links: links) { _, _ in word("beat.cover.of", ["title": item.title]) }
            .html
    }

    private var player: HTML {
        guard let clip = item.clip, let path = track.previewPath else { return .nothing }
        let told: HTML = hasOwnPreview ? "<p data-beat-own>\(word("beat.own"))</p>\n" : .nothing
        let player = Player(
            clip: clip, title: word("beat.preview.of", ["title": item.title]), transcript: transcript, links: links)
        return "\(told)\(player.html(from: hasOwnPreview ? "\(track.path)/heard.mp3" : path))"
    }

    private var until: HTML {
        guard item.state == .open, let end = item.expires else { return .nothing }
        return " · \(HTML.word("beat.until", ["time": Wording.time(end)]))"
    }

    private func form(_ path: String, _ isOn: Bool, _ on: String, _ off: String) -> HTML {
        """
        <form method="post" action="\(links.prefix)\(track.path)\(path)"><input type="hidden" name="token" \
        value="\(view.token ?? "")"><input type="hidden" name="on" value="\(isOn ? "" : "yes")">\
        <button class="act" aria-pressed="\(isOn ? "true" : "false")">\(isOn ? off : on)</button></form>
        """
    }

    /// What a reader can do; a visitor signs in first.
    private var acts: HTML {
        var acts: [HTML] = [part(.acts)]
        if view.token != nil {
            if !view.isAuthor, item.state == .open || item.state == .settled {
                acts.append(
                    form("/like", marks.contains(.up), word("beat.like"), word("beat.like")))
            }
            acts.append(form("/archive", marks.contains(.save), word("beat.archive"), word("beat.archive")))
        }
        if !view.isAuthor {
            acts.append(
                "<a class=\"act\" href=\"\(links.prefix)/report/items/\(item.id.text)\">\(word("beat.report"))</a>")
        }
        let liked: HTML = item.ups > 0 ? "<p class=\"byline\">\(word("beat.likes", count: item.ups))</p>" : .nothing
        return "<div class=\"actions beat-acts\">\(HTML(joining: acts))</div>\(liked)"
    }

    private var tags: HTML {
        guard !item.tags.isEmpty else { return .nothing }
        let ways = item.tags.map { tag -> HTML in
            """
            <li><a class="act" href="\(links.prefix)\(BeatDesk.path)?\(PercentEncoding.form([("tag", tag)]))" dir="auto">#\(tag)</a></li>
            """
        }
        return "<ul class=\"tags\" role=\"list\" aria-label=\"\(word("beat.field.tags"))\">\(HTML(joining: ways))</ul>"
    }

    private var facts: HTML {
        guard let facts = track.facts else { return .nothing }
        return """
            <section aria-labelledby="heard"><h2 class="section" id="heard">\(word("beat.heard"))</h2>
            \(TrackFactsView(facts: facts).html)</section>
            """
    }

    private var otherVersions: HTML {
        guard !versions.isEmpty else { return .nothing }
        let items = versions.map { version -> HTML in
            let name =
                version.versionName.isEmpty ? version.item.title : "\(version.item.title) (\(version.versionName))"
            return
                "<li><a href=\"\(links.prefix)\(version.path)\" dir=\"auto\">\(name)</a> · \(version.price.name)</li>"
        }
        return """
            <section aria-labelledby="versions"><h2 class="section" id="versions">\(word("beat.versions"))</h2>
            <p>\(word("beat.versions.lead"))</p><ul>\(HTML(joining: items))</ul></section>
            """
    }

    /// What its author does with it.
    private var management: HTML {
        guard view.isAuthor else { return .nothing }
        var ways: [(String, String)] = []
        if item.state == .draft, track.progress == .ready { ways.append(("publication", word("beat.publish"))) }
        if item.state == .open || item.state == .draft { ways.append(("edit", word("beat.edit"))) }
        if item.state == .open { ways.append(("closure", word("beat.close"))) }
        if item.state == .open || item.state == .draft { ways.append(("withdrawal", word("beat.withdraw"))) }
        if mayTag, track.progress == .ready, track.master != nil { ways.append(("copies", word("beat.copy.title"))) }
        guard !ways.isEmpty else { return .nothing }
        let items = ways.map { part, name -> HTML in
            "<li><a class=\"act\" href=\"\(links.prefix)\(track.path)/\(part)\">\(name)</a></li>"
        }
        return """
            <section aria-labelledby="manage"><h2 class="section" id="manage">\(word("beat.manage"))</h2>
            <ul class="tags" role="list">\(HTML(joining: items))</ul></section>
            """
    }
}
