/// The part of Drive's query language that the loopback service understands: terms joined by `and`.
struct DriveQuery {
    private var conditions: [@Sendable (DriveFile) -> Bool] = []

    /// Nil when something in it is not understood, which the service answers with 400.
    init?(_ text: String) {
        var rest = text[...]
        while true {
            rest = rest.drop { $0 == " " }
            if let match = rest.prefixMatch(of: /appProperties has \{ ?key ?= ?'([^']*)' and value ?= ?'([^']*)' ?\}/) {
                let (key, value) = (String(match.1), String(match.2))
                conditions.append { $0.appProperties[key] == value }
                rest = rest[match.range.upperBound...]
            } else if let match = rest.prefixMatch(of: /(mimeType|name) ?(=|!=) ?'((?:[^'\\]|\\.)*)'/) {
                let (field, isEqual) = (String(match.1), match.2 == "=")
                let value = String(match.3).replacing("\\'", with: "'").replacing("\\\\", with: "\\")
                conditions.append { (field == "name" ? $0.name : $0.mimeType) == value ? isEqual : !isEqual }
                rest = rest[match.range.upperBound...]
            } else if let match = rest.prefixMatch(of: /trashed ?= ?(true|false)/) {
                let wanted = match.1 == "true"
                conditions.append { $0.isTrashed == wanted }
                rest = rest[match.range.upperBound...]
            } else if let match = rest.prefixMatch(of: /'([^']*)' in parents/) {
                let parent = String(match.1)
                conditions.append { $0.parents.contains(parent) }
                rest = rest[match.range.upperBound...]
            } else {
                return nil
            }
            rest = rest.drop { $0 == " " }
            if rest.isEmpty { return }
            guard rest.hasPrefix("and ") else { return nil }
            rest = rest.dropFirst(4)
        }
    }

    func matches(_ file: DriveFile) -> Bool { conditions.allSatisfy { $0(file) } }
}
