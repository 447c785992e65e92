/// A value of JSON (RFC 8259), out of a stranger's document or on the way into one of ours.
package indirect enum DocumentValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([DocumentValue])
    case object([String: DocumentValue])

    /// A member of an object; nil for what is none, or has no such member, or null there.
    package subscript(_ name: String) -> DocumentValue? {
        guard case .object(let members) = self, let value = members[name], value != .null else { return nil }
        return value
    }

    package var text: String? {
        if case .text(let text) = self { return text }
        return nil
    }

    package var number: Double? {
        if case .number(let number) = self { return number }
        return nil
    }

    package var bool: Bool? {
        if case .bool(let bool) = self { return bool }
        return nil
    }

    /// What ActivityStreams allows to be one or several (Activity Streams 2.0, section 2.1.1), as several.
    package var items: [DocumentValue] {
        switch self {
        case .null: []
        case .list(let items): items
        case .bool, .number, .text, .object: [self]
        }
    }
}

extension DocumentValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .text(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int) { self = .number(Double(value)) }
    package init(arrayLiteral elements: DocumentValue...) { self = .list(elements) }
    /// Of a name that stands there twice the last one counts.
    package init(dictionaryLiteral elements: (String, DocumentValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
    }
}
