import ArgumentParser
import ChirpCommands
import ChirpCore
import ChirpFlows
import FoundationEssentials

/// `chirp takes list`, and `chirp takes` alone.
struct TakesListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "What was recorded and not published.",
        discussion: """
            EXAMPLES:
              chirp takes
              chirp takes list --all            published ones too
              chirp takes --json | jq -r '.takes[].path'
            """)

    @Flag(name: .long, help: "Published ones too.")
    var all = false

    @OptionGroup(title: "GENERAL") var common: CommonOptions

    private struct Answer: Encodable {
        let v = 1
        let event = "result"
        let exit: Int32 = 0
        let takes: [TakeDocument]
    }

    func run() throws {
        let session = try common.session()
        let console = session.console
        let found = try Wiring(session: session).takes.takes()
        let shown = all ? found : found.filter { $0.link == nil }
        try console.answer(Answer(takes: shown.map(TakeDocument.init)))
        for take in shown {
            let length = Figures.clock(take.seconds).leftPadded(to: 7)
            let link = take.link.map { "  \(PlainText($0, limit: 200))" } ?? ""
            try console.say("\(take.id)  \(length)  \("\(ByteCount(take.bytes))".leftPadded(to: 9))\(link)")
        }
        let hidden = found.count - shown.count
        if shown.isEmpty { console.note("Nothing waits to be published; record with: chirp record") }
        if hidden > 0 { console.note("\(hidden) published ones are not shown; see: chirp takes list --all") }
    }
}
