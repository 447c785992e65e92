internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb

/// Where a track is offered, or changed: one page, group by group, which works without script. With it the recording goes ahead as an upload that
/// survives a lost connection.
struct TrackFormPage {
    enum Kind {
        case new
        case change(Track)
    }

    let kind: Kind
    let form: TrackForm
    let reading: TrackForm.Reading
    /// What was wrong that belongs to no field; a sentence without its full stop.
    let problem: String?
    /// Her own tracks, of which it may be another version.
    let others: [Track]
    /// What her role says that she may offer.
    let offers: [Track.Kind]
    let takesPictures: Bool
    /// Nil: this hub takes no tracks.
    let tracks: TrackDesk?
    let layout: BeatLayout
    let links: HubLinks

    private var fields: FormFields<TrackField> {
        FormFields(
            style: "beat", value: { form[$0] }, faults: reading.faults.mapValues(\.sentence), label: \.label)
    }

    private var token: String { layout.token ?? "" }

    var html: HTML {
        let (title, send, action): (String, String, String) =
            switch kind {
            case .new: (word("beat.new.title"), word("beat.new.send"), "\(BeatDesk.path)/new")
            case .change(let track): (word("beat.edit.title"), word("beat.edit.send"), "\(track.path)/edit")
            }
        let version: HTML = form.version.map { "<input type=\"hidden\" name=\"version\" value=\"\($0)\">" } ?? .nothing
        return layout.page(
            title: title, head: BeatLayout.unlisted,
            body: """
                <div class="form wide beat-form"><h1>\(title)</h1>
                <p role="status"></p>
                <div role="alert" class="problem">\(fields.summary(problem))</div>
                <form method="post" action="\(links.prefix)\(action)" enctype="multipart/form-data" data-beat-form>
                <input type="hidden" name="token" value="\(token)"><input type="hidden" name="key" value="\(form.key)">\
                <input type="hidden" name="offset" value="\(form.offset)">\
                <input type="hidden" name="language" value="\(form.language ?? Language.current.rawValue)">\(version)
                <button class="visually-hidden" tabindex="-1" aria-hidden="true">\(send)</button>
                \(HTML(joining: [recording, what, price, further], separator: "\n"))
                <p><button class="main">\(send)</button></p>
                </form></div>
                """)
    }

    private func group(_ legend: String, _ content: HTML) -> HTML {
        "<fieldset class=\"beat-group\"><legend>\(legend)</legend>\n\(content)\n</fieldset>"
    }

    /// The sound itself; of what is there already only that.
    private var recording: HTML {
        if case .change(let track) = kind, track.progress != .refused, track.master != nil {
            return "<input type=\"hidden\" name=\"kind\" value=\"\(track.kind.rawValue)\">"
        }
        let kinds: HTML
        if offers.count == 1 {
            kinds = "<input type=\"hidden\" name=\"kind\" value=\"\(offers[0].rawValue)\">"
        } else if case .change(let track) = kind {
            kinds = "<input type=\"hidden\" name=\"kind\" value=\"\(track.kind.rawValue)\">"
        } else {
            kinds = fields.choice(
                .kind, word("beat.field.kind"), offers.map { ($0.rawValue, $0.name, HTML.nothing) })
        }
        guard let tracks else {
            return group(word("beat.group.track"), "\(kinds)<p class=\"problem\">\(word("beat.takes.none")).</p>")
        }
        let wrong: HTML =
            reading.faults[.track].map { "<span class=\"problem\" id=\"track-problem\">\($0.sentence).</span>" }
            ?? .nothing
        let points: HTML =
            reading.faults[.track] == nil
            ? " aria-describedby=\"track-hint\""
            : " aria-describedby=\"track-problem track-hint\" aria-invalid=\"true\""
        let kept: HTML =
            form.master.map {
                "<p><input type=\"hidden\" name=\"master\" value=\"\($0.text)\">\(word("beat.track.there"))</p>"
            }
            ?? .nothing
        let hint = word(
            "beat.hint.track",
            [
                "bytes": Wording.size(tracks.limits.mostBytes), "form": Wording.size(Int64(TrackFiles.mostFormBytes)),
                "length": Wording.spoken(Double(tracks.limits.longest)),
            ])
        return group(
            word("beat.group.track"),
            """
            \(kinds)
            <div class="field"><label for="track">\(word("beat.field.track"))</label>\(wrong)
            <span class="hint" id="track-hint">\(hint)</span>
            <input id="track" name="track" type="file" accept="audio/wav,audio/x-wav,audio/mpeg,.wav,.mp3"\(points)>
            \(kept)<div class="beat-sending" data-sending hidden><progress max="1" value="0" aria-label="\(word("beat.sending"))"></progress>\
            <p class="hint" data-sending-text></p><button type="button" data-sending-stop>\(word("beat.sending.stop"))</button></div></div>
            """)
    }

