/// One thing that a program sends, in the body or behind the question mark, for the description of the API.
package struct WebField: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable { case text, number, flag, list }

    package let name: String
    package let kind: Kind
    package let isRequired: Bool
    /// In a few words; empty where the name says it.
    package let meaning: String

    private init(_ name: String, _ kind: Kind, _ isRequired: Bool, _ meaning: String) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
        self.meaning = meaning
    }

    package static func text(_ name: String, isRequired: Bool = true, _ meaning: String = "") -> WebField {
        WebField(name, .text, isRequired, meaning)
    }
    package static func number(_ name: String, isRequired: Bool = false, _ meaning: String = "") -> WebField {
        WebField(name, .number, isRequired, meaning)
    }
    package static func flag(_ name: String, isRequired: Bool = false, _ meaning: String = "") -> WebField {
        WebField(name, .flag, isRequired, meaning)
    }
    package static func list(_ name: String, isRequired: Bool = false, _ meaning: String = "") -> WebField {
        WebField(name, .list, isRequired, meaning)
    }
}
