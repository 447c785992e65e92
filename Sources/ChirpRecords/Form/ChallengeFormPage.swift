internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpMap
internal import ChirpPlaces
internal import ChirpWeb

/// Where a challenge is set, or changed: one page, group by group, which works without script.
struct ChallengeFormPage {
    enum Kind {
        case new
        /// What is told beside the rule.
        case text(Challenge)
        /// The rule, which then is a new version.
        case rule(Challenge)
    }

    let kind: Kind
    let form: ChallengeForm
    let reading: ChallengeForm.Reading
    /// What was wrong that belongs to no field; a sentence without its full stop.
    let problem: String?
    let token: String
    let takesPictures: Bool
    let takesClips: Bool
    let ground: MapGround
    let links: HubLinks

    private var fields: ChallengeFields { ChallengeFields(form, reading.faults) }

    private var title: String {
        switch kind {
        case .new: form.template.map { word("challenge.new.of", ["template": $0.name]) } ?? word("challenge.new.title")
        case .text: word("challenge.edit.title")
        case .rule: word("challenge.rule.edit.title")
        }
    }

    private var send: String {
        switch kind {
        case .new: word("challenge.new.send")
        case .text, .rule: word("challenge.edit.send")
        }
    }

    private var action: String {
        switch kind {
        case .new: "\(RecordDesk.path)/new"
        case .text(let challenge): "\(challenge.path)/edit"
        case .rule(let challenge): "\(challenge.path)/rule"
        }
    }

    private var groups: [HTML] {
        switch kind {
        case .new: [what, rule, event, shown, whereabouts]
        case .text: [what, shown, whereabouts]
        case .rule: [rule, event, elsewhere]
        }
    }

    var html: HTML {
        var hasMap = true
        var lead: HTML = .nothing
        switch kind {
        case .new: break
        case .text(let challenge): lead = "<p><b dir=\"auto\">\(challenge.item.title)</b></p>"
        case .rule(let challenge):
            lead = "<p><b dir=\"auto\">\(challenge.item.title)</b></p><p>\(word("challenge.rule.edit.lead"))</p>"
            hasMap = false
        }
        return RecordLayout(links: links, token: token, ground: hasMap ? ground : nil).page(
            title: title, head: RecordLayout.unlisted,
            body: """
                <div class="form wide challenge-form"><h1>\(title)</h1>
                <p role="status"></p>
                <div role="alert" class="problem">\(fields.summary(problem))</div>
                \(lead)
                <form method="post" action="\(links.prefix)\(action)" enctype="multipart/form-data" data-challenge-form>
                <input type="hidden" name="token" value="\(token)"><input type="hidden" name="key" value="\(form.key)">\
                <input type="hidden" name="offset" value="\(form.offset)">\(hidden)
                <button class="visually-hidden" tabindex="-1" aria-hidden="true">\(send)</button>
                \(HTML(joining: groups, separator: "\n"))
                <p><button class="main">\(send)</button></p>
                </form></div>
                """)
    }

    private var hidden: HTML {
        let language = form.language ?? Language.current.rawValue
        let number: HTML = form.version.map { "<input type=\"hidden\" name=\"version\" value=\"\($0)\">" } ?? .nothing
        let template: HTML =
            form.template.map { "<input type=\"hidden\" name=\"template\" value=\"\($0.rawValue)\">" } ?? .nothing
        return "<input type=\"hidden\" name=\"language\" value=\"\(language)\">\(number)\(template)"
    }

    private func group(_ legend: String, _ content: HTML) -> HTML {
        "<fieldset class=\"challenge-group\"><legend>\(legend)</legend>\n\(content)\n</fieldset>"
    }

    private var what: HTML {
        group(
            word("challenge.group.what"),
            """
            \(fields.line(.title, word("challenge.field.title"), hint: word("challenge.hint.title"), most: ChallengeDraft.longestTitle, isRequired: true))
            \(fields.list(.category, word("challenge.field.category"), Challenge.Category.allCases.map { ($0.rawValue, $0.name) }, first: word("challenge.choose")))
            \(fields.lines(.text, word("challenge.field.text"), hint: word("challenge.hint.text"), rows: 5))
            """)
    }

