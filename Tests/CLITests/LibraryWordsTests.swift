import Foundation
import Testing

/// Words belong to front ends: what a library says names no flag, command, environment variable or setting, since a page
/// says it too. What can be done is a `Cure`, which each front end words.
@Suite struct LibraryWordsTests {
    /// Literals that look like words of the command line and are not, by file and beginning.
    private static let exceptions = [
        // Names of streams on the fleet's servers.
        Exception(file: "QueueNames.swift", beginning: "CHIRP_"),
        // What a digest begins with; another text would make other names of the same jobs.
        Exception(file: "FleetSources.swift", beginning: "chirp job 1"),
        // The same of a key.
        Exception(file: "Vapid.swift", beginning: "chirp push key"),
        // The hub is a front end: its first page says how a clip gets there.
        Exception(file: "ListPage.swift", beginning: "<code>"),
        // What is counted has names like settings'.
        Exception(file: "UsageMark.swift", beginning: "press.live."),
    ]

    private struct Exception {
        let file: String
        let beginning: String
    }

    private static let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardized

    @Test func `no library names a flag, a command, a variable or a setting`() throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path)
            // The commands are a front end.
            .filter { $0.hasPrefix("Chirp") && !$0.hasPrefix("ChirpCommands/") && $0.hasSuffix(".swift") }
        try #require(names.count > 100)
        let settings = try Self.settings()
        try #require(settings.contains("hub.publicURL"))
        let words = try String(
            contentsOf: Self.sources.appending(path: "ChirpWeb/Resources/en.words"), encoding: .utf8)
        for name in names.sorted() {
            let text = try String(contentsOf: Self.sources.appending(path: name), encoding: .utf8)
            for literal in SwiftLiterals(of: text).literals
            where Self.namesFrontEnd(literal) || Self.names(settings, literal) {
                // Keys of pages' words are named like settings, and shown to nobody.
                if words.contains("\n\(literal) = ") { continue }
                let isKnown = Self.exceptions.contains {
                    name.hasSuffix("/\($0.file)")
                        && literal.drop { $0.isWhitespace }.hasPrefix($0.beginning)
                }
                #expect(isKnown, "Sources/\(name): \"\(literal)\"")
            }
        }
    }

    @Test(arguments: [
        ("Choose another --store", true), ("--port", true), ("a--b", false), ("1 -- 2", false), ("-->", false),
        ("Run: chirp doctor", true), ("a newer Chirp was here", false), ("chirp-1.mp3", false),
        ("set CHIRP_JOBS", true),
        ("Set XDG_DATA_HOME", true), ("Set TMPDIR to", true), ("or set PULSE_SERVER", true), ("in config.yaml", true),
    ])
    func `words of the command line are told from others`(literal: String, isNamed: Bool) {
        #expect(Self.namesFrontEnd(literal) == isNamed)
    }

    @Test func `literals are found, comments are not`() {
        let text = #"""
            // "one"
            let a = "two \(b.map { "three" }) four" /* "five" */ + #"si\x"#
            let c = """
                se"ve"n \
                eight
                """ + "\"ni\"ne"
            """#
        #expect(
            SwiftLiterals(of: text).literals.map { $0.split { $0.isWhitespace }.joined(separator: " ") } == [
                "three", "two … four", #"si\x"#, #"se"ve"n eight"#, #""ni"ne"#,
            ])
    }

    /// The keys of the configuration that are two words, such as `hub.port`; one word alone may mean anything.
    private static func settings() throws -> [String] {
        let fields = sources.appending(path: "ChirpCommands/Configuration/ConfigField.swift")
        return SwiftLiterals(of: try String(contentsOf: fields, encoding: .utf8)).literals.filter {
            $0.wholeMatch(of: /[a-z]+\.[a-zA-Z]+/) != nil
        }
    }

    private static func names(_ settings: [String], _ literal: String) -> Bool {
        literal.utf8.contains(UInt8(ascii: ".")) && settings.contains(where: literal.contains)
    }

    /// An expression is looked for only where what it begins with is: there are tens of thousands of literals.
    private static func namesFrontEnd(_ literal: String) -> Bool {
        literal.contains("--") && literal.contains(/(?:^|[\s(`'])--[a-z]/)
            || literal.contains("chirp ") && literal.contains(/(?:^|[\s(`'>])chirp [a-z]/)
            || ["CHIRP_", "XDG_", "TMPDIR", "PULSE_SERVER"].contains(where: literal.contains)
                && literal.contains(/\b(?:CHIRP_|XDG_[A-Z]|TMPDIR\b|PULSE_SERVER\b)/)
            || literal.contains("config.yaml")
    }
}
