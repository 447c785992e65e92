internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird

/// What somebody says of a draft. What is not said stays as it is; an end that is null is found by where sound is.
struct DraftFields {
    private(set) var title: String?
    private(set) var text: String?
    /// Said, perhaps to be nothing.
    private(set) var from: Double??
    private(set) var to: Double??
    private(set) var visibility = HubPost.Visibility.published
    private(set) var language: String?
    private(set) var transcript = ""
    private(set) var onward: [String] = []
    /// The id of the post that it answers.
    private(set) var answers: String?
    /// The name of the one for whom it is, without its sign.
    private(set) var recipient: String?

    /// A transcript of an hour is some 60 kB.
    static let mostBytes = 300 << 10
    private static let longestTitle = 200
    private static let longestTranscript = 60_000
    /// No recording is longer, in seconds.
    private static let longest = 1_000_000.0

    /// - Throws: ``Problem`` for what cannot be taken.
    init(_ request: Request) async throws {
        let bytes = try await request.body.collect(upTo: Self.mostBytes).readableBytesView
        guard !bytes.isEmpty else { return }
        let type = (request.headers[.contentType] ?? "").lowercased().prefix { $0 != ";" && $0 != " " }
        let said: Said
        switch type {
        case "application/json":
            let limits = UntrustedJSON.Limits(bytes: Self.mostBytes, depth: 8, values: TooManyFields.most)
            do throws(UntrustedJSON.Fault) {
                said = try UntrustedJSON.decode(Said.self, from: Array(bytes), limits)
            } catch {
                throw Problem(error)
            }
        case "application/x-www-form-urlencoded":
            do throws(TooManyFields) { said = Said(form: try PercentEncoding.fields(ofForm: bytes)) } catch {
                throw Problem(error)
            }
        default: throw Problem(.unsupportedMediaType, "media-type", "JSON or a form is expected here")
        }
        try take(said)
    }

    private mutating func take(_ said: Said) throws {
        title = said.texts["title"].map { PlainText($0, limit: Self.longestTitle).value }
        text = said.texts["text"].map { PlainText.lines($0, limit: HubDraft.longestText) }
        guard text?.isWithin(HubDraft.longestText) ?? true else { throw Self.invalid("text") }
        transcript = PlainText.lines(said.texts["transcript"] ?? "", limit: Self.longestTranscript)
        answers = said.texts["answers"].flatMap { $0.isEmpty ? nil : $0 }
        onward = said.onward
        from = try Self.instant("from", said)
        if let name = said.texts["to"], name.hasPrefix("@") {
            recipient = String(name.dropFirst())
        } else {
            to = try Self.instant("to", said)
        }
        if let name = said.texts["visibility"], !name.isEmpty {
            guard let visibility = HubPost.Visibility(client: name) else { throw Self.invalid("visibility") }
            self.visibility = visibility
        }
        if recipient != nil { visibility = .direct }
        guard visibility != .direct || recipient != nil else { throw Self.invalid("visibility") }
        if let tag = said.texts["language"], !tag.isEmpty {
            let letters = CharacterSet.languageTag
            guard tag.utf8.count <= 35, tag.utf8.allSatisfy(letters.contains) else { throw Self.invalid("language") }
            language = tag
        }
    }

    /// What a draft is to be, with what was said.
    ///
    /// - Throws: 422 for a part that is none.
    func wish(for draft: HubDraft) throws -> HubDraft.Wish {
        var wish = draft.wish
        if let title { wish.title = title }
        if let from { wish.from = from }
        if let to { wish.to = to }
        if let from = wish.from, let to = wish.to, to < from + 0.01 { throw Self.invalid("to") }
        if let from = wish.from, let seconds = draft.recording?.seconds, seconds > 0, from >= seconds {
            throw Self.invalid("from")
        }
        return wish
    }

    private static func instant(_ name: String, _ said: Said) throws -> Double?? {
        if said.empty.contains(name) { return .some(nil) }
        guard let text = said.texts[name] else { return nil }
        if text.isEmpty { return .some(nil) }
        guard let seconds = text.decimal(in: 0...longest) else { throw invalid(name) }
        // As clips are cut; so the same part is the same wish.
        return .some((seconds * 100).rounded() / 100)
    }

    static func invalid(_ name: String) -> Problem {
        Problem(
            .unprocessableContent, "invalid", "A field of the request cannot be taken", fields: [name: "cannot be that"]
        )
    }

    private enum CharacterSet {
        static let languageTag = Set(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-".utf8)
    }
}

/// A form or a JSON object as it came: texts, numbers as text, and which names are null.
private struct Said: Decodable {
    var texts: [String: String] = [:]
    var empty: Set<String> = []
    var onward: [String] = []

    private struct Name: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private static let names = [
        "title", "text", "from", "to", "visibility", "language", "transcript", "answers",
    ]

    init(form: [(name: String, value: String)]) {
        for field in form {
            if field.name == "onward" || field.name == "onward[]" {
                onward.append(field.value)
            } else if Self.names.contains(field.name), texts[field.name] == nil {
                texts[field.name] = field.value
            }
        }
    }

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Name.self)
        for name in Self.names {
            let key = Name(stringValue: name)
            guard object.contains(key) else { continue }
            if try object.decodeNil(forKey: key) {
                empty.insert(name)
            } else if let text = try? object.decode(String.self, forKey: key) {
                texts[name] = text
            } else {
                texts[name] = "\(try object.decode(Double.self, forKey: key))"
            }
        }
        let key = Name(stringValue: "onward")
        if object.contains(key), try !object.decodeNil(forKey: key) {
            onward = try object.decode([String].self, forKey: key)
        }
    }
}
