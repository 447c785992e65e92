import Foundation
import Testing

/// No text of a page stands in the code: pieces of pages are searched for words between tags and in attributes that people read
/// (UF-9). Their place is the lists of words.
struct WordsInPagesTests {
    /// Parts whose texts still stand in the code. To be emptied, and never to grow.
    private static let unfinished: [String] = []
    /// What is no page for everybody: a drawing that the terminal makes, the fixed values of RSS, and what is written for programmers.
    private static let noPages: [String] = [
        "ChirpClips/Plot/", "ChirpHub/OwnAPI/", "ChirpHub/Routes/RSSDocument.swift",
    ]
    /// What is the same in every language: the name, parts of addresses, units and kinds of files.
    private static let universal: Set = [
        "BY", "CC", "Chirp", "GeoNames", "MP", "Mastodon", "RSS", "UTC", "feeds", "kB", "kHz", "xml",
    ]

    private static var sources: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources", directoryHint: .isDirectory).standardizedFileURL
    }

    /// The Swift files below `Sources`, by their paths there.
    private static func files() throws -> [(path: String, text: String)] {
        let root = sources.path(percentEncoded: false)
        let found = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        return try (found?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }.map { file in
            let path = file.standardizedFileURL.path(percentEncoded: false)
            return (
                String(path.dropFirst(root.count).drop { $0 == "/" }), try String(contentsOf: file, encoding: .utf8)
            )
        }
    }

    private static func isLookedAt(_ path: String) -> Bool {
        !(unfinished + noPages).contains { path.hasPrefix($0) }
    }

    /// What somebody would read of a piece of a page.
    private static func words(in literal: String) -> [String] {
        guard literal.contains(#/<\/?[a-z]+[0-9]?[ >\/]/#) else { return [] }
        // What is typed and pressed has the same name everywhere.
        let literal = literal.replacing(#/<(kbd|code)>[^<]*<\/(kbd|code)>/#, with: "<i>")
        let between = literal.matches(of: #/>([^<>]*)(?:<|$)/#).map { String($0.1) }
        let before = literal.matches(of: #/^([^<>]*)</#).map { String($0.1) }
        let named = literal.matches(of: #/(?:aria-label|title|placeholder|alt)="([^"]*)"/#).map { String($0.1) }
        return (between + before + named).flatMap { text in
            text.replacing(#/&\w+;/#, with: " ").matches(of: #/\p{L}{2,}/#).map { String($0.0) }
        }.filter { !universal.contains($0) }
    }

    @Test func `no piece of a page has words of its own`() throws {
        let files = try Self.files()
        #expect(files.count > 300)
        // A file without an end of an element makes no page.
        for file in files where Self.isLookedAt(file.path) && file.text.contains("</") {
            for literal in SwiftLiterals(file.text).found {
                let words = Self.words(in: literal)
                #expect(words.isEmpty, "\(file.path): \(words.joined(separator: " "))")
            }
        }
    }

    @Test func `no title, label, button or hint is written where a page is made`() throws {
        for file in try Self.files() where Self.isLookedAt(file.path) && file.path.hasPrefix("ChirpHub/") {
            let named = file.text.matches(of: #/\b(?:title|label|button|hint|lead): "([^"\\]*\p{L}{2,}[^"]*)"/#)
            #expect(named.isEmpty, "\(file.path): \(named.map { String($0.1) })")
            let said = file.text.matches(of: #/\bdesk\.say\(\s*"([^"]*)"/#)
            #expect(said.isEmpty, "\(file.path): \(said.map { String($0.1) })")
        }
    }

    @Test func `what is searched for is found`() {
        #expect(Self.words(in: "<p>Your clip</p>") == ["Your", "clip"])
        #expect(Self.words(in: "<button aria-label=\"Play\">&times;</button>") == ["Play"])
        #expect(Self.words(in: "Older <a href=\"/\">") == ["Older"])
        #expect(Self.words(in: "<p class=\"byline\">Chirp, <kbd>Page Up</kbd></p>").isEmpty)
        #expect(Self.words(in: "SELECT id FROM posts WHERE a < 3 AND b > 2").isEmpty)
        let source = """
            // "<p>A note</p>"
            let page: HTML = "<p title=\\"\\(word("a.b", ["c": "d"]))\\">\\(HTML.word("x.y", ["z": "<b>\\(name)</b>"]))</p>"
            """
        #expect(SwiftLiterals(source).found.allSatisfy { Self.words(in: $0).isEmpty })
        #expect(SwiftLiterals("let a: HTML = \"<p>\\(b) since</p>\"").found.flatMap(Self.words) == ["since"])
    }
}

/// The string literals of a Swift source, those within interpolations too. What is interpolated is left out.
struct SwiftLiterals {
    private let bytes: [UInt8]
    private var place = 0
    private(set) var found: [String] = []

    init(_ source: String) {
        bytes = Array(source.utf8)
        while place < bytes.count { code() }
    }

    private func begins(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

    private mutating func skip(to end: [UInt8]) {
        while place < bytes.count, !bytes[place...].starts(with: end) { place += 1 }
        place = min(bytes.count, place + end.count)
    }

    /// Code up to the bracket that ends an interpolation, or to the end of the file.
    private mutating func code() {
        var depth = 0
        while place < bytes.count {
            if begins("//") {
                skip(to: [0x0A])
            } else if begins("/*") {
                skip(to: Array("*/".utf8))
            } else if begins("#/") {
                place += 2
                skip(to: Array("/#".utf8))
            } else if begins("#\"") {
                place += 2
                skip(to: Array("\"#".utf8))
            } else if begins("\"") {
                literal()
            } else {
                if begins("(") { depth += 1 }
                if begins(")") { depth -= 1 }
                place += 1
                if depth < 0 { return }
            }
        }
    }

    private mutating func literal() {
        let quote = Array((begins("\"\"\"") ? "\"\"\"" : "\"").utf8)
        place += quote.count
        var text: [UInt8] = []
        while place < bytes.count, !bytes[place...].starts(with: quote) {
            guard begins("\\") else {
                text.append(bytes[place])
                place += 1
                continue
            }
            place += 1
            if begins("(") {
                place += 1
                text.append(UInt8(ascii: "0"))
                code()
            } else {
                // What a quotation mark stands for is one; the rest of the escapes are no words.
                text.append(begins("\"") ? UInt8(ascii: "\"") : UInt8(ascii: " "))
                place += 1
            }
        }
        place = min(bytes.count, place + quote.count)
        found.append(String(decoding: text, as: UTF8.self))
    }
}
