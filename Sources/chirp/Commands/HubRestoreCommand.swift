import ArgumentParser
import ChirpCommunity
import ChirpCore
import ChirpHub

/// `chirp hub restore`: a hub from its backup.
struct HubRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "A hub from its backup, where none is yet.",
        discussion: """
            EXAMPLES:
              chirp hub restore hub.tar
              XDG_DATA_HOME=/srv/data chirp hub restore hub.tar

            Everything is compared with its checksum before the hub appears; what is no whole backup changes nothing. \
            People stay signed in, and links lead where they led. A hub that is there already is not overwritten: move \
            its folder away first.
            """)

    @Argument(help: "What chirp hub backup has written.", completion: .file(extensions: ["tar"]))
    var file: String

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32 = 0
        let folder: String
        let created: String
        let program: String
        let clips: Int
        let bytes: Int64
    }

    func run() async throws {
        let session = try common.session()
        let (console, folder) = (session.console, session.paths.hub)
        let restore = HubRestore(file: file, folder: folder, boards: Boards.tables)
        let view = console.progressView([ProgressView.Step(name: "restore", weight: 1)])
        let report = try await Interruption.cancels(cure: "Nothing was restored") {
            defer { view.end() }
            return try await restore.run { view.advance("restore", to: $0) }
        }
        try console.answer(
            Answer(
                folder: folder, created: report.created, program: report.program, clips: report.clips,
                bytes: report.bytes))
        try console.say(
            "\(PlainText(folder)): \(Figures.count(report.clips, "clip")), \(ByteCount(report.bytes)), as of \(PlainText(report.created, limit: 40))"
        )
    }
}
