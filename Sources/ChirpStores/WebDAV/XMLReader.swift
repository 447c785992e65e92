/// A strict pull reader for the XML of protocol answers (XML 1.0 and Namespaces in XML 1.0, UTF-8).
///
/// Answers come from strangers: there is no DTD, so no entity can grow or fetch anything; depth and attributes are bounded, the
/// length by who hands the bytes over. Comments, processing instructions and the declaration are passed over.
package struct XMLReader {
    /// A name with the namespace that its prefix stands for; prefixes are anybody's choice.
    package struct Name: Hashable, Sendable {
        package let namespace: String
        package let local: String

        package init(namespace: String, local: String) {
            self.namespace = namespace
            self.local = local
        }
    }

    package enum Event: Hashable, Sendable {
        case start(Name)
        case end(Name)
        /// Character data; one run may come in several pieces.
        case text(String)
    }

    /// Not XML, or more than is allowed of it.
    package struct Fault: Error, Hashable {
        /// Byte offset of where it was noticed.
        package let offset: Int
        package let reason: String
    }

    private static let deepest = 64
    private static let mostAttributes = 64
    /// Namespaces that hold at one place. Each element that declares one copies all.
    private static let mostNamespaces = 64

    private let bytes: [UInt8]
    private var index = 0
    private var open: [(raw: [UInt8], name: Name, scope: [[UInt8]: String])] = []
    private var pendingEnd = false
    private var hasRoot = false

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// The next event; nil at the end of a complete document.
    package mutating func next() throws(Fault) -> Event? {
        if pendingEnd {
            pendingEnd = false
            return .end(open.removeLast().name)
        }
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "<") else {
                let text = try text()
                if open.isEmpty {
                    guard text.utf8.allSatisfy(Self.isSpace) else { throw fault("text outside of the document") }
                    continue
                }
                return .text(text)
            }
            if skip("<!--") {
                try pass("-->")
            } else if skip("<?") {
                try pass("?>")
            } else if skip("<![CDATA[") {
                guard !open.isEmpty else { throw fault("text outside of the document") }
                let start = index
                try pass("]]>")
                return .text(try string(bytes[start..<index - 3]))
            } else if skip("<!") {
                throw fault("a document type is not allowed")
            } else if skip("</") {
                return try endTag()
            } else {
                index += 1
                return try startTag()
            }
        }
        guard open.isEmpty, hasRoot else { throw fault("it ends too early") }
        return nil
    }

    // MARK: tags

    private mutating func startTag() throws(Fault) -> Event {
        guard open.count < Self.deepest else { throw fault("too deep") }
        guard !open.isEmpty || !hasRoot else { throw fault("a second document") }
        let raw = try rawName()
        var scope = open.last?.scope ?? [Array("xml".utf8): "http://www.w3.org/XML/1998/namespace"]
        for _ in 0...Self.mostAttributes {
            let hadSpace = skipSpace()
            if skip("/>") {
                pendingEnd = true
            } else if !skip(">") {
                guard hadSpace else { throw fault("a space is missing") }
                try attribute(&scope)
                continue
            }
            guard scope.count <= Self.mostNamespaces else { throw fault("too many namespaces") }
            hasRoot = true
            let name = try resolve(raw, scope)
            open.append((raw, name, scope))
            return .start(name)
        }
        throw fault("too many attributes")
    }

    /// Reads one; only those that declare namespaces matter.
    private mutating func attribute(_ scope: inout [[UInt8]: String]) throws(Fault) {
        let name = try rawName()
        skipSpace()
        guard skip("=") else { throw fault("an attribute without a value") }
        skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") else {
            throw fault("a value without quotes")
        }
        let quote = bytes[index]
        index += 1
        let start = index
        while index < bytes.count, bytes[index] != quote {
            guard bytes[index] != UInt8(ascii: "<") else { throw fault("'<' in a value") }
            index += 1
        }
        guard index < bytes.count else { throw fault("it ends too early") }
        let value = try unescaped(bytes[start..<index])
        index += 1
        if name == Array("xmlns".utf8) {
            scope[[]] = value
        } else if name.starts(with: Array("xmlns:".utf8)) {
            scope[Array(name.dropFirst(6))] = value
        }
    }

    private mutating func endTag() throws(Fault) -> Event {
        let raw = try rawName()
        skipSpace()
        guard skip(">"), let last = open.last, last.raw == raw else { throw fault("an end without its beginning") }
        open.removeLast()
        return .end(last.name)
    }

    private func resolve(_ raw: [UInt8], _ scope: [[UInt8]: String]) throws(Fault) -> Name {
        let parts = raw.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        switch parts.count {
        case 1: return Name(namespace: scope[[]] ?? "", local: try string(raw[...]))
        case 2:
            guard let namespace = scope[Array(parts[0])] else { throw fault("a prefix that nobody declared") }
            return Name(namespace: namespace, local: try string(parts[1]))
        default: throw fault("two colons in a name")
        }
    }

    private mutating func rawName() throws(Fault) -> [UInt8] {
        let start = index
        while index < bytes.count, Self.isNameByte(bytes[index]) { index += 1 }
        guard index > start, index - start <= 256 else { throw fault("a name is expected") }
        return Array(bytes[start..<index])
    }

    // MARK: text

    private mutating func text() throws(Fault) -> String {
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "<") { index += 1 }
        return try unescaped(bytes[start..<index])
    }

    /// The five predefined entities and character references; there are no others without a document type.
    private func unescaped(_ slice: ArraySlice<UInt8>) throws(Fault) -> String {
        guard slice.contains(UInt8(ascii: "&")) else { return try string(slice) }
        var result = ""
        var rest = slice
        while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += try string(rest[..<ampersand])
            guard let end = rest[ampersand...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
                throw fault("'&' without ';'")
            }
            result.unicodeScalars.append(try character(try string(rest[(ampersand + 1)..<end])))
            rest = rest[(end + 1)...]
        }
        return result + (try string(rest))
    }

    private func character(_ entity: String) throws(Fault) -> Unicode.Scalar {
        switch entity {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        guard entity.hasPrefix("#") else { throw fault("an entity that is not declared") }
        let isHex = entity.hasPrefix("#x")
        guard let code = UInt32(entity.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10),
            let scalar = Unicode.Scalar(code), code >= 0x20 || [9, 10, 13].contains(code)
        else { throw fault("a character that does not exist") }
        return scalar
    }

    private func string(_ slice: ArraySlice<UInt8>) throws(Fault) -> String {
        guard let string = String(validating: slice, as: UTF8.self) else { throw fault("not UTF-8") }
        return string
    }

    // MARK: moving on

    private func fault(_ reason: String) -> Fault { Fault(offset: index, reason: reason) }

    private mutating func skip(_ token: StaticString) -> Bool {
        let count = token.utf8CodeUnitCount
        guard index + count <= bytes.count else { return false }
        let found = token.withUTF8Buffer { bytes[index..<index + count].elementsEqual($0) }
        if found { index += count }
        return found
    }

    /// Goes behind the next occurrence.
    private mutating func pass(_ token: StaticString) throws(Fault) {
        while index < bytes.count {
            if skip(token) { return }
            index += 1
        }
        throw fault("it ends too early")
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = index
        while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
        return index > start
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// Letters, digits, `-`, `.`, `_`, `:` and everything beyond ASCII.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2D, 0x2E, 0x30...0x3A, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x80...0xFF: true
        default: false
        }
    }
}
