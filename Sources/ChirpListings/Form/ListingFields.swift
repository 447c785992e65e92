internal import ChirpWeb

/// The fields of a form: each with its label, a hint, and what is wrong with it beside it.
struct ListingFields {
    let form: ListingForm
    let faults: [ListingField: ListingFault]

    /// What stands beside a field, and what the field says of itself.
    private func beside(_ field: ListingField, _ hint: String) -> (text: HTML, attributes: HTML) {
        let name = field.rawValue
        var (text, points): (HTML, [String]) = (.nothing, [])
        if !hint.isEmpty {
            text = "<span class=\"hint\" id=\"\(name)-hint\">\(hint)</span>"
            points.append("\(name)-hint")
        }
        guard let fault = faults[field] else {
            return (text, points.isEmpty ? .nothing : " aria-describedby=\"\(points.joined(separator: " "))\"")
        }
        points.insert("\(name)-problem", at: 0)
        return (
            "<span class=\"problem\" id=\"\(name)-problem\">\(fault.sentence).</span>\(text)",
            " aria-describedby=\"\(points.joined(separator: " "))\" aria-invalid=\"true\""
        )
    }

    /// A field of one line.
    func line(
        _ field: ListingField, _ label: String, hint: String = "", type: String = "text", most: Int? = nil,
        isRequired: Bool = false, more: HTML = .nothing
    ) -> HTML {
        let (text, attributes) = beside(field, hint)
        let length: HTML = most.map { " maxlength=\"\($0)\"" } ?? .nothing
        return """
            <p class="field"><label for="\(field.rawValue)">\(label)</label>\(text)
            <input id="\(field.rawValue)" name="\(field.rawValue)" type="\(type)" autocomplete="off" \
            value="\(form[field])"\(length)\(attributes)\(isRequired ? " required" : .nothing)\(more)></p>
            """
    }

    /// A field of several lines.
    func lines(_ field: ListingField, _ label: String, hint: String = "", rows: Int = 4) -> HTML {
        let (text, attributes) = beside(field, hint)
        return """
            <p class="field"><label for="\(field.rawValue)">\(label)</label>\(text)
            <textarea id="\(field.rawValue)" name="\(field.rawValue)" rows="\(rows)" dir="auto"\(attributes)>\
            \(form[field])</textarea></p>
            """
    }

    /// One of several, from a list that opens.
    func list(_ field: ListingField, _ label: String, _ choices: [(value: String, name: String)], first: String? = nil)
        -> HTML
    {
        let (text, attributes) = beside(field, "")
        let none: HTML = first.map { "<option value=\"\">\($0)</option>" } ?? .nothing
        return """
            <p class="field"><label for="\(field.rawValue)">\(label)</label>\(text)
            <select id="\(field.rawValue)" name="\(field.rawValue)"\(attributes)>\(none)\
            \(Self.options(choices, chosen: form[field]))</select></p>
            """
    }

    static func options(_ choices: [(value: String, name: String)], chosen: String) -> HTML {
        HTML(
            joining: choices.map { choice in
                """
                <option value="\(choice.value)"\(choice.value == chosen ? " selected" : .nothing)>\(choice.name)</option>
                """
            })
    }

    /// One of several, all of them to be seen.
    ///
    /// - Parameter choices: each with what stands below its name.
    func choice(
        _ field: ListingField, _ legend: String, _ choices: [(value: String, name: String, below: HTML)]
    ) -> HTML {
        let (text, _) = beside(field, "")
        let items = choices.map { choice -> HTML in
            """
            <div class="choice"><label><input type="radio" name="\(field.rawValue)" value="\(choice.value)" \
            id="\(field.rawValue)-\(choice.value)"\(choice.value == form[field] ? " checked" : .nothing)> \
            \(choice.name)</label>\(choice.below)</div>
            """
        }
        return """
            <fieldset class="listing-choice listing-choice-\(field.rawValue)" id="\(field.rawValue)"><legend>\(legend)</legend>\
            \(text)\(HTML(joining: items, separator: "\n"))</fieldset>
            """
    }

    /// What was wrong, with ways to the fields.
    func summary(_ problem: String?) -> HTML {
        var lines: [HTML] = problem.map { ["<p>\($0).</p>"] } ?? []
        for field in ListingField.allCases {
            guard let fault = faults[field] else { continue }
            lines.append("<p><a href=\"#\(field.rawValue)\">\(name(of: field)): \(fault.sentence).</a></p>")
        }
        return HTML(joining: lines)
    }

    private func name(of field: ListingField) -> String {
        switch field {
        case .side: word("listing.field.side")
        case .category: word("listing.field.category")
        case .title: word("listing.field.title")
        case .text: word("listing.field.text")
        case .pictures: word("listing.field.pictures")
        case .clip: word("listing.field.clip")
        case .place: word("listing.field.place")
        case .at: word("listing.field.at")
        case .precision: word("listing.field.precision")
        case .from: word("listing.field.from")
        case .to: word("listing.field.to")
        case .handover: word("listing.field.handover")
        case .reward: word("listing.field.reward")
        case .phone: word("listing.field.phone")
        case .question: word("listing.field.question")
        case .outcome: word("listing.field.outcome")
        case .reason: word("listing.field.reason")
        case .sure: word("listing.field.sure")
        }
    }
}
