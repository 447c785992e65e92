import ChirpTestKit
import Foundation
import Testing

/// The compiler is the check over the sources: it knows the types.
@Suite struct ClosedConversionTests {
    /// One each to a line. Nothing of what they are called says what they convert.
    private static let calls = [
        "Int(text)", "Int64(piece)", "text.flatMap { UInt64(String($0)) }", "maybe.flatMap(Int64.init)",
        "Int(text, radix: 16)", "Double(text)", "Double(piece)", "maybe.flatMap(Double.init)", "Float(text)",
        "Int(fraction)", "UInt8(fraction * 2)", "Int64(Float(fraction))", "[fraction].map(Int.init)",
        "[fraction].map { UInt32($0) }", "whole(.init(fraction))",
    ]
    private static let allowed = [
        "Int(clamping: fraction)", "Int(exactly: fraction)", "Int64(3)", "Double(number)", "Int(number as Int64)",
        "UInt8(clamping: number)",
    ]

    @Test func `text and fractions become whole numbers by the doors alone, whatever a call looks like`() throws {
        let folder = try TemporaryFolder()
        let head = """
            let text = "1", piece = "12".dropFirst(), maybe: String? = "1", fraction = 1.5, number = Int64(1)
            func whole(_ number: Int) -> Int { number }
            """
        let lines = (Self.calls + Self.allowed).map { "func f\($0.hashValue.magnitude)() { _ = \($0) }" }
        let file = folder.path("calls.swift")
        try ([head] + lines).joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        let modules = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "Modules")
        let compiler = try ExternalProgram("swiftc").run([
            "-typecheck", "-parse-as-library", "-I", modules.path, "-Xfrontend", "-import-module", "-Xfrontend",
            "ChirpNumbers", file,
        ])
        let told = compiler.text + compiler.errors
        let found = Set(
            told.matches(of: #/calls\.swift:(\d+):\d+: warning: .* is deprecated/#).compactMap { Int($0.1) })
        #expect(found == Set((0..<Self.calls.count).map { $0 + 3 }), "\(told)")
    }

    /// A module of the hub that forgets to be one would be looked at by nobody.
    @Test func `every module over the hub's accounts, library or web is checked`() throws {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized
        let package = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        let entries = package.split(separator: #/\n {8}(?=[.a-zA-Z]+\()/#).map(String.init)
        var checked: Set<Substring> = []
        for entry in entries
        where entry.hasPrefix(".target(") || entry.hasPrefix("module(") || entry.hasPrefix("guardedModule(") {
            guard let name = entry.firstMatch(of: #/"(Chirp\w+)"/#)?.1, !entry.contains("path: \"Tests/") else {
                continue
            }
            let isGuarded = entry.hasPrefix("guardedModule(") || entry.contains(#/swiftSettings: (guarded|small)/#)
            let below = ["ChirpAccounts", "ChirpCommunity", "ChirpDatabase", "ChirpWeb", "ChirpFederation"]
            let isOfHub = below.contains { entry.contains("\"\($0)\"") }
            // The worker's own journal, which nobody else writes; and the commands, which read settings and arguments of whoever starts them.
            if isOfHub, !["ChirpJournal", "ChirpCommands"].contains(name) {
                #expect(isGuarded, "\(name) is checked by nobody: guardedModule")
            }
            if isGuarded { checked.insert(name) }
        }
        #expect(checked.count >= 19)
    }
}
