internal import ChirpCore
public import ChirpJournal
public import Foundation

/// Decides what live listening does next: what to fetch, whose turn it is, when it is over. Pure: it is told what happened and
/// when, and says what to do.
///
/// Times are counted from any fixed instant by a clock that only goes forward; the calendar is asked for the window alone.
/// When the window is over nothing new is looked for, and what has arrived is played to its end.
public struct LiveMachine: Sendable {
    public enum Input: Hashable, Sendable {
        case arrived(PlayID)
        case fetched(PlayID)
        /// It cannot be fetched, or is no clip; it will not be played.
        case dropped(PlayID)
        case ended(LiveTurn)
        /// It was not begun, since it may not be heard any more: the next one comes without a silence.
        case refused(LiveTurn)
        /// Time has passed.
        case tick
        case request(LiveRequest)
    }

    public enum Action: Hashable, Sendable {
        /// Look for posts.
        case watch
        /// Look no more: the window is over, or has been moved into the future.
        case stopWatching
        case fetch(PlayID)
        case giveUp(PlayID)
        case play(LiveTurn)
        case pause
        case resume
        case skip
        /// Listening is over.
        case end
    }

    public private(set) var window: LiveWindow
    public private(set) var accounts: [LiveAccount]
    public private(set) var isPaused = false
    /// What is being heard.
    public private(set) var current: LiveTurn?

    private var queue: OrderedPrefetch<PlayID>
    private let pause: Duration
    /// Live turns are one at most; the others are replays.
    private var turns: [LiveTurn] = []
    /// The live clip whose pause is not over yet: the queue hears of its end then.
    private var resting: (until: Duration, play: PlayID?)?
    private var last: PlayID?
    private var isWatching = false
    private var isStopped = false
    private var hasEnded = false
    /// The instant of the last look, by both clocks.
    private var seen: (now: Duration, date: Date)?

    /// Less is the steering of a clock that is right.
    private static let leastJump = 1.0

    /// More replays than this are not kept in mind.
    private static let mostTurns = 20

    /// - Parameter suspects: clips that a process has died of, perhaps; each is fetched alone, so that none is blamed for another.
    public init(
        window: LiveWindow, accounts: [LiveAccount], rules: LiveRules, now: Duration, suspects: Set<PlayID> = []
    ) {
        self.window = window
        self.accounts = accounts
        queue = OrderedPrefetch(rules: rules.queue, now: now, suspects: suspects)
        pause = rules.pause
    }

    /// The clips to come, in order of arrival.
    public var waiting: [PlayID] { queue.queue }

    /// Compares the clock on the wall with the one that only goes forward. A window that counts time, and not hours of the day,
    /// moves with a clock that was set, so that it neither ends nor pauses by that.
    ///
    /// - Returns: the window when it was moved.
    public mutating func observe(now: Duration, date: Date) -> LiveWindow? {
        defer { seen = (now, date) }
        guard let seen, !window.followsClock else { return nil }
        let jump = date.bounded.timeIntervalSince(seen.date.bounded) - (now - seen.now) / .seconds(1)
        guard abs(jump) >= Self.leastJump else { return nil }
        window = window.shifted(by: jump)
        return window
    }

