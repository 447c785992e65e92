import ChirpTestKit
import Foundation
import Testing

/// What `--help` prints is looked at when it changes: `Scripts/update-help-snapshots` takes over a wanted change.
@Suite struct HelpTests {
    static let commands: [[String]] = [
        [], ["publish"], ["encode"], ["batch"], ["worker"], ["inspect"], ["record"], ["takes"], ["takes", "list"],
        ["takes", "play"],
        ["takes", "publish"], ["takes", "delete"], ["frame"], ["live"], ["replay"], ["accounts"], ["devices"],
        ["outbox"],
        ["outbox", "list"], ["outbox", "resume"],
        ["outbox", "drop"],
        ["sweep"], ["serve"], ["hub"], ["hub", "open"], ["hub", "invite"], ["hub", "backup"],
        ["hub", "restore"], ["hub", "check"], ["login"], ["logout"], ["doctor"], ["bench"], ["bench", "encode"],
        ["bench", "latency"], ["config"],
        ["config", "show"], ["board"], ["board", "lost-and-found"], ["board", "lost-and-found", "search"],
        ["board", "lost-and-found", "post"], ["board", "lost-and-found", "settle"],
        ["board", "lost-and-found", "renew"], ["board", "lost-and-found", "withdraw"],
    ]

    @Test(arguments: commands)
    func `help is as it was agreed on, with examples first`(command: [String]) async throws {
        let outcome = try await Household().start(command + ["--help"]).outcome()
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        let name = (["chirp"] + command).joined(separator: "-")
        let agreed = try String(
            contentsOfFile: "\(BuiltProgram.package)/Tests/Fixtures/help/\(name).txt", encoding: .utf8)
        #expect(outcome.text == agreed)
        let examples = try #require(outcome.text.range(of: "EXAMPLES:"))
        let usage = try #require(outcome.text.range(of: "USAGE:"))
        #expect(examples.lowerBound < usage.lowerBound)
    }

    @Test(arguments: commands)
    func `an example in help fits a line of 80 columns`(command: [String]) async throws {
        let outcome = try await Household().start(command + ["--help"]).outcome()
        let examples = outcome.text.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { $0 != "EXAMPLES:" }.dropFirst().prefix { !$0.isEmpty }
        #expect(!examples.isEmpty)
        #expect(examples.allSatisfy { $0.hasPrefix("  ") })
    }
}