    private var what: HTML {
        group(
            word("beat.group.what"),
            """
            \(fields.line(.title, word("beat.field.title"), most: TrackDraft.longestTitle, isRequired: true))
            \(fields.line(.tags, word("beat.field.tags"), hint: word("beat.hint.tags"), most: 400))
            \(fields.lines(.text, word("beat.field.text"), hint: word("beat.hint.text"), rows: 5))
            \(cover)
            """)
    }

    private var cover: HTML {
        guard takesPictures || form.cover != nil else { return .nothing }
        let kept: HTML =
            form.cover.map { id in
                """
                <div class="beat-kept"><input type="hidden" name="picture" value="\(id.text)">\
                <img src="\(links.picture(id, .small, below: links.prefix))" width="120" height="120" alt="">
                <label><input type="checkbox" name="without" value="\(id.text)"> \(word("beat.without"))</label></div>
                """
            } ?? .nothing
        let wrong: HTML =
            reading.faults[.cover].map { "<span class=\"problem\" id=\"cover-problem\">\($0.sentence).</span>" }
            ?? .nothing
        let points: HTML =
            reading.faults[.cover] == nil ? .nothing : " aria-describedby=\"cover-problem\" aria-invalid=\"true\""
        return """
            <div class="field"><label for="cover">\(word("beat.field.cover"))</label>\(wrong)
            <input id="cover" name="cover" type="file" accept="image/*"\(points)>
            \(kept)</div>
            """
    }

    private var price: HTML {
        let kinds: [(value: String, name: String, below: HTML)] = [
            (TrackPrice.Kind.amount.rawValue, word("beat.price.kind.amount"), .nothing),
            (TrackPrice.Kind.offer.rawValue, word("beat.price.offer"), .nothing),
            (TrackPrice.Kind.free.rawValue, word("beat.price.free"), .nothing),
        ]
        return group(
            word("beat.group.price"),
            """
            \(fields.choice(.price, word("beat.field.price"), kinds))
            \(fields.line(.amount, word("beat.field.amount"), hint: word("beat.hint.amount"), most: 20, more: " inputmode=\"decimal\""))
            \(fields.list(.currency, word("beat.field.currency"), TrackPrice.Currency.allCases.map { ($0.rawValue, $0.rawValue) }))
            """)
    }

    private var further: HTML {
        let versions: HTML =
            others.isEmpty
            ? .nothing
            : """
            \(fields.list(.versionOf, word("beat.field.versionof"), others.map { ($0.id.text, $0.item.title) }, first: word("beat.version.none")))
            \(fields.line(.versionName, word("beat.field.version"), hint: word("beat.hint.version"), most: TrackDraft.longestVersionName))
            """
        return group(
            word("beat.group.further"),
            """
            \(versions)
            \(fields.line(.until, word("beat.field.until"), hint: word("beat.hint.until"), type: "date"))
            <p class="choice"><label><input type="checkbox" name="draft" value="yes"\(form.appears ? .nothing : " checked")> \
            \(word("beat.draft"))</label></p>
            """)
    }
}