    /// Of which measure it is, is known: by the template, or by the rule that is changed.
    private var rule: HTML {
        let measure = Measure(rawValue: form[.measure]) ?? .time
        let unit: HTML =
            measure.units.count == 1
            ? "<input type=\"hidden\" name=\"unit\" value=\"\(measure.units[0].rawValue)\">"
            : fields.list(.unit, word("challenge.field.unit"), measure.units.map { ($0.rawValue, $0.name) })
        let decimals = (0...measure.mostDecimals).map { ("\($0)", word("challenge.rule.decimals", count: $0)) }
        let exact: HTML =
            measure.mostDecimals == 0
            ? "<input type=\"hidden\" name=\"decimals\" value=\"0\">"
            : fields.list(.decimals, word("challenge.field.decimals"), decimals)
        let better = RuleTerms.Better.allCases.map { better -> (value: String, name: String, below: HTML) in
            (better.rawValue, better == .more ? word("challenge.better.more") : word("challenge.better.less"), .nothing)
        }
        return group(
            word("challenge.group.rule"),
            """
            <p><b>\(measure.name)</b></p><input type="hidden" name="measure" value="\(measure.rawValue)">\(unit)
            \(fields.choice(.better, word("challenge.field.better"), better))
            \(exact)
            \(fields.line(.low, word("challenge.field.low"), hint: word("challenge.hint.low"), most: 40))
            \(fields.line(.high, word("challenge.field.high"), hint: word("challenge.hint.high"), most: 40))
            \(fields.line(.step, word("challenge.field.step"), hint: word("challenge.hint.step"), most: 40))
            \(evidence)
            \(fields.lines(.invalid, word("challenge.field.invalid"), hint: word("challenge.hint.invalid"), rows: 3))
            """)
    }

    private var evidence: HTML {
        let boxes = RuleTerms.Evidence.allCases.map { kind -> HTML in
            """
            <div class="choice"><label><input type="checkbox" name="needs" value="\(kind.rawValue)"\
            \(form.needs.contains(kind) ? " checked" : .nothing)> \(kind.name)</label></div>
            """
        }
        return """
            <fieldset class="challenge-choice" id="needs"><legend>\(word("challenge.field.needs"))</legend>\
            <input type="hidden" name="needs-sent" value="yes">\(HTML(joining: boxes))</fieldset>
            """
    }

    private var event: HTML {
        let graces = [
            (0, word("challenge.grace.none")), (600, word("challenge.grace.minutes", count: 10)),
            (3600, word("challenge.grace.hours", count: 1)), (86_400, word("challenge.grace.hours", count: 24)),
            (RuleTerms.longestGrace, word("challenge.grace.days", count: RuleTerms.longestGrace / 86_400)),
        ]
        let isOpen = !form[.begins].isEmpty || !form[.ends].isEmpty || reading.faults[.begins] != nil
        return """
            <details class="challenge-group"\(isOpen ? " open" : .nothing)><summary>\(word("challenge.group.event"))</summary>
            <p class="hint" data-utc>\(word("challenge.hint.when"))</p>
            \(fields.line(.begins, word("challenge.field.begins"), type: "datetime-local"))
            \(fields.line(.ends, word("challenge.field.ends"), type: "datetime-local"))
            \(fields.list(.grace, word("challenge.field.grace"), graces.map { ("\($0.0)", $0.1) }))
            </details>
            """
    }

    private var shown: HTML {
        guard takesPictures || takesClips || !form.pictures.isEmpty || form.clip != nil else { return .nothing }
        return group(word("challenge.group.shown"), "\(pictures)\n\(voice)")
    }

    private var pictures: HTML {
        guard takesPictures || !form.pictures.isEmpty else { return .nothing }
        let kept = form.pictures.enumerated().map { index, id -> HTML in
            let name = word("challenge.picture", ["number": "\(index + 1)"])
            return """
                <li><input type="hidden" name="pictures" value="\(id.text)">\
                <img src="\(links.picture(id, .small, below: links.prefix))" width="120" height="120" alt="\(name)">
                <label><input type="checkbox" name="without" value="\(id.text)"> \(word("challenge.without"))</label></li>
                """
        }
        let (wrong, points) = Self.wrong(reading.faults[.pictures], "pictures", hint: "files-hint")
        return """
            <div class="field" id="pictures"><label for="files">\(word("challenge.field.pictures"))</label>\(wrong)
            <span class="hint" id="files-hint">\(word("challenge.hint.pictures", ["most": "\(ItemDraft.mostPictures)"]))</span>
            <input id="files" name="files" type="file" accept="image/*" multiple\(points)>
            <ul class="challenge-pictures">\(HTML(joining: kept))</ul></div>
            """
    }

