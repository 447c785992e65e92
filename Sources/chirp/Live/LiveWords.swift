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
        case .paused: "paused"
        case .resumed: "going on"
        case .unreachable(let network, let error): "no answer from \(network): \(error.whatHappened)"
        case .reachable(let network): "\(network) answers again"
        case .device(let event): event.line
        }
    }

    /// Whether the line is for the curious alone: failures are silent on the main line (UF-6).
    var isDetail: Bool {
        switch self {
        case .skipped, .unreachable, .reachable: true
        default: false
        }
    }
}
