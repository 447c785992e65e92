internal import ArgumentParser
internal import ChirpCore
internal import ChirpFlows
internal import ChirpJournal

/// `chirp outbox drop`: gives a publication up.
struct OutboxDropCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop",
        abstract: "Give one up, and remove what it has made.",
        discussion: """
            EXAMPLES:
              chirp outbox drop 3kf9          asks first; the beginning of an id is enough
              chirp outbox drop 3kf9 --yes

            The clip and its post are removed from wherever they already are. The recording itself is never touched.
            """)

    @Argument(help: "The beginning of an id, as chirp outbox shows it.")
    var id: String

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32 = 0
        let id: String
        let state: String
    }

    func run() async throws {
        let session = try common.session()
        let console = session.console
        let view = console.progressView([])
        let ports = try Wiring(session: session).ports(report: FlowReport(console: console, view: view).take)
        let outbox = Outbox(ports)
        let record = try await ports.journal.publication(id)
        if !yes {
            guard Terminal.canAsk else {
                throw UsageError("nobody can be asked whether to drop \(record.id)", cure: "Add --yes")
            }
            guard console.confirms("Drop '\(PlainText(record.inputName, limit: 60))' and remove what it has made?")
            else {
                console.note("Kept.")
                return
            }
        }
        let dropped = try await Interruption.cancels { try await outbox.drop(record.id) }
        try console.answer(Answer(id: dropped.id, state: dropped.state.rawValue))
        console.note("Dropped \(dropped.id).")
    }
}
