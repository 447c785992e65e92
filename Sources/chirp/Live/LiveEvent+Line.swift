import ChirpCommands
import ChirpCore
import ChirpFlows
import ChirpNetworks
import ChirpJournal

extension LiveEvent {
    /// One line for a log on a terminal; nil for what is no news there.
    var line: String? {
        switch self {
        case .started(_, let accounts, let goesOn):
            "listening to \(accounts.map(\.shown).joined(separator: ", "))"
                + (goesOn ? ", going on where it was cut off" : "")
        case .windowChanged, .accountsChanged, .detected, .fetching, .fetched, .removed, .ended: nil
        case .windowRefused(let refusal): refusal.whatHappened
        case .playing(let record, let isReplay):
            "\(LiveBoard.name(record))\(isReplay ? " again" : ""), \(Figures.clock(record.seconds ?? 0)): \(record.words)"
        case .played: nil
        case .skipped(let record, let because): "skipped \(LiveBoard.name(record)): \(PlainText(because, limit: 300))"
        case .setAside(let record, let because):
            "set aside clip \(record.id) by \(LiveBoard.name(record)): \(PlainText(because, limit: 300)); "
                + "try it again with: chirp replay \(record.id)"
        case .paused: "paused"
        case .resumed: "going on"
        case .unreachable(let network, let error, let again):
            "no answer from \(network): \(error.whatHappened); asked again in \(Self.wait(again, after: error))"
        case .reachable(let network): "\(network) answers again"
        case .device(let event): event.line
        }
    }

    /// The wait, and what the network had wished for where that is more.
    private static func wait(_ again: Duration, after error: NetworkError) -> String {
        let shown = Figures.clock(again / .seconds(1))
        guard case .busy(let wish?) = error, wish > again else { return shown }
        return "\(shown), although it asks for \(Figures.clock(wish / .seconds(1)))"
    }

    /// Whether the line is for the curious alone: failures are silent on the main line (UF-6).
    var isDetail: Bool {
        switch self {
        case .skipped, .unreachable, .reachable: true
        default: false
        }
    }
}
