internal import ChirpCore
internal import ChirpJournal
internal import Foundation
internal import Synchronization

/// Live listening: detects clips, fetches them at once and plays them in the order they arrived (W-6, CH-8 to CH-10, UF-5).
///
/// ``LiveMachine`` decides; this carries out, one task per watch, fetch and turn, all of them ended before ``run()`` returns.
/// What was detected is a row in the journal before anything else happens, together with how far the feed was read. So a
/// process that dies misses nothing: the next session fetches what was not fetched, and plays what was not played; the clip
/// that was being heard is the only one that is heard again.
public final class LiveSession: Sendable {
    enum Message: Sendable {
        case input(LiveMachine.Input)
        case request(LiveRequest)
        case failed(LiveFailure)
    }

    /// What keys do to the clip that is being heard, also while it is being opened.
    struct Playback {
        var remote: PlaybackRemote?
        var isPaused = false
        var isSkipped = false
    }

    let ports: LivePorts
    let rules: LiveRules
    let inbox: AsyncStream<Message>
    let messages: AsyncStream<Message>.Continuation
    let playback = Mutex(Playback())
    let chosen: Mutex<[LiveAccount]>
    /// Why a clip is set aside.
    private static let diedTwice = "Chirp has ended unexpectedly twice while it had it in hand"

    /// How often at least a window by the clock on the wall looks at it.
    private static let clockLook = Duration.seconds(60)

    private let window: LiveWindow
    private let catchUp: Duration

    /// - Parameter catchUp: how far back posts count that were there before. A session that was cut off is gone on with
    ///   in any case.
    public init(
        _ ports: LivePorts, window: LiveWindow, accounts: [LiveAccount], catchUp: Duration = .zero,
        rules: LiveRules = LiveRules()
    ) {
        self.ports = ports
        self.rules = rules
        self.window = window
        self.catchUp = catchUp
        chosen = Mutex(accounts)
        // Holds what tasks have done and keys have asked for; bounded by the clips under way.
        (inbox, messages) = AsyncStream.makeStream()
    }

    /// Asks for something; from any thread, also before it runs.
    public func send(_ request: LiveRequest) { messages.yield(.request(request)) }

    /// Listens until the window is over and everything was heard, until it is stopped, or until the task is cancelled. Only
    /// the last is no end: the next session goes on there.
    public func run() async throws(LiveFailure) {
        let accounts = chosen.withLock { $0 }
        guard !accounts.isEmpty else { throw .nobodyChosen }
        guard let lease = try lease() else { throw .alreadyListening }
        let result: Result<Void, LiveFailure>
        do throws(LiveFailure) { result = .success(try await listen(accounts)) } catch { result = .failure(error) }
        lease.end()
        try result.get()
    }

    private func listen(_ accounts: [LiveAccount]) async throws(LiveFailure) {
        try ports.cache.make()
        let begun = ports.now()
        // Under the lease: whoever has left a mark is dead.
        let settled = try await mapping { () async throws(JournalError) in
            try await ports.journal.settleDeaths(because: Self.diedTwice)
        }
        let (id, goesOn) = try await mapping { () async throws(JournalError) in
            try await ports.journal.beginListening(now: begun, since: begun - rules.memory.timeInterval)
        }
        let open = try await mapping { () async throws(JournalError) in try await ports.journal.openPlays() }
        try await tidyUp(open: Set(open))
        tell(.started(window, accounts: accounts, goesOn: goesOn))
        for play in settled.setAside { tell(.setAside(play, because: play.reason ?? "")) }
        var machine = LiveMachine(
            window: window, accounts: accounts, rules: rules, now: ports.uptime(), suspects: settled.suspects)
        var crew = LiveTasks()
        for play in open {
            perform(machine.take(.arrived(play), now: ports.uptime(), date: ports.now()), &crew, machine, goesOn)
        }
        perform(machine.take(.tick, now: ports.uptime(), date: ports.now()), &crew, machine, goesOn)
        var failure: LiveFailure?
        for await message in inbox {
            if let moved = machine.observe(now: ports.uptime(), date: ports.now()) { tell(.windowChanged(moved)) }
            let input: LiveMachine.Input
            switch message {
            case .input(let found): input = found
            case .request(let request):
                guard let translated = translate(request, machine) else { continue }
                input = .request(translated)
            case .failed(let reason):
                failure = reason
                input = .request(.stop)
            }
            if case .ended = input { playback.withLock { $0 = Playback(isPaused: $0.isPaused) } }
            if case .fetched(let play) = input { crew.fetches[play] = nil }
            if case .dropped(let play) = input { crew.fetches[play] = nil }
            let actions = machine.take(input, now: ports.uptime(), date: ports.now())
            perform(actions, &crew, machine, goesOn)
            if actions.contains(.end) { break }
        }
        let wasCutOff = Task.isCancelled || failure != nil
        await crew.end()
        tell(.ended)
        if let failure { throw failure }
        if !wasCutOff {
            try await mapping { () async throws(JournalError) in
                try await ports.journal.endListening(id, now: ports.now())
            }
        }
    }

