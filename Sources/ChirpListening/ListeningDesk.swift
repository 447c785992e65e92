package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
package import ChirpFlows
internal import ChirpJournal
package import ChirpWeb
package import Foundation
internal import NIOCore
internal import Synchronization

/// Everybody's live listening in browsers. A ``LiveMachine`` decides for each session, as it does for `chirp live`; the browser is its
/// loudspeaker, and the clips are here already.
///
/// What arrived, was heard or was asked for is written down before anything follows from it. So a process that dies loses nothing: the
/// next one goes on from the tables, and the clip that was being heard is the only one that is heard again. A new post is read once,
/// by whom it is for is found in memory, and its bytes are made once.
package actor ListeningDesk {
    /// The clocks.
    package struct Times: Sendable {
        /// The clock on the wall.
        let date: @Sendable () -> Date
        /// One that only goes forward, from any instant.
        let uptime: @Sendable () -> Duration
        let sleep: @Sendable (Duration) async throws -> Void

        package init(
            date: @escaping @Sendable () -> Date, uptime: @escaping @Sendable () -> Duration,
            sleep: @escaping @Sendable (Duration) async throws -> Void
        ) {
            (self.date, self.uptime, self.sleep) = (date, uptime, sleep)
        }
    }

    let store: ListeningStore
    let times: Times
    let rules: LiveRules
    private let watch: EventFeed.Watching
    private let failed: @Sendable (LibraryError) -> Void

    var sessions: [Int64: RunningSession] = [:]
    private var byAccount: [AccountID: Int64] = [:]
    private var byAuthor: [AccountID: Set<Int64>] = [:]
    private var gone: Set<Int64> = []
    /// Up to where the feed was read.
    var place: Int64 = 0
    private var isLoaded = false
    private var loading: Task<LibraryError?, Never>?
    var tails: [Int64: LiveTail] = [:]
    private var tailOrder: [Int64] = []
    var events: Int64 = 0
    private var ears = 0
    private var alarm: (at: Duration, task: Task<Void, Never>)?
    private var endWatching: (@Sendable () -> Void)?
    private nonisolated let wakes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private nonisolated let isPulseDue = Mutex(false)

    /// How many posts were encoded, for tests.
    package private(set) var encodings = 0

    private static let batch = 100
    private static let mostTails = 512
    /// A clock on the wall may be set while nothing else happens.
    private static let look = Duration.seconds(60)
    /// So long a session whose window is over waits for a browser.
    private static let patience = Duration.seconds(3600)
    private static let retry = Duration.seconds(1)

    /// - Parameters:
    ///   - watch: tells when the library has changed.
    ///   - failed: hears of what could not be read or written, and is tried again.
    package init(
        _ store: ListeningStore, times: Times, rules: LiveRules = LiveRules(), watch: @escaping EventFeed.Watching,
        failed: @escaping @Sendable (LibraryError) -> Void = { _ in }
    ) {
        self.store = store
        self.times = times
        self.rules = rules
        self.watch = watch
        self.failed = failed
    }

    /// How many sessions run.
    package var count: Int { sessions.count }

    /// Drives the sessions until the task is cancelled. They do not end by that.
    package func run() async {
        do throws(LibraryError) { try await ready() } catch { failed(error) }
        for await _ in wakes.stream {
            await look()
            if isPulseDue.withLock({ due in
                defer { due = false }; return due
            }) {
                beat()
            }
        }
        endWatching?()
        endWatching = nil
        alarm?.task.cancel()
        alarm = nil
        for one in sessions.values { one.ears.values.forEach { $0.end() } }
    }

    // MARK: Going on after a restart

    /// Takes over what the tables have. The first to come does it, the others wait.
    func ready() async throws(LibraryError) {
        while !isLoaded {
            let task = loading ?? Task { await load() }
            loading = task
            if let error = await task.value {
                loading = nil
                throw error
            }
        }
    }

    private func load() async -> LibraryError? {
        guard !isLoaded else { return nil }
        do throws(LibraryError) {
            let rows = try await store.adopt()
            place = rows.map(\.readTo).min() ?? 0
            var found: [RunningSession] = []
            for row in rows {
                let open = try await store.open(in: row.number)
                let last = try await store.plays(of: row.number, limit: RunningSession.mostTold)
                let known = Set(last.map(\.id))
                let plays = open.filter { !known.contains($0.id) } + last
                let one = RunningSession(row, plays: plays, rules: rules, now: times.uptime())
                found.append(one)
            }
            for one in found { enter(one) }
            // What came while nothing ran belongs to it also when the window is over by now.
            try await read(isLate: true)
            for one in found { take(.tick, one) }
            isLoaded = true
            for one in found { await settle(one) }
            return nil
        } catch {
            for one in Array(sessions.values) { leave(one) }
            return error
        }
    }

    private func enter(_ one: RunningSession) {
        let isFirst = sessions.isEmpty
        if isFirst, isLoaded { place = one.row.readTo }
        sessions[one.row.number] = one
        byAccount[one.row.account] = one.row.number
        for author in one.row.chosen { byAuthor[author.id, default: []].insert(one.row.number) }
        for play in one.plays where play.state == .queued || play.state == .playing {
            one.pending.append(PlayID(rawValue: play.id))
        }
        if isFirst { beginWatching() }
    }

    private func leave(_ one: RunningSession) {
        sessions[one.row.number] = nil
        if byAccount[one.row.account] == one.row.number { byAccount[one.row.account] = nil }
        for author in one.row.chosen { byAuthor[author.id]?.remove(one.row.number) }
        guard sessions.isEmpty else { return }
        byAuthor = [:]
        gone = []
        endWatching?()
        endWatching = nil
    }

    private func beginWatching() {
        guard endWatching == nil else { return }
        endWatching = watch { [self] isPulse in
            if isPulse { isPulseDue.withLock { $0 = true } }
            wakes.continuation.yield()
        }
        wakes.continuation.yield()
    }

    func session(of account: AccountID) async throws(LibraryError) -> RunningSession? {
        try await ready()
        return byAccount[account].flatMap { sessions[$0] }
    }

    // MARK: What arrives

    /// Looks for what is new. What fails is tried again at the next signal.
    package func look() async {
        do throws(LibraryError) {
            try await ready()
            try await read(isLate: false)
            try await dropGone()
        } catch {
            if error != .cancelled { failed(error) }
        }
    }

    /// One question for all who listen; for whom each post is, is known with it.
    private func read(isLate: Bool) async throws(LibraryError) {
        while !sessions.isEmpty {
            let found = try await store.posts(after: place, limit: Self.batch)
            guard let last = found.last?.post.sequence else { return }
            let now = times.date()
            var wanted: [ListeningStore.Detected] = []
            for streamed in found where streamed.post.clip != nil && streamed.post.visibility != .direct {
                let post = streamed.post
                for number in (byAuthor[post.author.id] ?? []).sorted() {
                    guard let one = sessions[number], streamed.audience.contains(one.row.account),
                        post.sequence > one.row.readTo, one.wants(made: post.created, now: now, isLate: isLate)
                    else { continue }
                    wanted.append(.init(session: number, post: post.sequence, author: post.author.id))
                }
            }
            if !wanted.isEmpty {
                let plays = try await store.detect(wanted, upTo: last)
                let heard = Set(plays.compactMap(\.post))
                for streamed in found where heard.contains(streamed.post.sequence) { _ = tail(of: streamed.post) }
                for play in plays { arrive(play) }
            }
            place = max(place, last)
            if found.count < Self.batch { break }
        }
        for one in Array(sessions.values) where one.needsSettling { await settle(one) }
    }

    private func arrive(_ play: ListeningPlay) {
        guard let one = sessions[play.session] else { return }
        one.add(play)
        tell(play, one)
        // Who may hear it was asked with the post itself.
        take(.arrived(PlayID(rawValue: play.id)), one, fresh: play.id)
    }

    /// Whose posts were deleted is not heard any more.
    private func dropGone() async throws(LibraryError) {
        guard !sessions.isEmpty else { return }
        let found = try await store.gone()
        for (number, ids) in found {
            guard let one = sessions[number] else { continue }
            for id in ids where gone.insert(id).inserted {
                guard let index = one.index(of: id) else { continue }
                one.plays[index].post = nil
                tell(one.plays[index], one)
                if let turn = one.turn, turn.turn.play.rawValue == id, !turn.isStarted {
                    one.turn?.isAllowed = false
                } else {
                    take(.dropped(PlayID(rawValue: id)), one)
                }
            }
            await settle(one)
        }
    }

    /// The bytes of a post for all who listen to it; nil when it has no clip.
    func tail(of post: HubPost) -> LiveTail? {
        if let known = tails[post.sequence] { return known }
        guard let clip = post.clip else { return nil }
        encodings += 1
        let tail = LiveTail(post, clip)
        tails[post.sequence] = tail
        tailOrder.append(post.sequence)
        if tailOrder.count > Self.mostTails { tails[tailOrder.removeFirst()] = nil }
        return tail
    }

    // MARK: What the machine says

    /// - Parameter fresh: a play of which is known that it may be heard at this moment.
    func take(_ input: LiveMachine.Input, _ one: RunningSession, fresh: Int64? = nil) {
        var inputs = one.pending.map { LiveMachine.Input.arrived($0) }
        one.pending = []
        if !one.isTakenOver {
            one.isTakenOver = true
            if one.row.isPaused { inputs.append(.request(.togglePause)) }
        }
        inputs.append(input)
        let before = (one.machine.window, one.phase(at: times.date()))
        while !inputs.isEmpty {
            let input = inputs.removeFirst()
            for action in one.machine.take(input, now: times.uptime(), date: times.date()) {
                switch action {
                case .fetch(let id):
                    inputs.append(one.play(id.rawValue)?.post == nil ? .dropped(id) : .fetched(id))
                case .giveUp(let id): one.refused.append((id.rawValue, "many"))
                case .play(let turn): begin(turn, one, isAllowed: fresh == turn.play.rawValue)
                case .skip:
                    if let turn = one.turn?.turn {
                        one.turn = nil
                        inputs.append(.ended(turn))
                    }
                case .end: one.isEnding = true
                case .watch, .stopWatching, .pause, .resume: break
                }
            }
        }
        if one.machine.window != before.0 { one.hasMoved = true }
        tellTurn(one)
        if one.phase(at: times.date()) != one.toldPhase, one.toldPhase != nil { one.owesSession = true }
        one.toldPhase = one.phase(at: times.date())
        arm(one)
    }

    private func begin(_ turn: LiveTurn, _ one: RunningSession, isAllowed: Bool) {
        one.turns += 1
        let heard = turn.isReplay ? 0 : one.play(turn.play.rawValue).map { $0.state == .playing ? $0.seconds : 0 } ?? 0
        one.turn = RunningSession.Turn(
            number: one.turns, turn: turn, position: heard, noted: heard, isAllowed: isAllowed)
    }

    /// Does what needs the library: asks whether a turn may be heard (CH-22), and writes down what has ended.
    func settle(_ one: RunningSession) async {
        one.again = nil
        do throws(LibraryError) {
            while !one.refused.isEmpty {
                let (play, why) = one.refused[0]
                try await mark(play, .failed, why: why, one)
                one.refused.removeAll { $0.0 == play }
            }
            if one.hasMoved {
                let window = one.machine.window
                one.hasMoved = false
                one.row.begins = window.begins
                one.row.ends = window.ends ?? one.row.ends
                one.owesSession = true
                _ = try await store.change(
                    one.row.number,
                    window: ListeningWindow(
                        begins: one.row.begins, ends: one.row.ends, followsClock: one.row.followsClock))
            }
            while let turn = one.turn, !turn.isAllowed { try await allow(turn, one) }
            if one.isEnding { try await finish(one) }
        } catch {
            if error != .cancelled { failed(error) }
            one.again = times.uptime() + Self.retry
            arm(one)
        }
        tellTurn(one)
        if one.owesSession {
            one.owesSession = false
            await tellSession(one)
        }
    }

    private func allow(_ turn: RunningSession.Turn, _ one: RunningSession) async throws(LibraryError) {
        let id = turn.turn.play.rawValue
        let author = one.play(id)?.author
        let isChosen = author.map(one.hasChosen) ?? false
        let may = isChosen ? try await store.mayHear(id, one.row.account) : false
        guard one.turn?.number == turn.number else { return }
        if may {
            one.turn?.isAllowed = true
            return
        }
        if !turn.turn.isReplay { try await mark(id, .skipped, why: isChosen ? "withheld" : "left", one) }
        guard one.turn?.number == turn.number else { return }
        one.turn = nil
        take(.refused(turn.turn), one)
    }

    private func finish(_ one: RunningSession) async throws(LibraryError) {
        try await store.end(one.row.number)
        guard one.row.ended == nil else { return }
        one.row.ended = times.date()
        one.turn = nil
        for index in one.plays.indices where one.plays[index].state == .queued || one.plays[index].state == .playing {
            one.plays[index].state = .skipped
            one.plays[index].why = "ended"
        }
        leave(one)
        await tellSession(one)
        one.owesSession = false
        for ear in one.ears.values { ear.end() }
        one.ears = [:]
    }

    /// Writes down what became of a play, and then tells it.
    func mark(
        _ id: Int64, _ state: ListeningPlay.State, seconds: Double = 0, why: String = "", _ one: RunningSession
    ) async throws(LibraryError) {
        try await store.mark(id, state, seconds: seconds, why: why)
        guard let index = one.index(of: id) else { return }
        one.plays[index].state = state
        one.plays[index].seconds = seconds
        one.plays[index].why = why
        tell(one.plays[index], one)
    }

    // MARK: Time

    /// Lets the desk look again when the session has something to do by itself.
    private func arm(_ one: RunningSession) {
        let now = times.uptime()
        var at = now + Self.look
        if let deadline = one.machine.deadline(now: now, date: times.date()) { at = min(at, deadline) }
        if let again = one.again { at = min(at, again) }
        one.wakesAt = at
        guard alarm.map({ at < $0.at }) ?? true else { return }
        setAlarm(at)
    }

    private func setAlarm(_ at: Duration) {
        alarm?.task.cancel()
        let wait = max(at - times.uptime(), .zero)
        alarm = (
            at,
            Task { [times] in
                do { try await times.sleep(wait) } catch { return }
                await self.tick()
            }
        )
    }

    /// Time has passed.
    package func tick() async {
        alarm = nil
        let now = times.uptime()
        for one in Array(sessions.values) where one.wakesAt <= now || one.isEnding {
            endWhenLeft(one, now)
            take(.tick, one)
            await settle(one)
        }
        // What is due was looked at, and has told when it is due again.
        if alarm == nil, let next = sessions.values.map(\.wakesAt).min() { setAlarm(next) }
    }

    /// A session whose time is over waits an hour for somebody who hears the rest.
    private func endWhenLeft(_ one: RunningSession, _ now: Duration) {
        guard case .over = one.machine.window.phase(at: times.date()) else {
            one.overSince = nil
            return
        }
        let since = one.overSince ?? now
        one.overSince = since
        if now - max(since, one.lastSign) >= Self.patience { take(.request(.stop), one) }
    }

    // MARK: Those who listen

    /// Tells a browser how everything stands, and from then on what changes.
    ///
    /// - Returns: its number, for ``disconnect(_:of:)``; nil when no session runs.
    package func connect(_ ear: LiveEar, of account: AccountID) async throws(LibraryError) -> Int? {
        guard let one = try await session(of: account) else { return nil }
        // A turn that waited for a browser waited long, perhaps.
        if one.turn?.isStarted == false { one.turn?.isAllowed = false }
        await settle(one)
        let seen = try await posts(of: one)
        guard sessions[one.row.number] != nil else { return nil }
        ears += 1
        one.ears[ears] = ear
        one.lastSign = times.uptime()
        ear.push(event("session", document(one, seen)))
        let turn = one.turn?.isAllowed == true ? one.turn : nil
        one.told = turn?.number
        ear.push(event("turn", LiveTelling.turn(turn)))
        return ears
    }

    package func disconnect(_ ear: Int, of account: AccountID) {
        for one in sessions.values where one.row.account == account {
            if one.ears.removeValue(forKey: ear) != nil { one.lastSign = times.uptime() }
        }
    }

    private func beat() {
        for one in sessions.values { for ear in one.ears.values { ear.beat() } }
    }

    func changeChosen(_ one: RunningSession, to chosen: [PostAuthor]) {
        for author in one.row.chosen { byAuthor[author.id]?.remove(one.row.number) }
        one.row.chosen = chosen
        guard sessions[one.row.number] != nil else { return }
        for author in chosen { byAuthor[author.id, default: []].insert(one.row.number) }
    }

    func begin(_ row: ListeningSession) -> RunningSession {
        let one = RunningSession(row, plays: [], rules: rules, now: times.uptime())
        enter(one)
        take(.tick, one)
        return one
    }
}
