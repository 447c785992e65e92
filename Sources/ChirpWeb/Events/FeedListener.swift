internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Whose events a listener gets.
package struct FeedPerson: Sendable {
    /// The account.
    let account: String
    /// Whether what let the listener in holds still. Asked at each pulse, and before something is written once anybody has signed out
    /// (``SignOuts``): who signs out elsewhere hears nothing more.
    let mayStay: @Sendable () async -> Bool
    /// Whether what is told beside the feed is for it too.
    let hearsAsides: Bool

    package init(account: String, hearsAsides: Bool = true, mayStay: @escaping @Sendable () async -> Bool) {
        self.account = account
        self.hearsAsides = hearsAsides
        self.mayStay = mayStay
    }
}

/// Somebody who listens to a feed. All of it happens on the event loop of the connection.
///
/// What is new goes straight into the connection's queue. That queue has a bound, the channel's high water mark of 64 KiB; who is
/// full gets nothing more until all of it was taken, and is then where anybody is who fell behind. So a reader that reads
/// nothing costs that much, and the watch of the connection ends it; over HTTP/2, where one connection has many streams and only
/// some may be read, the pulses are counted here.
final class FeedListener: Sendable {
    /// What happens to it.
    private struct State {
        /// The place up to which it has everything.
        var last: Int64
        /// From the source, not yet written.
        var pending: ArraySlice<FeedEvent> = []
        /// Up to where the source was read, once `pending` is written; nil when there was more than one batch.
        var pendingEnd: Int64?
        /// What is told beside the feed and was not yet written.
        var owed: [FeedEvent] = []
        /// The source is being asked.
        var isReading = false
        /// Its queue is full; and for how many pulses.
        var isFull = false
        var fullPulses = 0
        /// Whether the ring may serve it, see ``FeedListener/push(_:)``.
        var isCurrent: Bool
        var isOver = false
        /// What had ended when it was asked last whether the listener may stay (``EventFeed/ended``); and that is being asked.
        var asked: Int64?
        var isAsking = false
        /// What would have been told meanwhile.
        var untold: [FeedEvent] = []
    }

    let channel: any Channel
    /// Nil for whoever sees what everybody sees.
    let person: FeedPerson?
    let stay: FeedStay
    let number: Int
    private let feed: EventFeed
    private let state: NIOLoopBoundBox<State>

    /// How many pulses a full queue may last: a minute.
    private static let mostPulses = 4
    /// How many events beside the feed may wait for room.
    private static let mostOwed = 64

    /// Called on the channel's event loop.
    init(
        _ feed: EventFeed, channel: any Channel, number: Int, from start: Int64, for person: FeedPerson?, stay: FeedStay
    ) {
        self.feed = feed
        self.channel = channel
        self.number = number
        self.person = person
        self.stay = stay
        state = NIOLoopBoundBox(State(last: start, isCurrent: person == nil), eventLoop: channel.eventLoop)
    }

    /// Writes what it has not got yet.
    ///
    /// The audience of an event in the ring was asked when it was new. So a member who comes later, or was full, is served by
    /// the source, which knows the ties of now.
    func push(_ ring: FeedRing) {
        let now = state.value
        guard !now.isReading, !now.isFull, !now.isOver else { return }
        guard now.pending.isEmpty else { return writePending() }
        if now.last >= ring.newest {
            state.value.isCurrent = true
            return
        }
        guard now.isCurrent, let found = ring.events(after: now.last) else {
            state.value.isReading = true
            feed.read(for: self, after: now.last)
            return
        }
        guard write(found, done: { event in self.state.value.last = event.id }) else { return }
        state.value.last = max(state.value.last, ring.newest)
    }

    /// What the source had behind its place.
    ///
    /// - Parameter end: up to where these are all; nil when there may be more.
    func take(_ found: [FeedEvent], end: Int64?) {
        guard !state.value.isOver else { return }
        state.value.isReading = false
        state.value.pending = found[...]
        state.value.pendingEnd = end
        writePending()
    }

    private func writePending() {
        let pending = state.value.pending
        let isWritten = write(pending) { event in
            self.state.value.pending.removeFirst()
            self.state.value.last = event.id
        }
        guard isWritten else { return }
        if let end = state.value.pendingEnd { state.value.last = max(state.value.last, end) }
        push(feed.ring)
    }