    /// Takes what happened.
    ///
    /// - Returns: everything to do now, in order. Each action is given once and taken as begun.
    public mutating func take(_ input: Input, now: Duration, date: Date) -> [Action] {
        guard !hasEnded else { return [] }
        _ = observe(now: now, date: date)
        var actions: [Action] = []
        switch input {
        case .arrived(let id): if !queue.arrived(id) { actions.append(.giveUp(id)) }
        case .fetched(let id): queue.fetched(id)
        case .dropped(let id): queue.dropped(id)
        case .ended(let turn): ended(turn, now: now)
        case .refused(let turn):
            guard current == turn else { break }
            current = nil
            if !turn.isReplay { queue.played(turn.play, at: now) }
        case .tick: break
        case .request(let request): take(request, into: &actions)
        }
        if let rest = resting, rest.until <= now {
            if let play = rest.play { queue.played(play, at: now) }
            resting = nil
        }
        for step in queue.steps(at: now) {
            switch step {
            case .fetch(let id): actions.append(.fetch(id))
            case .giveUp(let id): actions.append(.giveUp(id))
            case .play(let id): turns.append(LiveTurn(play: id, isReplay: false))
            }
        }
        if current == nil, resting == nil, !isPaused, !turns.isEmpty {
            let turn = turns.removeFirst()
            current = turn
            last = turn.play
            actions.append(.play(turn))
        }
        follow(date, into: &actions)
        return actions
    }

    /// When ``take(_:now:date:)`` has more to do even if nothing happens before; nil when it has not.
    public func deadline(now: Duration, date: Date) -> Duration? {
        var times: [Duration] = []
        if let resting { times.append(resting.until) }
        if let next = queue.nextDeadline { times.append(next) }
        switch window.phase(at: date) {
        case .waiting(let time), .open(let time?): times.append(now + time)
        case .open(nil), .over: break
        }
        return times.min()
    }

    private mutating func ended(_ turn: LiveTurn, now: Duration) {
        guard current == turn else { return }
        current = nil
        resting = (now + pause, turn.isReplay ? nil : turn.play)
    }

    private mutating func take(_ request: LiveRequest, into actions: inout [Action]) {
        switch request {
        case .togglePause:
            isPaused.toggle()
            if current != nil { actions.append(isPaused ? .pause : .resume) }
        case .skip: if current != nil { actions.append(.skip) }
        case .replay(let wanted):
            guard let id = wanted ?? last, turns.count < Self.mostTurns else { return }
            // Before the live clip whose turn is next, behind replays that were asked for earlier.
            let place = turns.firstIndex { !$0.isReplay } ?? turns.endIndex
            turns.insert(LiveTurn(play: id, isReplay: true), at: place)
        case .extend: break  // The caller knows the date; see LiveSession.
        case .window(let window): self.window = window
        case .accounts(let accounts): self.accounts = accounts
        case .stop: isStopped = true
        }
    }

    /// Begins and ends watching with the window, and ends it all when nothing is left to hear.
    private mutating func follow(_ date: Date, into actions: inout [Action]) {
        let phase = window.phase(at: date)
        let isOpen = if case .open = phase { true } else { false }
        if isOpen, !isWatching, !isStopped {
            isWatching = true
            actions.append(.watch)
        } else if !isOpen, isWatching {
            isWatching = false
            actions.append(.stopWatching)
        }
        let isIdle = current == nil && turns.isEmpty && queue.isEmpty
        if isStopped || phase == .over && isIdle {
            hasEnded = true
            if isWatching { actions.append(.stopWatching) }
            if current != nil { actions.append(.skip) }
            actions.append(.end)
        }
    }
}

/// What a listener can ask for while live (CH-8, CH-12).
public enum LiveRequest: Hashable, Sendable {
    /// Falls silent, or goes on where it was.
    case togglePause
    /// Ends the clip that is heard.
    case skip
    /// Plays a clip again, after the one that is heard; nil is the one that was heard last, or is being heard.
    case replay(PlayID?)
    /// Moves the end of the time frame.
    case extend(Duration)
    /// Another time frame.
    case window(LiveWindow)
    /// Other accounts, by network; what they posted before is not looked for.
    case accounts([LiveAccount])
    /// Ends listening: at once, also in the middle of a clip.
    case stop
}

/// Something to hear: a clip whose turn it is, or one that the listener wants again.
public struct LiveTurn: Hashable, Sendable {
    public let play: PlayID
    public let isReplay: Bool

    public init(play: PlayID, isReplay: Bool) {
        self.play = play
        self.isReplay = isReplay
    }
}