    /// What the machine is to hear of a request; what needs the calendar is decided here.
    private func translate(_ request: LiveRequest, _ machine: LiveMachine) -> LiveRequest? {
        switch request {
        case .extend(let change):
            do throws(LiveWindow.Refusal) {
                let window = try machine.window.extended(by: change, now: ports.now())
                tell(.windowChanged(window))
                return .window(window)
            } catch {
                tell(.windowRefused(error))
                return nil
            }
        case .window(let window):
            tell(.windowChanged(window))
            return request
        case .accounts(let accounts):
            guard !accounts.isEmpty else { return nil }
            chosen.withLock { $0 = accounts }
            tell(.accountsChanged(accounts))
            return request
        case .togglePause:
            tell(machine.isPaused ? .resumed : .paused)
            return request
        case .skip, .replay, .stop: return request
        }
    }

    private func perform(
        _ actions: [LiveMachine.Action], _ crew: inout LiveTasks, _ machine: LiveMachine, _ goesOn: Bool
    ) {
        for action in actions {
            switch action {
            case .watch:
                crew.watches += ports.sources.map { source in
                    Task {
                        await self.watch(source, goesOn: goesOn, since: self.ports.now() - self.catchUp.timeInterval)
                    }
                }
            case .stopWatching:
                crew.watches.forEach { $0.cancel() }
            case .fetch(let play):
                crew.fetches[play] = Task { await self.fetch(play) }
            case .giveUp(let play):
                crew.fetches.removeValue(forKey: play)?.cancel()
                crew.others.append(Task { await self.drop(play, because: "it came too slowly") })
            case .play(let turn):
                crew.turn = Task { await self.play(turn) }
            case .pause, .resume:
                playback.withLock { playback in
                    playback.isPaused = action == .pause
                    action == .pause ? playback.remote?.pause() : playback.remote?.resume()
                }
            case .skip:
                playback.withLock { playback in
                    playback.isSkipped = true
                    playback.remote?.skip()
                }
            case .end: break
            }
        }
        playback.withLock { $0.isPaused = machine.isPaused }
        let now = ports.uptime()
        var alarm = machine.deadline(now: now, date: ports.now())
        // A clock on the wall may be set while nothing else happens.
        if machine.window.followsClock { alarm = min(alarm ?? now + Self.clockLook, now + Self.clockLook) }
        crew.wake(at: alarm, ports, messages)
    }

    func tell(_ event: LiveEvent) { ports.report(ports.uptime(), event) }

    /// One process of a user listens at a time.
    private func lease() throws(LiveFailure) -> ProcessLease? {
        do throws(JournalError) { return try ports.journal.lease("live") } catch { throw .journal(error) }
    }

    func mapping<T>(_ body: () async throws(JournalError) -> T) async throws(LiveFailure) -> T {
        do throws(JournalError) { return try await body() } catch { throw .journal(error) }
    }
}
