import Foundation
import Testing

/// What was published of peers, and what holds it here: the tests that `Docs/advisories.md` names exist.
@Suite struct AdvisoryTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

    private struct Row {
        let project, id, year, what, here, tests: String
    }

    /// The cells of the tables with so many columns, without their heads.
    private static func tables(columns: Int) throws -> [[String]] {
        let text = try String(contentsOf: root.appending(path: "Docs/advisories.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").map { line in
            line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
        return rows.filter { $0.count == columns + 2 && $0[0].isEmpty }.map { Array($0[1...columns]) }
            .filter { !["project", "class"].contains($0[0]) && !$0[0].hasPrefix("--") }
    }

    private static func rows() throws -> [Row] {
        try tables(columns: 6).map { cells in
            Row(
                project: cells[0], id: cells[1], year: cells[2], what: cells[3], here: cells[4], tests: cells[5])
        }
    }

    /// The sentences of a suite, which stands in the files of its name.
    private static func sentences(of suite: String, in names: [String]) throws -> Set<String> {
        var found: Set<String> = []
        for name in names {
            let file = name.split(separator: "/").last ?? ""
            guard file == "\(suite).swift" || file.hasPrefix("\(suite)+") else { continue }
            let text = try String(contentsOf: root.appending(path: "Tests/\(name)"), encoding: .utf8)
            for part in text.components(separatedBy: "func `").dropFirst() {
                found.insert(String(part.prefix { $0 != "`" }))
            }
        }
        return found
    }

    /// Those of a cell that do not exist, or are not named as `Suite / sentence`.
    private static func missing(in cell: String, _ names: [String]) throws -> [String] {
        try cell.components(separatedBy: "<br>").filter { test in
            let parts = test.components(separatedBy: " / ")
            return try parts.count != 2 || !sentences(of: parts[0], in: names).contains(parts[1])
        }
    }

    @Test func `each advisory and each class names tests that exist, or says why it has none`() throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: Self.root.appending(path: "Tests").path)
            .filter { $0.hasSuffix(".swift") }
        let (rows, classes) = (try Self.rows(), try Self.tables(columns: 3))
        try #require(rows.count > 100 && classes.count > 10 && names.count > 500)
        for row in rows {
            #expect(Set(2023...2026).contains(Int(row.year) ?? 0), "\(row.id)")
            #expect(!row.project.isEmpty && !row.id.isEmpty && !row.what.isEmpty, "\(row)")
            if row.here.hasPrefix("none: ") {
                #expect(row.here.count > 12 && row.tests == "-", "\(row.id): say why there is nothing like it here")
            } else {
                #expect(try Self.missing(in: row.tests, names) == [], "\(row.id)")
            }
        }
        for cells in classes { #expect(try Self.missing(in: cells[2], names) == [], "\(cells[0])") }
        let ids = rows.map { "\($0.project) \($0.id)" }
        #expect(Set(ids).count == ids.count)
    }
}