    /// Writes events until the queue is full.
    ///
    /// - Returns: whether these were all. If not, who takes up the rest may have done so already.
    private func write(_ events: ArraySlice<FeedEvent>, done: (FeedEvent) -> Void) -> Bool {
        var wrote = false
        for event in events {
            guard channel.isWritable else {
                waitForRoom()
                return false
            }
            if event.isFor(person?.account) {
                guard mayHear() else {
                    if wrote { channel.flush() }
                    return false
                }
                channel.write(HTTPResponsePart.body(event.bytes), promise: nil)
                wrote = true
            }
            done(event)
        }
        if wrote { channel.flush() }
        return true
    }

    /// Whether something may be written now. If not, it is being asked whether the listener may stay, and what there is follows then.
    private func mayHear() -> Bool {
        guard let person else { return true }
        let ended = feed.ended
        guard !state.value.isAsking else { return false }
        guard ended != state.value.asked else { return true }
        state.value.isAsking = true
        Task {
            let mayStay = await person.mayStay()
            channel.eventLoop.execute { self.answered(mayStay, ended) }
        }
        return false
    }

    private func answered(_ mayStay: Bool, _ ended: Int64?) {
        guard !state.value.isOver else { return }
        guard mayStay else { return end() }
        state.value.isAsking = false
        state.value.asked = ended
        let untold = state.value.untold
        state.value.untold = []
        push(feed.ring)
        for note in untold { tell(note) }
        pay()
    }

    /// Continues when everything in the queue was taken. The last thing in it is a comment.
    private func waitForRoom() {
        state.value.isFull = true
        state.value.fullPulses = 0
        state.value.isCurrent = person == nil
        let taken = channel.eventLoop.makePromise(of: Void.self)
        taken.futureResult.whenSuccess { [self] in
            state.value.isFull = false
            push(feed.ring)
            pay()
        }
        channel.writeAndFlush(HTTPResponsePart.body(feed.pulse), promise: taken)
    }

    /// Shows that the connection is alive.
    func beat() {
        guard !state.value.isOver else { return }
        if state.value.isFull {
            state.value.fullPulses += 1
            if state.value.fullPulses >= Self.mostPulses { channel.close(promise: nil) }
        } else {
            channel.writeAndFlush(HTTPResponsePart.body(feed.pulse), promise: nil)
        }
        guard let person else { return }
        Task {
            // Also when that cannot be found out: who comes back is asked again.
            guard await !person.mayStay() else { return }
            channel.eventLoop.execute { self.end() }
        }
    }

    /// Writes something that has no place of its own, to whoever has all that has one.
    func tell(_ note: FeedEvent) {
        let now = state.value
        guard !now.isReading, !now.isFull, !now.isOver, now.last == note.id, note.isFor(person?.account),
            channel.isWritable
        else { return }
        guard mayHear() else {
            if now.untold.count < Self.mostOwed { state.value.untold.append(note) }
            return
        }
        channel.writeAndFlush(HTTPResponsePart.body(note.bytes), promise: nil)
    }

    /// Writes something of another order than the feed's, now or once there is room. Who falls far behind is cut off, and finds it where
    /// it is kept.
    func owe(_ event: FeedEvent) {
        guard !state.value.isOver, let person, person.hearsAsides, event.isFor(person.account) else { return }
        state.value.owed.append(event)
        guard state.value.owed.count <= Self.mostOwed else { return fail() }
        pay()
    }

    private func pay() {
        guard !state.value.isOver, !state.value.isFull, !state.value.owed.isEmpty else { return }
        while let event = state.value.owed.first {
            guard channel.isWritable else { return waitForRoom() }
            guard mayHear() else { break }
            channel.write(HTTPResponsePart.body(event.bytes), promise: nil)
            state.value.owed.removeFirst()
        }
        channel.flush()
    }

    /// The source cannot say what was missed. The connection ends, and the listener comes back with its place.
    func fail() { channel.close(promise: nil) }

    /// Nothing is written any more.
    func end() {
        state.value.isOver = true
        state.value.pending = []
        state.value.owed = []
        state.value.untold = []
        stay.end()
    }
}
