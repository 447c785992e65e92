import ArgumentParser
import ChirpCommands
import ChirpCore
import ChirpFlows

/// `chirp takes delete`: throws recordings away (CH-4).
struct TakesDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete takes; asks first.",
        discussion: """
            EXAMPLES:
              chirp takes delete last                     asks first
              chirp takes delete 2026-11-21-1405 --yes
              chirp takes delete --published              all that were published

            What was published stays published.
            """)

    @Argument(help: "Beginnings of names, as chirp takes shows them, or last.")
    var names: [String] = []

    @Flag(name: .long, help: "All takes that were published.")
    var published = false

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32 = 0
        let deleted: [String]
    }

    func validate() throws {
        if names.isEmpty && !published { throw ValidationError("Name the takes to delete, or give --published.") }
    }

    func run() throws {
        let session = try common.session()
        let console = session.console
        let folder = Wiring(session: session).takes
        var takes: [Take] = []
        for name in names {
            let take = try folder.take(name)
            if !takes.contains(take) { takes.append(take) }
        }
        if published { takes += try folder.takes().filter { $0.link != nil && !takes.contains($0) } }
        var deleted: [String] = []
        for take in takes {
            if !yes {
                guard Terminal.canAsk else {
                    throw UsageError("nobody can be asked whether to delete \(take.id)", cure: "Add --yes")
                }
                guard console.confirms("Delete the take \(take.id), \(Figures.clock(take.seconds)) long?") else {
                    console.note("Kept \(take.id).")
                    continue
                }
            }
            try folder.delete(take)
            deleted.append(take.id)
            console.note("Deleted \(take.id).")
        }
        try console.answer(Answer(deleted: deleted))
    }
}
