/// A piece of JSON that is written down where it is needed.
package enum JSONValue: Encodable, Hashable, Sendable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([JSONValue])
    case object([String: JSONValue])

    package func encode(to encoder: any Encoder) throws {
        var one = encoder.singleValueContainer()
        switch self {
        case .text(let text): try one.encode(text)
        case .number(let number): try one.encode(number)
        case .flag(let flag): try one.encode(flag)
        case .list(let list): try one.encode(list)
        case .object(let members): try one.encode(members)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .text(value) }
    package init(booleanLiteral value: Bool) { self = .flag(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .list(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { first, _ in first }))
    }
}