    private var voice: HTML {
        guard takesClips || form.clip != nil else { return .nothing }
        let kept: HTML =
            form.clip.map { id in
                """
                <div><input type="hidden" name="clip" value="\(id.text)">\
                <audio controls preload="none" src="\(links.prefix)/media/\(id.text).mp3" aria-label="\(word("challenge.field.clip"))"></audio>
                <label><input type="checkbox" name="without" value="\(id.text)"> \(word("challenge.without"))</label></div>
                """
            } ?? .nothing
        let (wrong, points) = Self.wrong(reading.faults[.clip], "clip", hint: "voice-hint")
        return """
            <div class="field" id="clip"><label for="voice">\(word("challenge.field.clip"))</label>\(wrong)
            <span class="hint" id="voice-hint">\(word("challenge.hint.clip"))</span>
            <input id="voice" name="voice" type="file" accept="audio/*"\(points)>
            \(kept)</div>
            """
    }

    /// What is wrong with a field of files, and what the field says of itself.
    private static func wrong(
        _ fault: ChallengeFault?, _ name: String, hint: String
    ) -> (text: HTML, attributes: HTML) {
        guard let fault else { return (.nothing, " aria-describedby=\"\(hint)\"") }
        return (
            "<span class=\"problem\" id=\"\(name)-problem\">\(fault.sentence).</span>",
            " aria-describedby=\"\(name)-problem \(hint)\" aria-invalid=\"true\""
        )
    }

    private var elsewhere: HTML {
        fields.choice(
            .where, word("challenge.field.where"),
            RuleTerms.PlaceRule.allCases.map {
                (
                    $0.rawValue, $0 == .here ? word("challenge.where.here") : word("challenge.where.anywhere"), .nothing
                )
            })
    }

    private var isNew: Bool { if case .new = kind { true } else { false } }

    private var whereabouts: HTML {
        let precision = PositionPrecision.allCases.map { precision -> (value: String, name: String, below: HTML) in
            (precision.rawValue, precision.name, PrecisionPicture.html(precision))
        }
        let (wrong, points): (HTML, HTML) =
            reading.faults[.at].map {
                (
                    "<span class=\"problem\" id=\"at-problem\">\($0.sentence).</span>",
                    " aria-describedby=\"at-problem\""
                )
            } ?? (.nothing, .nothing)
        return group(
            word("challenge.group.where"),
            """
            \(isNew ? elsewhere : .nothing)
            \(fields.line(.place, word("challenge.field.place"), hint: word("challenge.hint.place"), most: ChallengeDraft.longestPlace))
            \(others)
            <div class="field" id="at" role="group" aria-labelledby="at-name"\(points)>\
            <b id="at-name">\(word("challenge.field.at"))</b>\(wrong)
            <span class="hint">\(word("challenge.hint.at"))</span>
            <p class="actions" data-enhanced hidden><button type="button" data-here>\(word("challenge.here"))</button></p>
            \(form.picker.html(ground: ground))</div>
            \(fields.choice(.precision, word("challenge.field.precision"), precision))
            """)
    }

    /// Places that may have been meant.
    private var others: HTML {
        guard !reading.others.isEmpty else { return .nothing }
        let items = reading.others.map { place -> HTML in
            """
            <div class="choice"><label><input type="radio" name="placeId" value="\(Int(place.id))"> <bdi>\(place.title)</bdi></label></div>
            """
        }
        return """
            <fieldset class="challenge-choice"><legend>\(word("challenge.meant"))</legend>\(HTML(joining: items))</fieldset>
            """
    }
}

extension FormFields<ChallengeField> {
    init(_ form: ChallengeForm, _ faults: [ChallengeField: ChallengeFault]) {
        self.init(style: "challenge", value: { form[$0] }, faults: faults.mapValues(\.sentence), label: \.label)
    }
}
