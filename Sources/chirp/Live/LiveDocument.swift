import ChirpCore
import ChirpFlows
import ChirpNetworks
import ChirpJournal
import FoundationEssentials

/// An event of `live --json`: one line each.
struct LiveDocument: Encodable {
    let v = 1
    let event: String
    /// The time of day.
    let time: Date
    /// Seconds on a clock that only goes forward, for measuring.
    let uptime: Double
    var id: PlayID?
    var network: String?
    var account: String?
    var seconds: Double?
    var bytes: Int64?
    var text: String?
    var again: Bool?
    var reason: String?
    /// Seconds until a network is asked again.
    var wait: Double?
    var begins: Date?
    var ends: Date?
    var accounts: [String]?
    var goesOn: Bool?
    var removed: Int?

    init(_ event: LiveEvent, at uptime: Duration, time: Date) {
        self.time = time
        self.uptime = uptime / .seconds(1)
        switch event {
        case .started(let window, let chosen, let goesOn):
            self.event = "started"
            (begins, ends) = (window.begins, window.ends)
            accounts = chosen.map(\.shown)
            self.goesOn = goesOn
        case .windowChanged(let window):
            self.event = "window"
            (begins, ends) = (window.begins, window.ends)
        case .windowRefused(let refusal):
            self.event = "window-refused"
            reason = refusal.whatHappened
        case .accountsChanged(let chosen):
            self.event = "accounts"
            accounts = chosen.map(\.shown)
        case .detected(let record):
            self.event = "detected"
            describe(record)
        case .fetching(let record):
            self.event = "fetching"
            describe(record)
        case .fetched(let record):
            self.event = "fetched"
            describe(record)
        case .playing(let record, let isReplay):
            self.event = "playing"
            describe(record)
            again = isReplay
        case .played(let record, let isReplay):
            self.event = "played"
            describe(record)
            again = isReplay
        case .skipped(let record, let because):
            self.event = "skipped"
            describe(record)
            reason = because
        case .setAside(let record, let because):
            self.event = "set-aside"
            describe(record)
            reason = because
        case .paused: self.event = "paused"
        case .resumed: self.event = "resumed"
        case .unreachable(let network, let error, let again):
            self.event = "unreachable"
            self.network = network
            reason = error.whatHappened
            wait = again / .seconds(1)
        case .reachable(let network):
            self.event = "reachable"
            self.network = network
        case .device(let event):
            self.event = "device"
            reason = event.line ?? "under-run"
        case .removed(let count):
            self.event = "removed"
            removed = count
        case .ended: self.event = "ended"
        }
    }

    private mutating func describe(_ record: PlayRecord) {
        id = record.id
        network = record.networkName
        account = "@\(PlainText(record.handle, limit: 100))"
        seconds = record.seconds
        bytes = record.bytes
        text = record.words
    }
}
