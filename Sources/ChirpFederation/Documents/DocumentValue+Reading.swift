internal import ChirpCore
internal import ChirpHTTP
internal import ChirpNetworks
internal import FoundationEssentials

extension DocumentValue {
    /// More than any server sends: a post of 10,000 characters with all its languages takes some 100 KiB.
    package static let mostBytes = 1 << 20
    package static let mostDepth = 32
    package static let mostValues = 5000

    /// Reads a stranger's document.
    ///
    /// - Throws: more than ``mostBytes``, ``mostDepth`` or ``mostValues``, and what is no JSON.
    package init(reading bytes: [UInt8]) throws(DocumentError) {
        let limits = UntrustedJSON.Limits(bytes: Self.mostBytes, depth: Self.mostDepth, values: Self.mostValues)
        let parsed: ParsedJSON
        do throws(UntrustedJSON.Fault) { parsed = try UntrustedJSON.value(of: bytes, limits) } catch {
            switch error {
            case .tooLarge(let limit): throw .tooLarge(limit: limit)
            case .tooDeep(let limit): throw .tooDeep(limit: limit)
            case .tooMany(let limit): throw .tooMany(limit: limit)
            case .notJSON: throw .notJSON
            }
        }
        try self.init(parsed)
    }

    private init(_ parsed: ParsedJSON) throws(DocumentError) {
        switch parsed {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .number(let text):
            guard let number = text.finite else { throw .notJSON }
            self = .number(number)
        case .text(let text): self = .text(text)
        case .list(let items):
            var values: [DocumentValue] = []
            for item in items { values.append(try DocumentValue(item)) }
            self = .list(values)
        case .object(let members):
            var values: [String: DocumentValue] = [:]
            for (name, member) in members { values[name] = try DocumentValue(member) }
            self = .object(values)
        }
    }

    /// The id that a member names: a text, an object with an id, or the first of several.
    func id(_ name: String) -> ObjectID? { self[name]?.items.first?.id }

    /// The id of this value itself.
    var id: ObjectID? { (text ?? self["id"]?.text).flatMap(ObjectID.init) }

    /// The id that a member must name.
    func neededID(_ name: String) throws(DocumentError) -> ObjectID {
        guard let value = self[name], !value.items.isEmpty else { throw .missing(name) }
        guard let id = value.items.first?.id else { throw .malformed(name) }
        return id
    }

    /// The address of a link: a text, or an object with `href` or `url`.
    var link: WebAddress? {
        (text ?? self["href"]?.text ?? self["url"]?.items.first?.linkText).flatMap { WebAddress($0) }
    }

    private var linkText: String? { text ?? self["href"]?.text }

    /// The address that a member names, the first of several.
    func link(_ name: String) -> WebAddress? { self[name]?.items.first?.link }

    /// The address for people: a page where types are said, else the first one.
    var page: WebAddress? {
        let links = (self["url"]?.items ?? []).prefix(32)
        return (links.first { $0["mediaType"]?.text == "text/html" } ?? links.first)?.link
    }

    /// The names of its type, at least one.
    func types() throws(DocumentError) -> [String] {
        guard let value = self["type"] else { throw .missing("type") }
        let types = value.items.prefix(16).compactMap(\.text)
        guard !types.isEmpty else { throw .malformed("type") }
        return types
    }

    /// A member as plain text on one line; empty when it is none.
    func plain(_ name: String, limit: Int) -> String { PlainText(self[name]?.text ?? "", limit: limit).value }

    /// A member that is HTML, as plain text with its lines; empty when it is none.
    func plainHTML(_ name: String, limit: Int) -> String { Self.plain(html: self[name]?.text ?? "", limit: limit) }

    static func plain(html: String, limit: Int) -> String { PlainText.lines(StatusHTML(html).text, limit: limit) }

    func date(_ name: String) -> Date? { self[name]?.text.flatMap(InstantText.parse) }
}
