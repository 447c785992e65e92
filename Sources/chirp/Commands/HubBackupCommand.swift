import ArgumentParser
import ChirpCommunity
import ChirpCore
import ChirpHub
import FoundationEssentials

/// `chirp hub backup`: the whole hub in one file.
struct HubBackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "The whole hub in one file, while it runs.",
        discussion: """
            EXAMPLES:
              chirp hub backup hub.tar
              chirp hub backup "/mnt/nas/hub-$(date +%F).tar" -q
              tar -tf hub.tar                 what is in it

            Holds accounts, sessions, posts, clips, what was sold and the hub's secrets as they are at one moment, with their \
            checksums; people may publish meanwhile. Keep it where only you can read it: it has mode 600. It appears when it \
            is whole; an older file of its name stays until then. Not in it: config.yaml and letters. Exits with 3 when a \
            file of these is missing or damaged; everything else is in the file then.
            """)

    @Argument(help: "The file to write.", completion: .file(extensions: ["tar"]))
    var file: String

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32
        let file: String
        let created: String
        let clips: Int
        let sold: Int
        let bytes: Int64
        let removed: Int
        let missing: [String]
        let damaged: [String]
    }

    func run() async throws {
        let session = try common.session()
        let (console, target) = (session.console, file)
        let backup = HubBackup(folder: session.paths.hub, program: Chirp.version, boards: Boards.tables)
        let view = console.progressView([ProgressView.Step(name: "back up", weight: 1)])
        let report = try await Interruption.cancels(cure: "Nothing was written") {
            defer { view.end() }
            return try await backup.write(to: target) { view.advance("back up", to: $0) }
        }
        let isWhole = report.missing.isEmpty && report.damaged.isEmpty
        let code: ChirpCore.ExitCode = isWhole ? .done : .partial
        try console.answer(
            Answer(
                exit: code.rawValue, file: target, created: report.created.formatted(.iso8601), clips: report.clips,
                sold: report.keptFiles, bytes: report.bytes, removed: report.removed, missing: report.missing,
                damaged: report.damaged))
        try console.say(
            "\(PlainText(target)): \(Figures.count(report.clips, "clip")), \(ByteCount(report.bytes))")
        if !report.missing.isEmpty {
            console.note(
                "\(Figures.count(report.missing.count, "file")) of clips or sales were not there. See: chirp hub check")
        }
        if !report.damaged.isEmpty {
            console.note(
                "\(Figures.count(report.damaged.count, "file")) of clips or sales were damaged. See: chirp hub check --full"
            )
        }
        if code != .done { throw Ending(code: code) }
    }
}
