/// A way to make a parser work hard: a unit that comes again and again between a beginning and an end.
struct WorstShape: Sendable {
    let name: String
    private let beginning: String
    private let unit: @Sendable (Int) -> String
    private let end: String

    init(_ unit: String, from beginning: String = "", to end: String = "") {
        (name, self.beginning, self.end) = ("\(beginning)\(unit)...\(end)", beginning, end)
        self.unit = { _ in unit }
    }

    /// - Parameter unit: another one each time.
    init(_ name: String, from beginning: String = "", to end: String = "", unit: @escaping @Sendable (Int) -> String) {
        (self.name, self.beginning, self.unit, self.end) = (name, beginning, unit, end)
    }

    /// As many units as fit in.
    func bytes(_ most: Int) -> [UInt8] {
        var bytes = Array(beginning.utf8)
        let room = most - end.utf8.count
        var index = 0
        while true {
            let next = unit(index).utf8
            guard bytes.count + next.count <= room, !next.isEmpty else { break }
            bytes.append(contentsOf: next)
            index += 1
        }
        return bytes + end.utf8
    }

    /// What is hard for some parser of text; every one is given all.
    static let common: [WorstShape] =
        [
            "a", "A", " ", "\t", "\r", "\n", "\r\n", ",", ";", ":", "=", "&", "%", "%4", "%41", "+", "-", "--", "/",
            ".",
            "\"", "'", "\\", "\\\"", "<", ">", "</", "<a ", "<a href=\"", "<!--", "&amp;", "&#38;", "&#", "[", "{", "(",
            "]", "}", "[]", "[1,", "{\"a\":", "a=1&", "a=", "a;", "a,", ", ", "a;b=c,", "\"a\",", "q=0.1,", "@a ",
            "#a ",
            "#1 ", "http://", "http://a.a/ ", "a.a ", "a-->", "1", "1,", "0", "-1", "9-8,", "\u{301}", "e\u{301}", "ä",
            "\u{202E}", "\u{1F468}\u{200D}", "\u{FEFF}", "\u{4E2D}",
        ].map { WorstShape($0) } + [
            WorstShape("names that differ, as a query", unit: { "n\($0)=\($0)&" }),
            WorstShape("names that differ, as a header", unit: { "n\($0)=\($0), " }),
            WorstShape("names that differ, as parameters", from: "a", unit: { ";n\($0)=\($0)" }),
            WorstShape("persons that differ", unit: { "@p\($0) " }),
            WorstShape("tags that differ", unit: { "#t\($0) " }),
            WorstShape("words that differ", unit: { "w\($0) " }),
        ]
}
