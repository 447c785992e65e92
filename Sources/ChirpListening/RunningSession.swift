internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpFlows
internal import ChirpJournal
internal import FoundationEssentials
package import NIOCore

/// A session as the desk drives it. Belongs to the desk alone.
final class RunningSession {
    /// What the loudspeaker is to do.
    struct Turn {
        let number: Int64
        let turn: LiveTurn
        /// Seconds that were heard.
        var position: Double
        /// The same, as they are written down.
        var noted: Double
        /// Whether it may be heard was asked (CH-22).
        var isAsked: Bool
        /// It may. Nobody is told of it before.
        var isAllowed: Bool
        var isStarted = false
    }

    var row: ListeningSession
    var machine: LiveMachine
    /// The last that arrived, and all that wait, in order of arrival.
    var plays: [ListeningPlay]
    var ears: [Int: LiveEar] = [:]
    var turn: Turn?
    /// The number of the turn that the ears know of.
    var told: Int64?
    var turns: Int64
    /// When something has to be tried again.
    var again: Duration?
    /// Since when the window is over.
    var overSince: Duration?
    /// When a browser last came, went or reported.
    var lastSign: Duration
    /// When the machine has something to do by itself.
    var wakesAt = Duration.zero
    /// Those that waited when the process began; the machine has not heard of them.
    var pending: [PlayID] = []
    /// The machine knows whether it is paused.
    var isTakenOver = false
    /// What the machine has refused, and why; not yet written down.
    var refused: [(Int64, String)] = []
    /// The window was moved, and that is not yet written down.
    var hasMoved = false
    /// What the ears know of the window.
    var toldPhase: String?
    var owesSession = false
    /// The machine has ended; the row has not.
    var isEnding = false

    /// So many plays are told.
    static let mostTold = 200
    /// The turn of a play has the same number in the next process, so that a browser goes on with it; the turns between two of them are
    /// replays, and so many of those.
    static let turnBits: Int64 = 20

    init(_ row: ListeningSession, plays: [ListeningPlay], rules: LiveRules, now: Duration) {
        self.row = row
        self.plays = plays
        machine = LiveMachine(
            window: LiveWindow(begins: row.begins, ends: row.ends, followsClock: row.followsClock), accounts: [],
            rules: rules, now: now)
        // Behind all turns of plays that were heard, and of replays in processes before.
        let heard = plays.last { $0.state != .queued && $0.state != .playing }?.id ?? 0
        turns = (heard << Self.turnBits) + Int64(min(row.runs, 1000)) * 1000
        lastSign = now
    }

    /// Something has to be asked, or written down.
    var needsSettling: Bool { turn?.isAsked == false || isEnding || owesSession || hasMoved || !refused.isEmpty }

    func index(of play: Int64) -> Int? { plays.lastIndex { $0.id == play } }

    func play(_ id: Int64) -> ListeningPlay? { index(of: id).map { plays[$0] } }

    func hasChosen(_ author: AccountID) -> Bool { row.chosen.contains { $0.id == author } }

    /// Adds one, and lets go of those that were told long ago and wait no longer.
    func add(_ play: ListeningPlay) {
        plays.append(play)
        guard plays.count > Self.mostTold else { return }
        if let old = plays.firstIndex(where: { $0.state != .queued && $0.state != .playing }),
            old < plays.count - Self.mostTold
        {
            plays.remove(at: old)
        }
    }

    /// How a post stands to the window. What is found late counts by when it was made.
    func wants(made: Date, now: Date, isLate: Bool) -> Bool {
        func isOpen(_ date: Date) -> Bool { if case .open = machine.window.phase(at: date) { true } else { false } }
        return isOpen(made) || !isLate && isOpen(now)
    }

    func phase(at date: Date) -> String {
        if row.ended != nil { return "ended" }
        return switch machine.window.phase(at: date) {
        case .waiting: "waiting"
        case .open: "open"
        case .over: "over"
        }
    }
}

/// A browser that hears of a session's events, as the desk knows it.
package struct LiveEar: Sendable {
    let push: @Sendable ([ByteBuffer]) -> Void
    let beat: @Sendable () -> Void
    let end: @Sendable () -> Void

    /// - Parameters:
    ///   - push: takes the pieces of one event. Must not wait.
    ///   - beat: shows that the connection is alive.
    ///   - end: nothing more will be pushed.
    package init(
        push: @escaping @Sendable ([ByteBuffer]) -> Void, beat: @escaping @Sendable () -> Void = {},
        end: @escaping @Sendable () -> Void = {}
    ) {
        (self.push, self.beat, self.end) = (push, beat, end)
    }
}
