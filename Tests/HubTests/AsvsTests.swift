import Foundation
import Testing

/// `Docs/asvs.md` has a row for each requirement that it promises, and each row names tests that exist, or says why there is none.
@Suite struct AsvsTests {
    /// The requirements of OWASP ASVS 5.0 by level: 1 and 2 whole, 3 for files, authentication and sessions (V5, V6 and V7).
    private static let wanted = [
        "1": """
        1.2.1-5 1.3.1-2 1.5.1 2.1.1 2.2.1-2 2.3.1 3.2.1-2 3.3.1 3.4.1-2 3.5.1-3 4.1.1 4.4.1 5.2.1-2 5.3.1-2 6.1.1 6.2.1-8 \
        6.3.1-2 6.4.1-2 7.2.1-4 7.4.1-2 8.1.1 8.2.1-2 8.3.1 9.1.1-3 9.2.1 10.4.1-5 11.3.1-2 11.4.1 12.1.1 12.2.1-2 13.4.1 \
        14.2.1 14.3.1 15.1.1 15.2.1 15.3.1
        """,
        "2": """
        1.1.1-2 1.2.6-9 1.3.3-11 1.4.1-3 1.5.2 2.1.2-3 2.2.3 2.3.2-4 2.4.1 3.3.2-4 3.4.3-6 3.5.4-5 3.7.1-2 4.1.2-3 4.2.1 \
        4.3.1-2 4.4.2-4 5.1.1 5.2.3 5.4.1-3 6.1.2-3 6.2.9-12 6.3.3-4 6.4.3-4 6.5.1-5 6.6.1-3 6.8.1-4 7.1.1-3 7.3.1-2 7.4.3-5 \
        7.5.1-2 7.6.1-2 8.1.2 8.2.3 8.4.1 9.2.2-4 10.1.1-2 10.2.1-2 10.3.1-4 10.4.6-11 10.5.1-5 10.6.1-2 10.7.1-3 11.1.1-2 \
        11.2.1-3 11.3.3 11.4.2-4 11.5.1 11.6.1 12.1.2-3 12.3.1-4 13.1.1 13.2.1-5 13.3.1-2 13.4.2-5 14.1.1-2 14.2.2-4 14.3.2-3 \
        15.1.2-3 15.2.2-3 15.3.2-7 16.1.1 16.2.1-5 16.3.1-4 16.4.1-3 16.5.1-3 17.1.1 17.2.1-4 17.3.1-2
        """,
        "3": """
        5.2.4-6 5.3.3 6.3.5-8 6.4.5-6 6.5.6-8 6.6.4 6.7.1-2 7.5.3
        """,
    ]

    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

    private struct Row {
        let id: String
        let level: String
        let asked: String
        let held: String
    }

    private func rows() throws -> [Row] {
        let text = try String(contentsOf: Self.root.appending(path: "Docs/asvs.md"), encoding: .utf8)
        return try text.split(separator: "\n").filter { $0.prefixMatch(of: #/\| \d/#) != nil }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            try #require(cells.count == 4, "\(line)")
            return Row(id: cells[0], level: cells[1], asked: cells[2], held: cells[3])
        }
    }

    /// Of `6.2.1-3,5` each one.
    private func ids(_ list: String) throws -> [String] {
        try list.split(separator: " ").flatMap { section in
            let parts = section.split(separator: ".")
            return try parts[2].split(separator: ",").flatMap { range in
                let ends = try range.split(separator: "-").map { try #require(Int($0)) }
                return (ends[0]...(ends.last ?? ends[0])).map { "\(parts[0]).\(parts[1]).\($0)" }
            }
        }
    }

    /// The sentences of the tests, by each type that their files declare or extend.
    private func tests() throws -> [String: Set<String>] {
        let folder = Self.root.appending(path: "Tests")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        try #require(names.count > 500)
        var tests: [String: Set<String>] = [:]
        for name in names {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            let sentences = text.components(separatedBy: "func `").dropFirst().map { String($0.prefix { $0 != "`" }) }
            if sentences.isEmpty { continue }
            for word in ["struct ", "class ", "extension "] {
                for piece in text.components(separatedBy: word).dropFirst() {
                    tests[String(piece.prefix { $0.isLetter || $0.isNumber }), default: []].formUnion(sentences)
                }
            }
        }
        return tests
    }

    /// The tests and files that a row names and that are not there.
    private func missing(from held: String, _ tests: [String: Set<String>]) -> [String] {
        let sentences = held.matches(of: #/`(\w+)` \/ `([^`]+)`/#).filter { match in
            tests[String(match.1)]?.contains(String(match.2)) != true
        }
        let docs = Self.root.appending(path: "Docs")
        let files =
            held.matches(of: #/`((?:Tests|Sources)\/[^`]+|Package\.swift)`/#).map { Self.root.appending(path: $0.1) }
            + held.matches(of: #/\]\(([^)]+)\)/#).map { docs.appending(path: $0.1).standardized }
        return sentences.map { String($0.0) }
            + files.filter { !FileManager.default.fileExists(atPath: $0.path) }.map(\.path)
    }

    @Test func `each requirement has one row, with its level`() throws {
        let wanted = try Self.wanted.flatMap { level, list in try ids(list).map { "\($0), level \(level)" } }
        try #require(wanted.count == 270)
        let found = try rows().map { "\($0.id), level \($0.level)" }
        #expect(Set(wanted).subtracting(found).sorted() == [], "without a row")
        #expect(Set(found).subtracting(wanted).sorted() == [], "not asked for")
        #expect(found.count == Set(found).count, "twice")
    }

    @Test func `each row says by what it is held, or why it is not`() throws {
        let held = #/^(?:`\w+` \/ `[^`]+`|`Tests\/[^`]+`|written in \[[^\]]+\]\([^)]+\))/#
        let without = #/^(?:does not apply|not met): .{5}/#
        let untested = #/^without a test: `(?:Sources\/[^`]+|Package\.swift)`.*: .{5}/#
        let partly = #/^in part: .{5}.*; not met: .{5}/#
        for row in try rows() {
            #expect(!row.asked.isEmpty, "\(row.id)")
            let says = try [held, without, untested, partly].contains { try $0.firstMatch(in: row.held) != nil }
            #expect(says, "\(row.id): \(row.held)")
        }
    }

    @Test func `the tests and files that rows name are there`() throws {
        let tests = try tests()
        for row in try rows() {
            #expect(missing(from: row.held, tests) == [], "\(row.id)")
        }
        // What is looked for is found.
        let wrong = "`AsvsTests` / `nothing`; `NoTests` / `x`; `Tests/none.py`; [x](none.md), `AsvsTests`"
        #expect(missing(from: wrong, tests).count == 4)
    }
}
