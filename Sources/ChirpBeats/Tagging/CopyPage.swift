internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb

/// Where the author of a track says that its previews tell whose they are, and asks whose copy a recording is.
struct CopyPage {
    let track: Track
    /// Nil: she has never wished for that.
    let tag: TrackTag?
    /// What has come of the recording that she has just sent.
    let found: CopyFindings?
    /// What was wrong with it; a sentence without its full stop.
    let problem: String?
    let token: String
    let layout: BeatLayout
    let links: HubLinks

    private var path: String { "\(links.prefix)\(track.path)/copies" }

    var html: HTML {
        layout.page(
            title: word("beat.copy.title"), head: BeatLayout.unlisted,
            body: """
                <div class="form wide beat-form"><h1>\(word("beat.copy.title"))</h1>
                <div role="status">\(result)</div>
                <p><a href="\(links.prefix)\(track.path)"><b dir="auto">\(track.item.title)</b></a></p>
                <p>\(word("beat.copy.lead"))</p>\(state)\(button)\(question)</div>
                """)
    }

    private var isOn: Bool { tag?.isOn ?? false }

    private var state: HTML {
        guard let tag, tag.isOn else { return "<p data-beat-tag=\"off\">\(word("beat.copy.off"))</p>" }
        return switch tag.state {
        case .waiting: "<p data-beat-tag=\"waiting\">\(word("beat.copy.waiting"))</p>"
        case .ready:
            "<p data-beat-tag=\"ready\">\(word("beat.copy.on")) \(word("beat.copy.listeners", count: tag.listeners))</p>"
        case .failed:
            "<p class=\"problem\" data-beat-tag=\"failed\">\(HTML.word("beat.copy.failed", ["why": "<q lang=\"en\">\(tag.why)</q>"]))</p>"
        }
    }

    /// Of one that has failed another try.
    private var button: HTML {
        let isTried = isOn && tag?.state != .failed
        return """
            <form method="post" action="\(path)/tag"><input type="hidden" name="token" value="\(token)">\
            <input type="hidden" name="on" value="\(isTried ? "" : "yes")">\
            <p class="actions"><button\(isTried ? .nothing : " class=\"main\"" as HTML)>\
            \(isTried ? word("beat.copy.end") : word("beat.copy.begin"))</button></p></form>
            """
    }

    private var question: HTML {
        guard tag?.state == .ready else { return .nothing }
        let wrong: HTML = problem.map { "<span class=\"problem\" id=\"copy-problem\">\($0).</span>" } ?? .nothing
        let points: HTML =
            problem == nil
            ? " aria-describedby=\"copy-hint\"" : " aria-describedby=\"copy-problem copy-hint\" aria-invalid=\"true\""
        return """
            <h2 class="section">\(word("beat.copy.whose"))</h2>
            <form method="post" action="\(path)" enctype="multipart/form-data">
            <input type="hidden" name="token" value="\(token)">
            <div class="field"><label for="copy">\(word("beat.copy.field"))</label>\(wrong)
            <span class="hint" id="copy-hint">\(word("beat.copy.hint", ["form": Wording.size(Int64(TrackFiles.mostFormBytes))]))</span>
            <input id="copy" name="copy" type="file" required accept="audio/*,video/*"\(points)></div>
            <p class="actions"><button class="main">\(word("beat.copy.send"))</button></p></form>
            """
    }

    private var result: HTML {
        guard let found else { return .nothing }
        let (kind, sentence): (String, HTML) =
            switch found.owner {
            case .otherTrack: ("other-track", "\(word("beat.copy.other"))")
            case .unknown: ("unknown", "\(word("beat.copy.unknown"))")
            case .everybody: ("everybody", "\(word("beat.copy.everybody"))")
            case .listener(let person):
                (
                    "listener",
                    .word(
                        "beat.copy.listener",
                        [
                            "name": """
                            <a href="\(links.prefix)/@\(person.handle)"><bdi>\(person.name)</bdi></a>
                            """
                        ])
                )
            }
        return """
            <p data-beat-copy="\(kind)"><b>\(sentence)</b></p>\(figures(found))
            """
    }

    /// What the answer rests on.
    private func figures(_ found: CopyFindings) -> HTML {
        guard let part = found.part else { return .nothing }
        let place = word(
            "beat.copy.part",
            [
                "from": Wording.clock(part.lowerBound), "to": Wording.clock(part.upperBound),
                "speed": TrackWording.number(100 * found.speed, places: 2),
            ])
        let voices = word(
            "beat.copy.voices",
            [
                "heard": "\(found.heard)", "agreeing": "\(found.agreeing)",
                "sure": TrackWording.number(100 * found.confidence, places: 2),
            ])
        return "<p>\(place)</p><p>\(voices)</p>"
    }
}
