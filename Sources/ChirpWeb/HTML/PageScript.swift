internal import FoundationEssentials
internal import Synchronization

/// The script of a page, and what it has to know from the start.
package struct PageScript {
    /// A file of `Resources/`, without its ending.
    package enum Name: String, CaseIterable {
        case beats, frame, kept, listing, live, map, messages, passkey, push, record, records, replay
    }

    private let name: Name
    private let words: [String]
    private let facts: [String: String]
    private let hasStyle: Bool

    /// - Parameters:
    ///   - words: beginnings of the keys of its texts.
    ///   - token: proves that requests come from this page.
    ///   - facts: whatever else it needs.
    ///   - hasStyle: there is a style sheet of the same name.
    package init(
        _ name: Name, words: [String], token: String = "", facts: [String: String] = [:], hasStyle: Bool = false
    ) {
        self.name = name
        self.words = words + Self.everywhere
        self.facts = facts.merging(["token": token]) { given, _ in given }
        self.hasStyle = hasStyle
    }

    /// Texts of a script in a language, by the beginnings of their keys.
    private struct Texts: Hashable {
        let language: Language
        let beginnings: [String]
    }

    /// Those as JSON. They are the same for as long as the program runs, and choosing and encoding them for each page was a fifth of the time
    /// of a short one. There are as many as kinds of pages, in two languages.
    private static let encoded = Mutex<[Texts: String]>([:])

    private static func encoded(_ texts: Texts) -> String {
        if let known = encoded.withLock({ $0[texts] }) { return known }
        let json = json(WordList.hub.texts(beginning: texts.beginnings, texts.language))
        encoded.withLock { $0[texts] = json }
        return json
    }

    private static func json(_ texts: [String: String]) -> String {
        (try? WebJSON.encode(texts)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// Texts that the script of every page needs.
    private static let everywhere = ["script."]

    /// What a page without a script of its own gives the one of every page.
    static var plain: HTML { data(facts: [:], words: everywhere) }

    private static func data(facts: [String: String], words: [String]) -> HTML {
        let texts = encoded(Texts(language: .current, beginnings: words))
        let bytes = Data("{\"facts\":\(json(facts)),\"words\":\(texts)}".utf8)
        return "<script type=\"application/json\" id=\"facts\">\(HTML.data(bytes))</script>\n"
    }

    /// What stands in the page's head. Scripts come after what the page looks like: naming all that they import there made the first view
    /// 60 to 70 ms later, and the script ready some 30 ms sooner (`/live` and `/record` in Chromium on two processors).
    func html(prefix: String) -> HTML {
        let style: HTML =
            hasStyle
            ? "<link rel=\"stylesheet\" href=\"\(prefix)/assets/\(Asset.style(name.rawValue))\">\n" : .nothing
        return """
            \(style)\(Self.data(facts: facts, words: words))\
            <script type="module" fetchpriority="low" src="\(prefix)/assets/\(Asset.script(name.rawValue))"></script>
            """
    }
}
