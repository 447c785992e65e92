internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// Texts of contracts that a seller has written: each change is another version, and what was sold keeps its own.
struct TextRoutes {
    let desk: BeatDesk
    let sales: SaleDesk

    private static let path = "\(BeatDesk.path)/texts"
    private static let api = "\(BeatDesk.api)/texts"
    /// A body of the longest text, escaped.
    private static let mostBytes = 256 << 10

    var routes: [WebRoute] {
        [
            .get(Self.path, .active) { request, context in
                try await desk.answering(request) {
                    let own = try await sales.texts.newest(by: try context.account)
                    return try await page(try await begun(own, request), own, request, context)
                }
            },
            .post(Self.path, .active) { request, context, form in
                try await desk.answering(request) {
                    let text = TextForm { form[$0] }
                    do {
                        _ = try await write(text, context)
                        return desk.desk.goOn(to: Self.path)
                    } catch let refusal as LicenceRefusal where refusal.status != .notFound {
                        let own = try await sales.texts.newest(by: try context.account)
                        return try await page(text, own, request, context, refusal)
                    }
                }
            },
            .api(
                .get, Self.api, .active, scope: "read:orders",
                summary: "The newest versions of one's own texts of contracts"
            ) { _, context in
                let own = try await sales.texts.newest(by: try context.account)
                return try .json(own.map(TextDocument.init)).personal
            },
            .api(
                .post, Self.api, .active, scope: "write:orders", body: .upTo(Self.mostBytes),
                summary: "Writes a text of a contract, or another version of one",
                takes: [
                    .text("title"), .text("body", "with variables such as {licensee}"), .text("language", "en or de"),
                    .text("line", isRequired: false, "of the text that this is another version of"),
                    .number("version", "the newest of it that was seen"),
                ], gives: 201
            ) { request, context in
                try await desk.answering(request) {
                    let fields = try await request.fields(upTo: Self.mostBytes)
                    let written = try await write(TextForm { fields[$0] ?? "" }, context)
                    return try .json(TextDocument(written), status: .created).personal
                }
            },
        ]
    }

    private struct TextDocument: Encodable {
        let id, line, title, body, language, sha256: String
        let version: Int
        let made: Date

        init(_ text: LicenceTextVersion) {
            (id, line, version, made, sha256) = (text.id.text, text.line, text.version, text.made, text.sha256)
            (title, body, language) = (text.text.title, text.text.body, text.text.language.rawValue)
        }
    }

    private func write(_ form: TextForm, _ context: WebContext) async throws -> LicenceTextVersion {
        guard let language = LicenceLanguage(rawValue: form.language) else {
            throw LicenceRefusal.fields([.language: .unknown])
        }
        try await desk.consume("beat-texts", RateRule(100, per: 24 * 3600), context)
        let draft = LicenceTextStore.Draft(
            title: form.title, body: form.body.replacing("\r\n", with: "\n"), language: language)
        let account = try context.account
        guard !form.line.isEmpty else { return try await sales.texts.create(draft, by: account) }
        return try await sales.texts.supersede(form.line, version: form.version, by: draft, account: account)
    }

    /// Empty, as a template has it, or one of her own.
    private func begun(_ own: [LicenceTextVersion], _ request: Request) async throws -> TextForm {
        if let line = request.asked["change"], let text = own.first(where: { $0.line == line }) {
            return TextForm(text.text, line: text.line, version: text.version)
        }
        guard let template = request.asked["template"].flatMap({ LicenceTemplate(rawValue: $0) }) else {
            return TextForm { $0 == "language" ? LicenceLanguage.here.rawValue : "" }
        }
        return TextForm(try await sales.texts.template(template, in: .here).text, line: "", version: 0)
    }

    private func page(
        _ form: TextForm, _ own: [LicenceTextVersion], _ request: Request, _ context: WebContext,
        _ refusal: LicenceRefusal? = nil
    ) async throws -> Response {
        desk.show(request, context, status: refusal?.status ?? .ok) { token in
            TextPage(form: form, own: own, refusal: refusal, layout: desk.layout(token), links: desk.links).html
        }
    }
}

/// What somebody has typed as a text.
struct TextForm {
    var title, body, language, line: String
    var version: Int

    init(_ one: (String) -> String) {
        (title, body, language, line) = (one("title"), one("body"), one("language"), one("line"))
        version = one("version").integer(in: 0 ... .max) ?? 0
    }

    init(_ text: LicenceText, line: String, version: Int) {
        (title, body, language) = (text.title, text.body, text.language.rawValue)
        (self.line, self.version) = (line, version)
    }
}

/// Where a seller writes texts of contracts.
struct TextPage {
    let form: TextForm
    let own: [LicenceTextVersion]
    let refusal: LicenceRefusal?
    let layout: BeatLayout
    let links: HubLinks

    var html: HTML {
        let path = "\(links.prefix)\(BeatDesk.path)/texts"
        var faults: [LicenceField: LicenceFault] = [:]
        if case .fields(let found) = refusal { faults = found }
        let values: [LicenceField: String] = [.title: form.title, .body: form.body, .language: form.language]
        let fields = FormFields<LicenceField>(
            style: "beat", value: { values[$0] ?? "" }, faults: faults.mapValues(\.sentence),
            label: { field in
                switch field {
                case .title: word("beat.text.title")
                case .body: word("beat.offer.text")
                default: word("beat.text.language")
                }
            })
        let items = own.map { text -> HTML in
            """
            <li><a href="\(path)?change=\(text.line)#title" dir="auto">\(text.text.title)</a> (\(text.version))</li>
            """
        }
        let variables = LicenceVariable.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
        let languages = [(value: "en", name: "English"), (value: "de", name: "Deutsch")]
        return layout.page(
            title: word("beat.text.texts"), head: BeatLayout.unlisted,
            body: """
                <div class="form wide beat-form"><h1>\(word("beat.text.texts"))</h1>
                <p role="status"></p><p>\(word("beat.text.lead"))</p>
                <div role="alert" class="problem">\(fields.summary(faults.isEmpty ? refusal?.sentence : nil))</div>
                <ul>\(HTML(joining: items))</ul>
                <ul class="tags" role="list"><li><a class="act" href="\(path)?template=wav#title">\(word("beat.text.lease"))</a></li>\
                <li><a class="act" href="\(path)?template=exclusive#title">\(word("beat.text.exclusive"))</a></li></ul>
                <form method="post" action="\(path)"><input type="hidden" name="token" value="\(layout.token ?? "")">\
                <input type="hidden" name="line" value="\(form.line)"><input type="hidden" name="version" value="\(form.version)">
                \(fields.line(.title, word("beat.text.title"), most: LicenceText.longestTitle, isRequired: true))
                \(fields.list(.language, word("beat.text.language"), languages))
                \(fields.lines(.body, word("beat.offer.text"), hint: word("beat.text.hint", ["variables": variables]), rows: 20))
                <p><button class="main">\(word("beat.role.send"))</button></p></form></div>
                """)
    }
}
