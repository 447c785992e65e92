import ChirpTestKit
import ChirpWeb
import Foundation
import Testing

/// The words of pages: complete in every language, and none too many (UF-9, CH-13).
struct WordListTests {
    private static func sources() throws -> [(path: String, text: String)] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        return try (files?.allObjects as? [URL] ?? []).filter { ["swift", "js"].contains($0.pathExtension) }
            .map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
    }

    /// The keys that sources name in calls, with whether the call is about a number.
    private static func named() throws -> Set<String> {
        var keys: Set<String> = []
        for source in try sources() {
            let text = source.text
            for match in text.matches(of: /[^A-Za-z0-9_](word|count)\(\s*"([a-z][A-Za-z0-9.-]*)"(,\s*count:)?/) {
                let isNumber = match.1 == "count" || match.3 != nil
                keys.formUnion(isNumber ? ["\(match.2).one", "\(match.2).other"] : ["\(match.2)"])
            }
            // Scripts choose among texts that they name.
            guard source.path.hasSuffix(".js") else { continue }
            let named = text.matches(of: /"([a-z]+(?:\.[a-z]+)+)"/).map { String($0.1) }
            keys.formUnion(WordList.hub.keys(.english).intersection(named))
        }
        return keys
    }

    @Test func `every language has every text`() {
        #expect(WordList.hub.keys(.english).count > 20)
        for language in Language.allCases {
            let missing = WordList.hub.keys(.english).symmetricDifference(WordList.hub.keys(language))
            #expect(missing.isEmpty, "\(language): \(missing.sorted())")
        }
    }

    /// Of two texts under one key only the first is ever seen.
    @Test func `every key stands once in its file`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/ChirpWeb/Resources")
        for language in Language.allCases {
            let text = try String(contentsOf: folder.appending(path: "\(language.rawValue).words"), encoding: .utf8)
            let keys = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
                .compactMap { line in line.firstRange(of: " = ").map { line[..<$0.lowerBound] } }
            let twice = Dictionary(grouping: keys) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
            #expect(twice.isEmpty, "\(language): \(twice)")
        }
    }

    @Test func `what is filled in is the same in every language`() {
        func names(_ key: String, _ language: Language) -> Set<String> {
            Set(WordList.hub.template(key, language).matches(of: /\{(\w+)\}/).map { String($0.1) })
        }
        for key in WordList.hub.keys(.english) {
            // "One" is often said without the number.
            let english = names(key, .english).subtracting(["count"])
            #expect(english == names(key, .german).subtracting(["count"]), "\(key)")
        }
    }

    @Test func `every text that is asked for is there`() throws {
        let missing = try Self.named().subtracting(WordList.hub.keys(.english))
        #expect(missing.isEmpty, "\(missing.sorted())")
    }

    @Test func `every text that is there is asked for`() throws {
        let unused = WordList.hub.keys(.english).subtracting(try Self.named())
        #expect(unused.isEmpty, "\(unused.sorted())")
    }

    @Test(arguments: [
        (nil, Language.english), ("de", .german), ("de-AT,de;q=0.9,en;q=0.8", .german), ("en-GB,de;q=0.9", .english),
        ("fr,de;q=0.5,en;q=0.4", .german), ("fr", .english), ("de;q=0,en", .english), ("de;q=x", .english),
        (";;,,=", .english), ("*", .english),
    ])
    func `the visitor's language is the one liked best of those there are`(header: String?, language: Language) {
        #expect(Language(accepting: header) == language)
    }

    @Test func `what is filled in is escaped in a page`() {
        let page: HTML = "<p>\(HTML.word("time.instant", ["day": "\("<b>")", "month": "", "year": "", "time": ""]))</p>"
        #expect(page.text.contains("&lt;b&gt;"))
        #expect(Language.$current.withValue(.german) { word("time.seconds", count: 1) } == "1 Sekunde")
    }
}
