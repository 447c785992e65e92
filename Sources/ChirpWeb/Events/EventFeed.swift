internal import NIOCore
internal import ServiceLifecycle
internal import Synchronization

/// What is new, for any number of listeners: read and encoded once, and written to each of them from the event loop of its
/// connection.
///
/// Everything has a place in an order, and every listener knows the place up to which it has everything. A signal only says that
/// it is worth looking; what is delivered follows from places. So each listener gets everything behind its place, once and in
/// order, whatever signals were lost. The newest events lie in a ring (``FeedRing``); who is further behind reads from the source.
package final class EventFeed: Sendable {
    /// Where events come from.
    package struct Source: Sendable {
        let last: @Sendable () async throws -> Int64
        let events: @Sendable (_ after: Int64, _ limit: Int) async throws -> [FeedEvent]
        let missed: @Sendable (_ person: String?, _ after: Int64, _ limit: Int) async throws -> [FeedEvent]
        let still: @Sendable (_ ids: [Int64]) async throws -> Set<Int64>

        /// - Parameters:
        ///   - last: the place of the newest event, or the one it had.
        ///   - events: those behind a place with their audience, oldest first, as many as the limit when there are that many.
        ///   - missed: the same for one listener: what this person may have now.
        ///   - still: which of some places have their event still. Nobody is given another any more.
        package init(
            last: @escaping @Sendable () async throws -> Int64,
            events: @escaping @Sendable (_ after: Int64, _ limit: Int) async throws -> [FeedEvent],
            missed: @escaping @Sendable (_ person: String?, _ after: Int64, _ limit: Int) async throws -> [FeedEvent],
            still: @escaping @Sendable (_ ids: [Int64]) async throws -> Set<Int64>
        ) {
            (self.last, self.events, self.missed, self.still) = (last, events, missed, still)
        }
    }

    /// Begins to call for every signal, and says how to end that. `isPulse` is whether it is time to show that connections are
    /// alive.
    package typealias Watching =
        @Sendable (_ signal: @escaping @Sendable (_ isPulse: Bool) -> Void) ->
        (@Sendable () -> Void)

    /// Those whose connections share an event loop.
    private final class Shard: Sendable {
        let loop: any EventLoop
        let listeners = Mutex<[Int: FeedListener]>([:])

        init(_ loop: any EventLoop) { self.loop = loop }
    }

    /// Somebody who waits for what was missed.
    private struct Read: Sendable {
        let listener: FeedListener
        let place: Int64
        /// Up to where the ring reached before the source was asked.
        var newest: Int64 = 0
    }

    private struct State {
        var ring = FeedRing(at: 0)
        var shards: [ObjectIdentifier: Shard] = [:]
        var listeners = 0
        var next = 0
        var isPulseDue = false
        /// See ``EventFeed/ended``.
        var ended: Int64?
        /// Up to where asides were looked for.
        var asidesEnd: Int64 = 0
        var reads: [Read] = []
        var reading = 0
        var endWatching: (@Sendable () -> Void)?
        var isOver = false
    }

    /// A comment, which shows that the connection is alive.
    let pulse: ByteBuffer
    private let source: Source
    private let removal: String?
    private let asides: FeedAsides?
    private let signOuts: SignOuts?
    private let watch: Watching
    private let state = Mutex(State())
    private let wakes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    private static let batch = 100
    /// Listeners that read from the source at once; the others wait, and pages go on.
    private static let mostReads = 3

    /// - Parameters:
    ///   - pulse: a comment, with the end of its line.
    ///   - removal: the name of the event that says that another's subject is gone; nil when nobody is told.
    ///   - asides: what is told beside; nil: nothing.
    ///   - signOuts: by what it is known that listeners are to be asked whether they may stay; nil: they are asked at pulses alone.
    package init(
        _ source: Source, pulse: String = ":\n\n", removal: String? = nil, asides: FeedAsides? = nil,
        signOuts: SignOuts? = nil, watch: @escaping Watching
    ) {
        self.source = source
        self.pulse = ByteBuffer(string: pulse)
        self.removal = removal
        self.asides = asides
        self.signOuts = signOuts
        self.watch = watch
    }

    /// How many listen.
    package var count: Int { state.withLock { $0.listeners } }

    var ring: FeedRing { state.withLock { $0.ring } }

    /// How often people were signed out, as looked at behind the newest of what is there to be written.
    var ended: Int64? { state.withLock { $0.ended } }

    private func lookForSignOuts() async {
        guard let signOuts else { return }
        // Where it cannot be known, everybody is asked: no count is less.
        let found = await signOuts.count()
        state.withLock { $0.ended = found ?? ($0.ended ?? 0) - 1 }
    }

    /// Where the feed ends now: where a listener begins that names no place.
    func end() async throws -> Int64 {
        let known = state.withLock { $0.listeners > 0 ? $0.ring.newest : nil }
        if let known { return known }
        // While nobody listens nothing is read, so the ring begins anew.
        let last = try await source.last()
        let asidesEnd = try await asides?.last() ?? 0
        return state.withLock { state in
            if state.listeners == 0 { (state.ring, state.asidesEnd) = (FeedRing(at: last), asidesEnd) }
            return last
        }
    }

    /// Delivers until the task is cancelled or a graceful shutdown begins. Then every listener's answer ends.
    package func run() async {
        await cancelWhenGracefulShutdown { [self] in
            for await _ in wakes.stream { await look() }
        }
        let (shards, endWatching) = state.withLock { state in
            state.isOver = true
            defer { state.endWatching = nil }
            return (Array(state.shards.values), state.endWatching)
        }
        endWatching?()
        for shard in shards {
            shard.loop.execute { for listener in shard.listeners.withLock({ Array($0.values) }) { listener.end() } }
        }
    }

    // MARK: Coming and going

    /// Stays until the listener leaves or the feed ends, and writes to the channel meanwhile.
    ///
    /// - Parameter start: what lies behind this place is written.
    @concurrent
    func stay(
        on channel: any Channel, from start: Int64, for person: FeedPerson?, stay: FeedStay = FeedStay()
    ) async {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        channel.eventLoop.execute { [self] in
            enter(FeedListener(self, channel: channel, number: number, from: start, for: person, stay: stay))
        }
        await stay.wait()
        channel.eventLoop.execute { [self] in leave(number, channel.eventLoop) }
    }

    private func enter(_ listener: FeedListener) {
        let channel = listener.channel
        let (shard, isFirst) = state.withLock { state -> (Shard?, Bool) in
            guard !state.isOver else { return (nil, false) }
            let key = ObjectIdentifier(channel.eventLoop)
            let shard = state.shards[key] ?? Shard(channel.eventLoop)
            state.shards[key] = shard
            state.listeners += 1
            return (shard, state.listeners == 1)
        }
        guard let shard else {
            listener.end()
            return
        }
        shard.listeners.withLock { $0[listener.number] = listener }
        channel.onHangUp { listener.end() }
        if isFirst { beginWatching() }
        listener.push(ring)
    }

    private func leave(_ number: Int, _ loop: any EventLoop) {
        let shard = state.withLock { $0.shards[ObjectIdentifier(loop)] }
        guard let listener = shard?.listeners.withLock({ $0.removeValue(forKey: number) }) else { return }
        listener.channel.endHangUp()
        listener.end()
        let endWatching = state.withLock { state -> (@Sendable () -> Void)? in
            state.listeners -= 1
            guard state.listeners == 0 else { return nil }
            defer { state.endWatching = nil }
            return state.endWatching
        }
        endWatching?()
    }

    private func beginWatching() {
        let end = watch { [self] isPulse in
            if isPulse { state.withLock { $0.isPulseDue = true } }
            wakes.continuation.yield()
        }
        let unwanted = state.withLock { state -> (@Sendable () -> Void)? in
            // All may have left meanwhile, and others come.
            guard state.listeners > 0, !state.isOver else { return end }
            defer { state.endWatching = end }
            return state.endWatching
        }
        unwanted?()
        wakes.continuation.yield()
    }

    // MARK: Delivering

    private func look() async {
        while !Task.isCancelled {
            let (place, isPulse, known) = state.withLock { state in
                defer { state.isPulseDue = false }
                return (state.ring.newest, state.isPulseDue, state.ring.events.map(\.id))
            }
            // A source that fails is asked again at the next signal, the pulse at the latest.
            let still = known.isEmpty ? [] : (try? await source.still(known)) ?? Set(known)
            let found = (try? await source.events(place, Self.batch)) ?? []
            let beside = await lookBeside()
            if !found.isEmpty || beside?.events.isEmpty == false || still.count < known.count {
                await lookForSignOuts()
            }
            let (ring, notes) = state.withLock { state in
                let removed = state.ring.keep(still, of: known)
                // While nobody listened it may have begun anew.
                if state.ring.newest == place { state.ring.append(found) }
                return (state.ring, told(of: removed, at: state.ring.newest))
            }
            deliver(ring, notes, beside?.events ?? [], isPulse: isPulse)
            if found.count < Self.batch, beside?.isMore != true { return }
        }
    }

    /// What is new of that which has no place here.
    private func lookBeside() async -> FeedAsides.Found? {
        guard let asides else { return nil }
        let place = state.withLock { $0.asidesEnd }
        guard let found = try? await asides.events(place, { self.accounts }) else { return nil }
        // While nobody listened it may have begun anew, further on.
        state.withLock { $0.asidesEnd = max($0.asidesEnd, found.end) }
        return found
    }

    /// Who listens.
    private var accounts: Set<String> {
        state.withLock { Array($0.shards.values) }.reduce(into: []) { found, shard in
            shard.listeners.withLock { found.formUnion($0.values.compactMap { $0.person?.account }) }
        }
    }

    private func told(of removed: [FeedEvent], at place: Int64) -> [FeedEvent] {
        guard let removal else { return [] }
        return removed.map { event in
            FeedEvent(id: place, name: removal, data: event.subject.utf8, audience: event.audience)
        }
    }

    private func deliver(_ ring: FeedRing, _ notes: [FeedEvent], _ beside: [FeedEvent], isPulse: Bool) {
        for shard in state.withLock({ Array($0.shards.values) }) {
            shard.loop.execute {
                for listener in shard.listeners.withLock({ Array($0.values) }) {
                    listener.push(ring)
                    for note in notes { listener.tell(note) }
                    for event in beside { listener.owe(event) }
                    if isPulse { listener.beat() }
                }
            }
        }
    }

    // MARK: Reading for one

    /// Reads what a listener has missed, when it is its turn.
    func read(for listener: FeedListener, after place: Int64) {
        let isMore = state.withLock { state in
            state.reads.append(Read(listener: listener, place: place))
            guard state.reading < Self.mostReads else { return false }
            state.reading += 1
            return true
        }
        if isMore { Task { await readWaiting() } }
    }

    @concurrent
    private func readWaiting() async {
        while true {
            guard let next = nextRead() else { return }
            // What was committed before is all there, so these are all up to the ring's end, unless the batch is full.
            let found: [FeedEvent]?
            do {
                found = try await source.missed(next.listener.person?.account, next.place, Self.batch)
            } catch {
                found = nil
            }
            if found?.isEmpty == false { await lookForSignOuts() }
            give(found, to: next)
        }
    }

    private func give(_ found: [FeedEvent]?, to read: Read) {
        read.listener.channel.eventLoop.execute {
            guard let found else {
                read.listener.fail()
                return
            }
            read.listener.take(found, end: found.count < Self.batch ? read.newest : nil)
        }
    }

    private func nextRead() -> Read? {
        state.withLock { state in
            guard !state.reads.isEmpty else {
                state.reading -= 1
                return nil
            }
            var next = state.reads.removeFirst()
            next.newest = state.ring.newest
            return next
        }
    }
}
