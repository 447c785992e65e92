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
    /// Other processes serve the library too: each drives the sessions of those whose browsers speak to it.
    private let isShared: Bool
    let times: Times
    let rules: LiveRules
    private let watch: EventFeed.Watching
    let failed: @Sendable (LibraryError) -> Void

    var sessions: [Int64: RunningSession] = [:]
    var byAccount: [AccountID: Int64] = [:]
    private var byAuthor: [AccountID: Set<Int64>] = [:]
    private var gone: Set<Int64> = []
    /// Up to where the feed was read.
    var place: Int64 = 0
    private var isLoaded = false
    private var loading: Task<LibraryError?, Never>?
    var adopting: [AccountID: Task<LibraryError?, Never>] = [:]
    var tails: [Int64: LiveTail] = [:]
    private var tailOrder: [Int64] = []
    var events: Int64 = 0
    private var ears = 0
    var alarm: (at: Duration, task: Task<Void, Never>)?
    private var endWatching: (@Sendable () -> Void)?
    private nonisolated let wakes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private nonisolated let isPulseDue = Mutex(false)

    /// How many posts were encoded, for tests.
    package private(set) var encodings = 0

    private static let batch = 100
    private static let mostTails = 512
    /// A clock on the wall may be set while nothing else happens.
    static let look = Duration.seconds(60)
    /// So long a session whose window is over waits for a browser.
    static let patience = Duration.seconds(3600)
    static let retry = Duration.seconds(1)

    /// - Parameters:
    ///   - isShared: other processes serve the library too.
    ///   - watch: tells when the library has changed.
    ///   - failed: hears of what could not be read or written, and is tried again.
    package init(
        _ store: ListeningStore, isShared: Bool = false, times: Times, rules: LiveRules = LiveRules(),
        watch: @escaping EventFeed.Watching,
        failed: @escaping @Sendable (LibraryError) -> Void = { _ in }
    ) {
        self.store = store
        self.isShared = isShared
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
        // Those of others are driven there, until their browsers come here, or nobody drives them.
        guard !isShared else {
            isLoaded = true
            return nil
        }
        do throws(LibraryError) {
            let rows = try await store.adopt()
            place = rows.map(\.readTo).min() ?? 0
            let found = try await running(rows)
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

    /// Sessions as their rows have them.
    func running(_ rows: [ListeningSession]) async throws(LibraryError) -> [RunningSession] {
        var found: [RunningSession] = []
        for row in rows {
            let open = try await store.open(in: row.number)
            let last = try await store.plays(of: row.number, limit: RunningSession.mostTold)
            let known = Set(last.map(\.id))
            let plays = open.filter { !known.contains($0.id) } + last
            found.append(RunningSession(row, plays: plays, rules: rules, now: times.uptime()))
        }
        return found
    }

    func enter(_ one: RunningSession) {
        let isFirst = sessions.isEmpty
        if isFirst, isLoaded { place = one.row.readTo }
        if one.row.readTo < place {
            // The others were read further between the row and this: what came then is its first. Nothing comes twice.
            place = one.row.readTo
            wakes.continuation.yield()
        }
        sessions[one.row.number] = one
        byAccount[one.row.account] = one.row.number
        for author in one.row.chosen { byAuthor[author.id, default: []].insert(one.row.number) }
        for play in one.plays where play.state == .queued || play.state == .playing {
            one.pending.append(PlayID(rawValue: play.id))
        }
        if isFirst { beginWatching() }
    }

    func leave(_ one: RunningSession) {
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
        if isShared { try await follow(account) }
        return byAccount[account].flatMap { sessions[$0] }
    }

    // MARK: What arrives

    /// Looks for what is new. What fails is tried again at the next signal.
    package func look() async {
        do throws(LibraryError) {
            try await ready()
            if isShared { try await leaveTaken() }
            try await read(isLate: false)
            try await dropGone()
        } catch {
            if error != .cancelled { failed(error) }
        }
    }

    /// One question for all who listen; for whom each post is, is known with it.
    func read(isLate: Bool) async throws(LibraryError) {
        while !sessions.isEmpty {
            let found = try await store.posts(after: PageCursor(place), limit: Self.batch)
            guard let last = found.last?.post.sequence else { return }
            let now = times.date()
            var wanted: [ListeningStore.Detected] = []
            for streamed in found where streamed.post.clip != nil && streamed.post.visibility != .direct {
                let post = streamed.post
                // Whoever watches what is told of need not have chosen who tells it.
                var numbers = Set(byAuthor[post.author.id] ?? [])
                for (number, one) in sessions where streamed.watchers.contains(one.row.account) {
                    numbers.insert(number)
                }
                for number in numbers.sorted() {
                    guard let one = sessions[number], streamed.audience.contains(one.row.account),
                        post.sequence > one.row.readTo, one.wants(made: post.created, now: now, isLate: isLate)
                    else { continue }
                    wanted.append(.init(session: number, post: post.sequence, author: post.author.id))
                }
            }
            if !wanted.isEmpty {
                let plays = try await store.detect(wanted, upTo: last)
                let heard = Set(plays.compactMap(\.post))
                try await encode(found.map(\.post).filter { heard.contains($0.sequence) })
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
                    one.turn?.isAsked = false
                } else {
                    take(.dropped(PlayID(rawValue: id)), one)
                }
            }
            await settle(one)
        }
    }

    /// Makes the bytes of those posts that have none yet, with what is said in their clips.
    func encode(_ posts: [HubPost]) async throws(LibraryError) {
        let unknown = posts.filter { tails[$0.sequence] == nil && $0.clip != nil }
        guard !unknown.isEmpty else { return }
        let reader = store.library.seen(by: .visitor)
        let said = try await reader.transcripts(of: unknown.compactMap { $0.clip?.id })
        for post in unknown {
            let lines = post.clip.flatMap { said[$0.id] }?.lines ?? []
            _ = tail(of: post, said: lines.map(\.words).joined(separator: "\n"))
        }
    }

    /// The bytes of a post for all who listen to it; nil when it has no clip.
    func tail(of post: HubPost, said: String = "") -> LiveTail? {
        if let known = tails[post.sequence] { return known }
        guard let clip = post.clip else { return nil }
        encodings += 1
        let tail = LiveTail(post, clip, said: said)
        tails[post.sequence] = tail
        tailOrder.append(post.sequence)
        if tailOrder.count > Self.mostTails { tails[tailOrder.removeFirst()] = nil }
        return tail
    }

    // MARK: Those who listen

    /// Tells a browser how everything stands, and from then on what changes.
    ///
    /// - Returns: its number, for ``disconnect(_:of:)``; nil when no session runs.
    package func connect(_ ear: LiveEar, of account: AccountID) async throws(LibraryError) -> Int? {
        guard let one = try await session(of: account) else { return nil }
        // A turn that waited for a browser waited long, perhaps.
        if one.turn?.isStarted == false { one.turn?.isAsked = false }
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
