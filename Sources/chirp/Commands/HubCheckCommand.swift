import ArgumentParser
import ChirpCommands
import ChirpCommunity
import ChirpCore
import ChirpHub

/// `chirp hub check`: whether all of the hub is there and sound.
struct HubCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Whether all of the hub is there and sound.",
        discussion: """
            EXAMPLES:
              chirp hub check
              chirp hub check --full          reads every clip, and compares checksums
              chirp hub check --json | jq '.checks[] | select(.level != "ok")'

            Looks at the database, its version, the clips' files and who may read the hub's secrets, each finding with its \
            cure; also while the hub runs. Changes nothing. Exits with 3 when something is a problem, with 0 when all is \
            well or only worth a note.
            """)

    @Flag(name: .long, help: "Read every clip and compare its checksum.")
    var full = false

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32
        let checks: [Finding]
    }

    func run() async throws {
        let session = try common.session()
        let (console, folder, readsClips) = (session.console, session.paths.hub, full)
        let view = console.progressView([ProgressView.Step(name: "check", weight: 1)])
        let report = try await Interruption.cancels(cure: "Nothing was changed") {
            defer { view.end() }
            return try await LibraryCheck(folder: folder, boards: Boards.tables).run(readsClips: readsClips) {
                view.advance("check", to: $0)
            }
        }
        let findings = LibraryFindings(report, folder: folder, wereRead: readsClips).findings
        let code: ChirpCore.ExitCode = findings.contains { $0.level == .problem } ? .partial : .done
        try console.answer(Answer(exit: code.rawValue, checks: findings))
        for finding in findings { try console.say(finding.line(console)) }
        if code != .done { throw Ending(code: code) }
    }
}
