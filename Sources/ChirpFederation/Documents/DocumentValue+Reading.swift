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
        guard bytes.count <= Self.mostBytes else { throw .tooLarge(limit: Self.mostBytes) }
        try Self.checkShape(bytes)
        guard let value = try? JSONDecoder().decode(DocumentValue.self, from: Data(bytes)) else { throw .notJSON }
        self = value
    }

    /// Depth and number of values are known from the marks outside of texts, before anything is built.
    private static func checkShape(_ bytes: [UInt8]) throws(DocumentError) {
        var (depth, values, isText, isEscaped) = (0, 1, false, false)
        for byte in bytes {
            // JSON has no such byte; in UTF-16 and UTF-32, which are not taken (RFC 8259, section 8.1), every mark has one.
            if byte == 0 { throw .notJSON }
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                values += 1
                guard depth <= mostDepth else { throw .tooDeep(limit: mostDepth) }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ","): values += 1
            default: break
            }
            guard values <= mostValues else { throw .tooMany(limit: mostValues) }
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

extension DocumentValue: Decodable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let members = try? container.decode([String: DocumentValue].self) {
            self = .object(members)
        } else if let items = try? container.decode([DocumentValue].self) {
            self = .list(items)
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else {
            self = .number(try container.decode(Double.self))
        }
    }
}
