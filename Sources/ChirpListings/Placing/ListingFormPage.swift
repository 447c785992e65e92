internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpMap
internal import ChirpPlaces
internal import ChirpWeb

/// Where a listing is placed, or changed: one page, group by group, which works without script.
struct ListingFormPage {
    let form: ListingForm
    /// What is changed; nil: a new one is placed.
    let listing: Listing?
    let reading: ListingForm.Reading
    /// What was wrong that belongs to no field; a sentence without its full stop.
    let problem: String?
    let token: String
    let takesPictures: Bool
    let takesClips: Bool
    let ground: MapGround
    let links: HubLinks

    private var fields: ListingFields { ListingFields(form: form, faults: reading.faults) }
    private var title: String { listing == nil ? word("listing.new.title") : word("listing.edit.title") }
    private var send: String { listing == nil ? word("listing.new.send") : word("listing.edit.send") }
    private var action: String { listing.map { "\($0.path)/edit" } ?? "\(ListingDesk.path)/new" }

    var html: HTML {
        let facts = ["takesPictures": takesPictures ? "yes" : "", "takesClips": takesClips ? "yes" : ""]
        return ListingLayout(links: links, token: token, facts: facts, ground: ground).page(
            title: title, head: ListingLayout.unlisted,
            body: """
                <div class="form wide listing-form"><h1>\(title)</h1>
                <p role="status"></p>
                <div role="alert" class="problem">\(fields.summary(problem))</div>
                <form method="post" action="\(links.prefix)\(action)" enctype="multipart/form-data" data-listing-form>
                <input type="hidden" name="token" value="\(token)"><input type="hidden" name="key" value="\(form.key)">\
                <input type="hidden" name="offset" value="\(form.offset)">\(version)
                <button class="visually-hidden" tabindex="-1" aria-hidden="true">\(send)</button>
                \(HTML(joining: [what, shown, whereabouts, when, answers], separator: "\n"))
                <p><button class="main">\(send)</button></p>
                </form></div>
                """)
    }

    private var version: HTML {
        let language = form.language ?? Language.current.rawValue
        let number: HTML = form.version.map { "<input type=\"hidden\" name=\"version\" value=\"\($0)\">" } ?? .nothing
        return "<input type=\"hidden\" name=\"language\" value=\"\(language)\">\(number)"
    }

    private func group(_ legend: String, _ content: HTML) -> HTML {
        "<fieldset class=\"listing-group\"><legend>\(legend)</legend>\n\(content)\n</fieldset>"
    }

    private var what: HTML {
        let side: HTML =
            listing.map { "<p><b>\($0.side.name)</b></p>" }
            ?? fields.choice(
                .side, word("listing.field.side"),
                Listing.Side.allCases.map {
                    ($0.rawValue, $0 == .lost ? word("listing.new.lost") : word("listing.new.found"), .nothing)
                })
        return group(
            word("listing.group.what"),
            """
            \(side)
            \(fields.list(.category, word("listing.field.category"), Listing.Category.allCases.map { ($0.rawValue, $0.name) }, first: word("listing.choose")))
            \(fields.line(.title, word("listing.field.title"), hint: word("listing.hint.title"), most: ListingDraft.longestTitle, isRequired: true))
            \(fields.lines(.text, word("listing.field.text"), hint: word("listing.hint.text"), rows: 5))
            """)
    }

    private var shown: HTML {
        guard takesPictures || takesClips || !form.pictures.isEmpty || form.clip != nil else { return .nothing }
        return group(word("listing.group.shown"), "\(pictures)\n\(voice)")
    }

    private var pictures: HTML {
        guard takesPictures || !form.pictures.isEmpty else { return .nothing }
        let kept = form.pictures.enumerated().map { index, id -> HTML in
            let name = word("listing.picture", ["number": "\(index + 1)"])
            return """
                <li><input type="hidden" name="pictures" value="\(id.text)">\
                <img src="\(links.picture(id, .small, below: links.prefix))" width="120" height="120" alt="\(name)">
                <label><input type="checkbox" name="without" value="\(id.text)"> \(word("listing.picture.without"))</label></li>
                """
        }
        let wrong: HTML =
            reading.faults[.pictures].map { "<span class=\"problem\" id=\"pictures-problem\">\($0.sentence).</span>" }
            ?? .nothing
        let points: HTML =
            reading.faults[.pictures] == nil
            ? " aria-describedby=\"files-hint\""
            : " aria-describedby=\"pictures-problem files-hint\" aria-invalid=\"true\""
        return """
            <div class="field" id="pictures"><label for="files">\(word("listing.field.pictures"))</label>\(wrong)
            <span class="hint" id="files-hint">\(word("listing.hint.pictures", ["most": "\(ItemDraft.mostPictures)"]))</span>
            <input id="files" name="files" type="file" accept="image/*" multiple\(points)>
            <ul class="listing-pictures" data-pictures>\(HTML(joining: kept))</ul></div>
            """
    }

