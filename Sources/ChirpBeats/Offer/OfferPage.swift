internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb

/// Where an author says which licences a work is offered under.
struct OfferPage {
    let track: Track
    let offers: [LicenceOffer]
    let form: OfferForm
    /// Texts that there are to choose from.
    let texts: [(id: HubID, name: String)]
    /// What there is to deliver.
    let files: Set<LicenceTerms.File>
    let faults: [OfferField: OfferFault]
    let problem: String?
    let layout: BeatLayout
    let links: HubLinks

    private var path: String { "\(links.prefix)\(track.path)/licences" }

    private var fields: FormFields<OfferField> {
        FormFields(
            style: "beat", value: { form[$0] }, faults: faults.mapValues(\.sentence), label: \.label)
    }

    var html: HTML {
        let templates = LicenceTemplate.allCases.map { template -> HTML in
            """
            <li><a class="act" href="\(path)?template=\(template.rawValue)#name">\(template.name(in: .here))</a></li>
            """
        }
        return layout.page(
            title: word("beat.offer.title"), head: BeatLayout.unlisted,
            body: """
                <div class="form wide beat-form"><h1>\(word("beat.offer.title"))</h1>
                <p role="status"></p>
                <p><a href="\(links.prefix)\(track.path)" dir="auto">\(track.item.title)</a></p>
                <p>\(word("beat.offer.lead"))</p>
                <div role="alert" class="problem">\(fields.summary(problem))</div>
                \(there)
                <h2 class="section">\(form.old == nil ? word("beat.offer.new") : word("beat.offer.change"))</h2>
                <p>\(word("beat.offer.template"))</p><ul class="tags" role="list">\(HTML(joining: templates))</ul>
                \(formHTML)</div>
                """)
    }

    private var there: HTML {
        guard !offers.isEmpty else { return "<p>\(word("beat.offer.none"))</p>" }
        let items = offers.map { offer -> HTML in
            """
            <li><h3 dir="auto">\(offer.name)</h3><p><b>\(offer.terms.price.words(in: .here))</b></p>
            \(OfferView.terms(offer.terms))<div class="actions"><a class="act" href="\(path)?change=\(offer.id.text)#name">\
            \(word("beat.edit"))<span class="visually-hidden"> \(offer.name)</span></a>
            <form method="post" action="\(path)/\(offer.id.text)/closure"><input type="hidden" name="token" value="\(layout.token ?? "")">\
            <button class="act">\(word("beat.offer.end"))<span class="visually-hidden"> \(offer.name)</span></button></form></div></li>
            """
        }
        return "<ul class=\"beat-like\" role=\"list\">\(HTML(joining: items, separator: "\n"))</ul>"
    }

    private func box(_ name: String, _ value: String, _ label: String, isOn: Bool) -> HTML {
        """
        <p class="choice"><label><input type="checkbox" name="\(name)" value="\(value)"\(isOn ? " checked" : .nothing)> \
        \(label)</label></p>
        """
    }

    private var formHTML: HTML {
        let wrong: HTML =
            faults[.files].map { "<span class=\"problem\" id=\"files-problem\">\($0.sentence).</span>" } ?? .nothing
        let describes: HTML = faults[.files] == nil ? .nothing : " aria-describedby=\"files-problem\""
        let boxes = LicenceTerms.File.allCases.filter { files.contains($0) || form.files.contains($0) }.map {
            box("files", $0.rawValue, $0.name, isOn: form.files.contains($0))
        }
        let none: HTML = boxes.isEmpty ? "<p class=\"problem\">\(word("beat.offer.nofiles")).</p>" : .nothing
        let prices: [(value: String, name: String, below: HTML)] = [
            ("amount", word("beat.price.kind.amount"), .nothing), ("offer", word("beat.price.offer"), .nothing),
            ("free", word("beat.price.free"), .nothing),
        ]
        let currencies = TrackPrice.Currency.allCases.map { (value: $0.rawValue, name: $0.rawValue) }
        return """
            <form method="post" action="\(path)"><input type="hidden" name="token" value="\(layout.token ?? "")">\
            <input type="hidden" name="old" value="\(form.old?.text ?? "")">
            \(fields.line(.name, OfferField.name.label, most: OfferDraft.longestName, isRequired: true))
            \(fields.list(.text, OfferField.text.label, texts.map { ($0.id.text, $0.name) }))
            <p><a href="\(links.prefix)\(BeatDesk.path)/texts">\(word("beat.text.texts"))</a></p>
            \(fields.choice(.price, OfferField.price.label, prices))
            \(fields.line(.amount, OfferField.amount.label, hint: word("beat.hint.amount"), most: 20, more: " inputmode=\"decimal\""))
            \(fields.list(.currency, OfferField.currency.label, currencies))
            <fieldset class="beat-group" id="files"\(describes)><legend>\(OfferField.files.label)</legend>\(wrong)\(none)\(HTML(joining: boxes))</fieldset>
            <fieldset class="beat-group"><legend>\(word("beat.offer.limits"))</legend>
            \(fields.line(.copies, OfferField.copies.label, hint: word("beat.offer.hint.limit"), most: 10, more: " inputmode=\"numeric\""))
            \(fields.line(.streams, OfferField.streams.label, most: 10, more: " inputmode=\"numeric\""))
            \(fields.line(.years, OfferField.years.label, most: 2, more: " inputmode=\"numeric\""))
            \(box("credit", "yes", OfferField.credit.label, isOn: form[.credit] == "yes"))\(box("profit", "yes", OfferField.profit.label, isOn: form[.profit] == "yes"))\
            \(box("exclusive", "yes", OfferField.exclusive.label, isOn: form[.exclusive] == "yes"))</fieldset>
            <p><button class="main">\(word("beat.offer.send"))</button></p></form>
            """
    }
}
