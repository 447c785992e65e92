import ArgumentParser
import ChirpCommands
import ChirpCommunity
import ChirpCore
import ChirpOwnHub
import FoundationEssentials

/// `chirp hub backup`: the whole hub in one file, here or in a store.
struct HubBackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "The whole hub in one file, while it runs.",
        discussion: """
            EXAMPLES:
              chirp hub backup hub.tar
              chirp hub backup "/mnt/nas/hub-$(date +%F).tar" -q
              chirp hub backup --store s3     into the bucket of hub.backup.place
              tar -tf hub.tar                 what is in it

            Holds accounts, sessions, posts, clips, what was sold and the hub's secrets as they are at one moment, with their \
            checksums; people may publish meanwhile. Keep it where only you can read it: it has mode 600, and the bucket or \
            folder of hub.backup.place must be private. It appears when it is whole; an older file of its name stays until \
            then. Not in it: config.yaml and letters. Exits with 3 when a file of these is missing or damaged; everything \
            else is in the file then.

            With hub.backup.store set, chirp serve does the same every hub.backup.every and keeps the newest \
            hub.backup.keep. Google Drive is no store for backups, since nothing is found by its name there.
            """)

    @Argument(help: "The file to write.", completion: .file(extensions: ["tar"]))
    var file: String?

    @Option(name: .long, help: "Where to save it instead of a file: folder, webdav, s3.")
    var store: PrivateStoreName?

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32
        var file: String?
        var store: String?
        var name: String?
        let created: String
        let clips: Int
        let sold: Int
        let bytes: Int64
        let removed: Int
        let missing: [String]
        let damaged: [String]

        /// - Parameter bytes: of the archive, where it is not at hand; of its members otherwise.
        init(_ report: HubBackup.Report, exit: ChirpCore.ExitCode, bytes: Int64) {
            self.exit = exit.rawValue
            created = report.created.formatted(.iso8601)
            clips = report.clips
            sold = report.keptFiles
            self.bytes = bytes
            removed = report.removed
            missing = report.missing
            damaged = report.damaged
        }
    }

    func validate() throws {
        switch (file, store) {
        case (nil, nil): throw ValidationError("Name a file to write, or a store: --store s3.")
        case (_?, _?): throw ValidationError("A file and --store exclude each other.")
        default: return
        }
    }

    func run() async throws {
        let wiring = Wiring(session: try common.session())
        if let file { try await write(to: file, wiring) }
        if let store { try await save(in: store, wiring) }
    }

    private func write(to target: String, _ wiring: Wiring) async throws {
        let console = wiring.session.console
        let view = console.progressView([ProgressView.Step(name: "back up", weight: 1)])
        let report = try await Interruption.cancels(cure: "Nothing was written") {
            defer { view.end() }
            return try await wiring.hubBackup().write(to: target) { view.advance("back up", to: $0) }
        }
        let code = Self.code(report)
        var answer = Answer(report, exit: code, bytes: report.bytes)
        answer.file = target
        try console.answer(answer)
        try console.say(
            "\(PlainText(target)): \(Figures.count(report.clips, "clip")), \(ByteCount(report.bytes))")
        try Self.end(report, code, console)
    }

    private func save(in store: PrivateStoreName, _ wiring: Wiring) async throws {
        let console = wiring.session.console
        guard !wiring.session.config.hubStaging.value else {
            throw UsageError(
                "a hub to try things on does not go among the backups of the real one",
                cure: "Name a file, or set hub.staging to false")
        }
        let shelf = try wiring.backupShelf(store)
        let view = console.progressView([
            ProgressView.Step(name: "back up", weight: 1), ProgressView.Step(name: "send", weight: 3),
        ])
        let saved = try await Interruption.cancels(cure: "Nothing was saved") {
            defer { view.end() }
            return try await shelf.save(
                wiring.hubBackup(), made: { view.advance("back up", to: $0) }, sent: { view.advance("send", to: $0) })
        }
        let code = Self.code(saved.report)
        var answer = Answer(saved.report, exit: code, bytes: saved.bytes)
        (answer.store, answer.name) = (store.rawValue, saved.name.text)
        try console.answer(answer)
        try console.say("\(saved.name): \(Figures.count(saved.report.clips, "clip")), \(ByteCount(saved.bytes))")
        console.note("Back from it, where no hub is: chirp hub restore --store \(store.rawValue) \(saved.name)")
        try Self.end(saved.report, code, console)
    }

    private static func code(_ report: HubBackup.Report) -> ChirpCore.ExitCode {
        report.missing.isEmpty && report.damaged.isEmpty ? .done : .partial
    }

    private static func end(
        _ report: HubBackup.Report, _ code: ChirpCore.ExitCode, _ console: Console
    ) throws {
        if report.stored > 0 {
            console.note("\(Figures.count(report.stored, "clip")) kept in a store alone: named in it, and not copied")
        }
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