    private var voice: HTML {
        guard takesClips || form.clip != nil else { return .nothing }
        let kept: HTML =
            form.clip.map { id in
                """
                <div><input type="hidden" name="clip" value="\(id.text)">\
                <audio controls preload="none" src="\(links.prefix)/media/\(id.text).mp3" aria-label="\(word("listing.field.clip"))"></audio>
                <label><input type="checkbox" name="without" value="\(id.text)"> \(word("listing.clip.without"))</label></div>
                """
            } ?? .nothing
        return ListingVoice(name: "voice", fault: reading.faults[.clip], kept: kept).html
    }

    private var whereabouts: HTML {
        let precision = PositionPrecision.allCases.map { precision -> (value: String, name: String, below: HTML) in
            let picture = PrecisionPicture.html(precision)
            return (precision.rawValue, precision.name, "<span class=\"hint\">\(precision.meaning)</span>\(picture)")
        }
        return group(
            word("listing.group.where"),
            """
            \(fields.line(.place, word("listing.field.place"), hint: word("listing.hint.place"), most: ListingDraft.longestPlace))
            \(others)
            <div class="field" id="at" role="group" aria-labelledby="at-name"\(pinPoints)>\
            <b id="at-name">\(word("listing.field.at"))</b>\(wrongPin)
            <span class="hint">\(word("listing.hint.at"))</span>
            <p class="actions" data-enhanced hidden><button type="button" data-here>\(word("listing.here"))</button></p>
            \(form.picker.html(ground: ground))</div>
            \(fields.choice(.precision, word("listing.field.precision"), precision))
            """)
    }

    private var pinPoints: HTML {
        reading.faults[.at] == nil ? .nothing : " aria-describedby=\"at-problem\""
    }

    private var wrongPin: HTML {
        reading.faults[.at].map { "<span class=\"problem\" id=\"at-problem\">\($0.sentence).</span>" } ?? .nothing
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
            <fieldset class="listing-choice"><legend>\(word("listing.meant"))</legend>\(HTML(joining: items))</fieldset>
            """
    }

    private var when: HTML {
        group(
            word("listing.group.when"),
            """
            <p class="hint" data-utc>\(word("listing.hint.when"))</p>
            \(fields.line(.from, word("listing.field.from"), type: "datetime-local"))
            \(fields.line(.to, word("listing.field.to"), hint: word("listing.hint.to"), type: "datetime-local"))
            """)
    }

    private var answers: HTML {
        group(
            word("listing.group.back"),
            """
            \(fields.list(.handover, word("listing.field.handover"), Listing.Handover.allCases.map { ($0.rawValue, $0.name) }))
            \(fields.line(.reward, word("listing.field.reward"), most: ListingDraft.longestReward))
            \(fields.line(.question, word("listing.field.question"), hint: word("listing.hint.question"), most: ListingDraft.longestQuestion))
            \(fields.line(.phone, word("listing.field.phone"), hint: word("listing.hint.phone"), type: "tel", most: 40))
            """)
    }
}

/// A field for what is said: a file, and with the script a recorder.
struct ListingVoice {
    /// Of the file's field.
    let name: String
    var fault: ListingFault?
    /// What there is already.
    var kept: HTML = .nothing

    var html: HTML {
        let wrong: HTML = fault.map { "<span class=\"problem\" id=\"clip-problem\">\($0.sentence).</span>" } ?? .nothing
        let points: HTML =
            fault == nil
            ? " aria-describedby=\"\(name)-hint\""
            : " aria-describedby=\"clip-problem \(name)-hint\" aria-invalid=\"true\""
        return """
            <div class="field" id="clip" data-voice><label for="\(name)">\(word("listing.field.clip"))</label>\(wrong)
            <span class="hint" id="\(name)-hint">\(word("listing.hint.clip"))</span>
            <input id="\(name)" name="\(name)" type="file" accept="audio/*"\(points)>
            <p class="actions" data-enhanced hidden><button type="button" data-speak>\(word("listing.speak"))</button>
            <span data-spoken></span></p>
            <div data-voice-kept>\(kept)</div></div>
            """
    }
}
