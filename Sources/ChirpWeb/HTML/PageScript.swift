internal import FoundationEssentials

/// The script of a page, and what it has to know from the start.
package struct PageScript {
    /// A file of `Resources/`, without its ending.
    package enum Name: String, CaseIterable {
        case frame, kept, listing, live, map, messages, push, record, replay
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

    private struct Document: Encodable {
        let facts: [String: String]
        let words: [String: String]
    }

    /// Texts that the script of every page needs.
    private static let everywhere = ["script."]

    /// What a page without a script of its own gives the one of every page.
    static var plain: HTML { data(facts: [:], words: everywhere) }

    private static func data(facts: [String: String], words: [String]) -> HTML {
        let document = Document(facts: facts, words: WordList.hub.texts(beginning: words))
        let bytes = (try? WebJSON.encode(document)) ?? Data()
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
