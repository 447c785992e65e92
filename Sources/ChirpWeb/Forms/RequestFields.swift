package import ChirpCore

/// What a program has sent: the fields of a form, or of a JSON object. Both are read alike, since clients differ.
package struct RequestFields: Sendable {
    private var values: [String: [String]] = [:]

    /// The first value of a name; nil when there is none.
    package subscript(_ name: String) -> String? { values[name]?.first }

    /// All values of a name, as in `media_ids[]=1&media_ids[]=2`.
    package func list(_ name: String) -> [String] { values[name] ?? [] }

    /// Whether a name stands for yes; nil when it is not given.
    package func bool(_ name: String) -> Bool? {
        self[name].map { ["1", "true", "yes", "on"].contains($0.lowercased()) }
    }

    /// Every name, in order.
    package var names: [String] { values.keys.sorted() }

    package init(_ pairs: [(name: String, value: String)] = []) {
        for pair in pairs { add(pair.value, to: pair.name) }
    }

    /// An object of JSON; numbers and truth as their text, null as nothing.
    ///
    /// - Throws: what is no object, is nested deeper than any call here is, or has more values than any.
    package init(json bytes: [UInt8]) throws(UntrustedJSON.Fault) {
        let limits = UntrustedJSON.Limits(bytes: bytes.count, depth: 4, values: TooManyFields.most)
        guard case .object(let members) = try UntrustedJSON.value(of: bytes, limits) else { throw .notJSON }
        for (name, value) in members { try add(value, to: name) }
    }

    private mutating func add(_ value: String, to name: String) {
        let plain = name.hasSuffix("[]") ? String(name.dropLast(2)) : name
        values[plain, default: []].append(value)
    }

    private mutating func add(_ value: ParsedJSON, to name: String) throws(UntrustedJSON.Fault) {
        // The name of an object would be written down again for each of its members.
        guard name.utf8.count <= Self.longestName else { throw .notJSON }
        switch value {
        case .null: break
        case .bool(let isTrue): add(isTrue ? "true" : "false", to: name)
        case .number(let text): add(try Self.plain(number: text), to: name)
        case .text(let text): add(text, to: name)
        case .list(let items): for item in items { try add(item, to: name) }
        case .object(let members): for (key, member) in members { try add(member, to: "\(name)[\(key)]") }
        }
    }

    /// In bytes, with those of the objects around it.
    private static let longestName = 500

    /// Whole numbers without a fraction and an exponent, however they were written.
    private static func plain(number text: String) throws(UntrustedJSON.Fault) -> String {
        if text.utf8.count <= 20, text.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: "-") }) {
            return text
        }
        guard let number = text.finite else { throw .notJSON }
        return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}
