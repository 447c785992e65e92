import ArgumentParser
import ChirpCommands
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpOwnHub

/// `chirp hub restore`: a hub from its backup.
struct HubRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "A hub from its backup, where none is yet.",
        discussion: """
            EXAMPLES:
              chirp hub restore hub.tar
              chirp hub restore --store s3    the newest of hub.backup.place
              chirp hub restore --store s3 hub-20261126T030000Z.tar
              XDG_DATA_HOME=/srv/data chirp hub restore hub.tar

            Everything is compared with its checksum before the hub appears; what is no whole backup changes nothing. \
            People stay signed in, and links lead where they led. A hub that is there already is not overwritten: move \
            its folder away first.
            """)

    @Argument(
        help: "What chirp hub backup has written; with --store its name there (default: the newest).",
        completion: .file(extensions: ["tar"]))
    var file: String?

    @Option(name: .long, help: "Where it was saved: folder, webdav, s3.")
    var store: PrivateStoreName?

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32 = 0
        let folder: String
        let name: String?
        let created: String
        let program: String
        let clips: Int
        let bytes: Int64
    }

    func validate() throws {
        if file == nil && store == nil { throw ValidationError("Name the backup's file, or its store: --store s3.") }
        if store != nil, let file, BackupName(file) == nil {
            throw ValidationError(
                "'\(PlainText(file, limit: 100))' is no backup's name in a store. Leave it out for the newest one.")
        }
    }

    func run() async throws {
        let wiring = Wiring(session: try common.session())
        let (console, folder) = (wiring.session.console, wiring.session.paths.hub)
        let shelf = try store.map { try wiring.backupShelf($0) }
        let (file, name) = (file ?? "", file.flatMap { BackupName($0) })
        let view = console.progressView([ProgressView.Step(name: "restore", weight: 1)])
        let (found, report) = try await Interruption.cancels(cure: "Nothing was restored") {
            () async throws -> (BackupName?, HubRestore.Report) in
            defer { view.end() }
            let advance: @Sendable (Double) -> Void = { view.advance("restore", to: $0) }
            guard let shelf else {
                let restore = HubRestore(file: file, folder: folder, boards: Boards.tables)
                return (nil, try await restore.run(progress: advance))
            }
            let (found, report) = try await shelf.restore(
                name, to: folder, boards: Boards.tables, restoring: advance)
            return (found, report)
        }
        try console.answer(
            Answer(
                folder: folder, name: found?.text, created: report.created, program: report.program,
                clips: report.clips, bytes: report.bytes))
        try console.say(
            "\(PlainText(folder)): \(Figures.count(report.clips, "clip")), \(ByteCount(report.bytes)), as of \(PlainText(report.created, limit: 40))"
        )
        if report.stored > 0 {
            console.note(
                "\(Figures.count(report.stored, "clip")) of these kept in a store alone, and fetched from there")
        }
    }
}
