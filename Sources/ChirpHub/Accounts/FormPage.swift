internal import ChirpAccounts
internal import ChirpWeb

/// A page with one form: its fields, what was wrong with what was typed, and one button.
struct FormPage {
    struct Field {
        var name: String
        var label: String
        var type = "text"
        var autocomplete: String
        /// Of a check box: whether it is ticked, when there is any.
        var value = ""
        /// What it has to be like, under the label.
        var hint = ""
        var isRequired = true
    }

    /// Another way to the same goal: a form of one button.
    struct Door {
        var action: String
        var button: String
        var hidden: [(name: String, value: String)] = []
        /// It changes something; otherwise it opens a page.
        var isAct: Bool
    }

    var title: String
    /// The path that the form is sent to, without the prefix.
    var action: String
    var fields: [Field]
    var button: String
    /// What goes along unseen.
    var hidden: [(name: String, value: String)] = []
    var lead: HTML = .nothing
    var below: HTML = .nothing
    /// Stand between the form and what is below.
    var doors: [Door] = []
    /// What was wrong, as a sentence, and the field that it belongs to.
    var problem: (field: String?, sentence: String)?

    func html(token: String, prefix: String) -> HTML {
        Layout(prefix: prefix).page(
            title: "\(title) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <div class="form"><h1>\(title)</h1>
                <p role="status"></p>
                <div role="alert" class="problem">\(summary)</div>
                \(lead)
                <form method="post" action="\(prefix)\(action)">
                <input type="hidden" name="token" value="\(token)">\(HTML(joining: hidden.map(unseen)))
                \(HTML(joining: fields.map(field), separator: "\n"))
                <p><button class="main">\(button)</button></p>
                </form>
                \(HTML(joining: doors.map { door($0, token: token, prefix: prefix) }))\(below)\
                \(action.hasPrefix("/settings/") ? Self.wayBack(prefix) : .nothing)</div>
                """)
    }

    /// From a page of the settings to all of them.
    static func wayBack(_ prefix: String) -> HTML {
        "<p><a href=\"\(prefix)/settings\">\(word("account.back"))</a></p>"
    }

    private func unseen(_ field: (name: String, value: String)) -> HTML {
        "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">"
    }

    private func door(_ door: Door, token: String, prefix: String) -> HTML {
        let proof: HTML = door.isAct ? "<input type=\"hidden\" name=\"token\" value=\"\(token)\">" : .nothing
        return """
            <form method="\(door.isAct ? "post" : "get")" action="\(prefix)\(door.action)">\(proof)\(HTML(joining: door.hidden.map(unseen)))
            <p><button>\(door.button)</button></p></form>
            """
    }

    private var summary: HTML {
        guard let problem else { return .nothing }
        guard let field = problem.field else { return "<p>\(problem.sentence).</p>" }
        return "<p><a href=\"#\(field)\">\(problem.sentence).</a></p>"
    }

    private func field(_ field: Field) -> HTML {
        let isWrong = problem?.field == field.name
        let described: HTML =
            isWrong
            ? "<span class=\"problem\" id=\"\(field.name)-problem\">\(problem?.sentence ?? "").</span>"
            : field.hint.isEmpty ? .nothing : "<span class=\"hint\" id=\"\(field.name)-problem\">\(field.hint)</span>"
        let points: HTML =
            isWrong || !field.hint.isEmpty ? " aria-describedby=\"\(field.name)-problem\"" : .nothing
        let invalid: HTML = isWrong ? " aria-invalid=\"true\"" : .nothing
        let required: HTML = field.isRequired ? " required" : .nothing
        if field.type == "checkbox" {
            let checked: HTML = field.value.isEmpty ? .nothing : " checked"
            return """
                <p class="choice"><label for="\(field.name)"><input id="\(field.name)" name="\(field.name)" type="checkbox" \
                value="on"\(checked)> \(field.label)</label> \(described)</p>
                """
        }
        return """
            <p class="field"><label for="\(field.name)">\(field.label)</label>\(described)
            <input id="\(field.name)" name="\(field.name)" type="\(field.type)" autocomplete="\(field.autocomplete)" \
            value="\(field.value)"\(points)\(invalid)\(required)></p>
            """
    }
}

/// A page that says one thing.
struct NoticePage {
    var title: String
    var text: HTML

    func html(prefix: String) -> HTML {
        Layout(prefix: prefix).page(
            title: "\(title) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <div class="form"><h1>\(title)</h1>
                <div role="status">\(text)</div>
                <p role="alert"></p></div>
                """)
    }
}
