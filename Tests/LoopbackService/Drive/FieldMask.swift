/// Google's `fields` parameter: which parts of an answer are wanted, such as `nextPageToken,files(id,name)` or `a/b`.
struct FieldMask {
    private var children: [String: FieldMask] = [:]

    /// Nil when it cannot be read.
    init?(_ text: String) {
        var rest = text[...]
        guard let mask = Self.list(&rest), rest.isEmpty else { return nil }
        self = mask
    }

    private init() {}

    private static func list(_ rest: inout Substring) -> FieldMask? {
        var mask = FieldMask()
        while true {
            guard field(&rest, into: &mask) else { return nil }
            guard rest.first == "," else { return mask }
            rest.removeFirst()
        }
    }

    private static func field(_ rest: inout Substring, into mask: inout FieldMask) -> Bool {
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "*" || $0 == "_" }
        guard !name.isEmpty else { return false }
        rest = rest[name.endIndex...]
        var child = FieldMask()
        if rest.first == "(" {
            rest.removeFirst()
            guard let inner = list(&rest), rest.first == ")" else { return false }
            rest.removeFirst()
            child = inner
        } else if rest.first == "/" {
            rest.removeFirst()
            guard field(&rest, into: &child) else { return false }
        }
        mask.children[String(name)] = child
        return true
    }

    /// The wanted part of a JSON value.
    func applied(to value: Any) -> Any {
        guard !children.isEmpty, children["*"] == nil else { return value }
        if let list = value as? [Any] { return list.map(applied) }
        guard let object = value as? [String: Any] else { return value }
        return children.reduce(into: [String: Any]()) { result, child in
            if let part = object[child.key] { result[child.key] = child.value.applied(to: part) }
        }
    }
}
