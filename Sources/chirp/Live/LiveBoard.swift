import ChirpCommands
import ChirpCore
import ChirpDevices
import ChirpFlows
import ChirpJournal
import FoundationEssentials

/// What a listener sees while live: folded from events, shown as lines. Pure.
struct LiveBoard: Sendable {
    private struct Waiting {
        let name: String
        var isThere = false
    }

    private struct Heard {
        let record: PlayRecord
        let isReplay: Bool
        var since: Duration
        /// Before the last pause.
        var before = Duration.zero
    }

    private(set) var window: LiveWindow?
    private(set) var heard = 0
    private(set) var skipped = 0
    private(set) var accounts: [LiveAccount] = []
    private var current: Heard?
    private var isPaused = false
    /// In order of arrival.
    private var queue: [(id: PlayID, clip: Waiting)] = []
    private var silent: Set<String> = []
    private var message = ""

    mutating func take(_ event: LiveEvent, at now: Duration) {
        switch event {
        case .started(let window, let accounts, _):
            self.window = window
            self.accounts = accounts
        case .windowChanged(let window):
            self.window = window
            message = ""
        case .windowRefused(let refusal): message = refusal.whatHappened
        case .accountsChanged(let accounts): self.accounts = accounts
        case .detected(let record), .fetching(let record):
            guard !queue.contains(where: { $0.id == record.id }) else { return }
            queue.append((record.id, Waiting(name: Self.name(record))))
            queue.sort { $0.id < $1.id }
        case .fetched(let record):
            if let index = queue.firstIndex(where: { $0.id == record.id }) { queue[index].clip.isThere = true }
        case .playing(let record, let isReplay):
            if !isReplay { queue.removeAll { $0.id == record.id } }
            current = Heard(record: record, isReplay: isReplay, since: now)
        case .played(_, let isReplay):
            current = nil
            if !isReplay { heard += 1 }
        case .skipped(let record, _), .setAside(let record, _):
            queue.removeAll { $0.id == record.id }
            if current?.record.id == record.id { current = nil }
            skipped += 1
        case .paused:
            isPaused = true
            if let since = current?.since { current?.before += now - since }
        case .resumed:
            isPaused = false
            current?.since = now
        case .unreachable(let network, _, _): silent.insert(network)
        case .reachable(let network): silent.remove(network)
        case .device(let event):
            switch event {
            case .lost: message = "the loudspeaker is gone; waiting for it"
            case .back, .resumed: message = ""
            case .suspended: message = "the loudspeaker is asleep; waiting for it"
            case .usingMonitor, .overrun, .underRun: break
            }
        case .removed, .ended: break
        }
    }

    /// - Parameters:
    ///   - now: by the clock of the events.
    ///   - clock: how an instant is shown, such as `16:00`.
    func lines(now: Duration, date: Date, clock: (Date) -> String) -> [String] {
        [state(date, clock), speaker(now), coming, Self.keys]
    }

    static let keys = "space pause  s skip  r again  l list  + - 15 min  w window  a accounts  q end"

    private func state(_ date: Date, _ clock: (Date) -> String) -> String {
        var words = ""
        switch window?.phase(at: date) {
        case nil: words = "Live"
        case .waiting(let time)?:
            words = "Live from \(window.map { clock($0.begins) } ?? ""), in \(Figures.clock(time / .seconds(1)))"
        case .open(nil)?: words = "Live"
        case .open(let left?)?:
            words = "Live until \(window?.ends.map(clock) ?? ""), \(Figures.clock(left / .seconds(1))) left"
        case .over?: words = "The time frame is over; playing what has arrived"
        }
        if isPaused { words += ", PAUSED" }
        words += "   \(accounts.count == 1 ? accounts[0].shown : "\(accounts.count) accounts"), \(heard) heard"
        if !silent.isEmpty { words += "   no answer: \(silent.sorted().joined(separator: ", "))" }
        return message.isEmpty ? words : "\(words)   \(message)"
    }

    private func speaker(_ now: Duration) -> String {
        guard let current else { return "  nobody is speaking" }
        let length = current.record.seconds ?? 0
        let passed = current.before + (isPaused ? .zero : now - current.since)
        let time = "\(Figures.clock(min(passed / .seconds(1), length))) / \(Figures.clock(length))"
        return "> \(Self.name(current.record))\(current.isReplay ? " (again)" : "")  \(time)  \(current.record.words)"
    }

    private var coming: String {
        guard !queue.isEmpty else { return "  next: nothing yet" }
        let shown = queue.prefix(5).map { $0.clip.name + ($0.clip.isThere ? "" : " ...") }.joined(separator: ", ")
        return "  next: \(shown)\(queue.count > 5 ? ", and \(queue.count - 5) more" : "")"
    }

    static func name(_ record: PlayRecord) -> String { "@\(PlainText(record.handle, limit: 40))" }
}
