package import ChirpWeb

/// The fields of a board's form: each with its label, a hint, and what is wrong with it beside it.
package struct FormFields<Field> where Field: RawRepresentable & CaseIterable & Hashable, Field.RawValue == String {
    private let style: String
    private let value: (Field) -> String
    private let faults: [Field: String]
    private let label: (Field) -> String

    /// - Parameters:
    ///   - style: what classes of the board's style begin with.
    ///   - value: what was typed.
    ///   - faults: what is wrong, as sentences without their full stop.
    ///   - label: what a field is called where it is told what is wrong with it.
    package init(
        style: String, value: @escaping (Field) -> String, faults: [Field: String], label: @escaping (Field) -> String
    ) {
        self.style = style
        self.value = value
        self.faults = faults
        self.label = label
    }

    /// What stands beside a field, and what the field says of itself.
    private func beside(_ field: Field, _ hint: String) -> (text: HTML, attributes: HTML) {
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
            "<span class=\"problem\" id=\"\(name)-problem\">\(fault).</span>\(text)",
            " aria-describedby=\"\(points.joined(separator: " "))\" aria-invalid=\"true\""
        )
    }

    /// A field of one line.
    package func line(
        _ field: Field, _ label: String, hint: String = "", type: String = "text", most: Int? = nil,
        isRequired: Bool = false, more: HTML = .nothing
    ) -> HTML {
        let (text, attributes) = beside(field, hint)
        let length: HTML = most.map { " maxlength=\"\($0)\"" } ?? .nothing
        return """
            <p class="field"><label for="\(field.rawValue)">\(label)</label>\(text)
            <input id="\(field.rawValue)" name="\(field.rawValue)" type="\(type)" autocomplete="off" \
            value="\(value(field))"\(length)\(attributes)\(isRequired ? " required" : .nothing)\(more)></p>
            """
    }

    /// A field of several lines.
    package func lines(_ field: Field, _ label: String, hint: String = "", rows: Int = 4) -> HTML {
        let (text, attributes) = beside(field, hint)
        return """
            <p class="field"><label for="\(field.rawValue)">\(label)</label>\(text)
            <textarea id="\(field.rawValue)" name="\(field.rawValue)" rows="\(rows)" dir="auto"\(attributes)>\
            \(value(field))</textarea></p>
            """
    }

    /// One of several, from a list that opens.
    package func list(_ field: Field, _ label: String, _ choices: [(value: String, name: String)], first: String? = nil)
        -> HTML
    {
        let (text, attributes) = beside(field, "")
        let none: HTML = first.map { "<option value=\"\">\($0)</option>" } ?? .nothing
        return """
            <p class="field"><label for="\(field.rawValue)">\(label)</label>\(text)
            <select id="\(field.rawValue)" name="\(field.rawValue)"\(attributes)>\(none)\
            \(Self.options(choices, chosen: value(field)))</select></p>
            """
    }

    /// What a list that opens holds.
    package static func options(_ choices: [(value: String, name: String)], chosen: String) -> HTML {
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
    package func choice(
        _ field: Field, _ legend: String, _ choices: [(value: String, name: String, below: HTML)]
    ) -> HTML {
        let (text, _) = beside(field, "")
        let points: HTML = faults[field] == nil ? .nothing : " aria-describedby=\"\(field.rawValue)-problem\""
        let items = choices.map { choice -> HTML in
            """
            <div class="choice"><label><input type="radio" name="\(field.rawValue)" value="\(choice.value)" \
            id="\(field.rawValue)-\(choice.value)"\(choice.value == value(field) ? " checked" : .nothing)> \
            \(choice.name)</label>\(choice.below)</div>
            """
        }
        return """
            <fieldset class="\(style)-choice \(style)-choice-\(field.rawValue)" id="\(field.rawValue)"\(points)><legend>\(legend)</legend>\
            \(text)\(HTML(joining: items, separator: "\n"))</fieldset>
            """
    }

    /// What was wrong, with ways to the fields.
    package func summary(_ problem: String?) -> HTML {
        var lines: [HTML] = problem.map { ["<p>\($0).</p>"] } ?? []
        for field in Field.allCases {
            guard let fault = faults[field] else { continue }
            lines.append("<p><a href=\"#\(field.rawValue)\">\(label(field)): \(fault).</a></p>")
        }
        return HTML(joining: lines)
    }
}
