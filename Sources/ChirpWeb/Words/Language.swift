/// A language that pages are written in.
package enum Language: String, Hashable, Sendable, CaseIterable {
    case english = "en"
    case german = "de"

    /// The language of the answer that is being made. Pages are made in the request's task, so they know it without being told each.
    @TaskLocal package static var current = Language.english

    /// The one that a visitor likes best (`Accept-Language`, RFC 9110, section 12.5.4); English where none is known.
    package init(accepting header: String?) {
        var best: (language: Language, quality: Double) = (.english, 0)
        for range in (header ?? "").lowercased().split(separator: ",").prefix(20) {
            let parts = range.split(separator: ";").map { $0.drop { $0 == " " } }
            guard let primary = parts.first?.prefix(while: { $0 != "-" && $0 != " " }) else { continue }
            let stated = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            let language = primary == "*" ? .english : Language(rawValue: String(primary))
            // The first of equals: visitors name what they like in order.
            if let language, stated > best.quality { best = (language, stated) }
        }
        self = best.language
    }
}
