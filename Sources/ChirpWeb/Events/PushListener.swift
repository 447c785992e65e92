package import Hummingbird
internal import NIOCore
internal import NIOHTTPTypes

/// Somebody to whom events are pushed, each by whoever knows that it is for her. What she missed is not kept: who comes back is told
/// how everything stands.
///
/// All of it happens on the event loop of the connection. What is pushed goes into the connection's queue once it is known that the
/// listener may stay; who does not take it is cut off.
package final class PushListener: Sendable {
    private struct State {
        /// Not yet written, for want of room.
        var owed: [ByteBuffer] = []
        var isFull = false
        var fullPulses = 0
        var isOver = false
        /// What had ended when it was asked last whether the listener may stay (``SignOuts/count()``); and that is being asked.
        var asked: Int64?
        var isAsking = false
        /// It ends behind what is owed.
        var isEnding = false
    }

    private let channel: any Channel
    private let person: FeedPerson
    private let signOuts: SignOuts
    private let stay = FeedStay()
    private let state: NIOLoopBoundBox<State>

    /// A comment, which shows that the connection is alive.
    private static let pulse = ByteBuffer(string: ":\n\n")
    /// How many pulses a full queue may last: a minute.
    private static let mostPulses = 4
    /// How many pieces may wait for room.
    private static let mostOwed = 256

    init(_ channel: any Channel, for person: FeedPerson, signOuts: SignOuts) {
        self.channel = channel
        self.person = person
        self.signOuts = signOuts
        state = .makeBoxSendingValue(State(), eventLoop: channel.eventLoop)
    }

    /// The answer to a request, which lasts as long as the listener likes.
    ///
    /// - Parameters:
    ///   - signOuts: by what it is known that it is to be asked whether the listener may stay.
    ///   - begin: called when events can be pushed; what it pushes comes first.
    ///   - end: called when she has gone.
    /// - Throws: 429 when the listener has as many streams as it may.
    package static func answer(
        _ context: WebContext, shares: AddressShares, for person: FeedPerson, signOuts: SignOuts,
        begin: @escaping @Sendable (PushListener) async -> Void, end: @escaping @Sendable (PushListener) async -> Void
    ) throws -> Response {
        let channel = context.channel
        return try context.events(shares, account: person.account) { writer in
            try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
            let listener = PushListener(channel, for: person, signOuts: signOuts)
            channel.eventLoop.execute { listener.enter() }
            await begin(listener)
            await listener.stay.wait()
            await end(listener)
            channel.eventLoop.execute { listener.leave() }
        }
    }

    private func enter() {
        channel.onHangUp { [self] in finish() }
    }

    private func leave() {
        channel.endHangUp()
        state.value.isOver = true
        state.value.owed = []
    }

    /// Sends pieces of an event. From any thread; those of one thread arrive in their order.
    package func push(_ pieces: [ByteBuffer]) {
        channel.eventLoop.execute { [self] in
            guard !state.value.isOver, !state.value.isEnding else { return }
            state.value.owed += pieces
            guard state.value.owed.count <= Self.mostOwed else { return channel.close(promise: nil) }
            askAndPay()
        }
    }

    /// Writes what is owed to whoever may stay. That is asked only when something has ended that lets people in.
    private func askAndPay() {
        guard !state.value.isOver, !state.value.isAsking else { return }
        let asked = state.value.asked
        state.value.isAsking = true
        Task { [self] in
            let ended = await signOuts.count()
            let mayStay = if let ended, ended == asked { true } else { await person.mayStay() }
            channel.eventLoop.execute { [self] in
                guard !state.value.isOver else { return }
                guard mayStay else { return finish() }
                state.value.isAsking = false
                state.value.asked = ended
                pay()
                if state.value.isEnding { finish() }
            }
        }
    }

    /// Shows that the connection is alive, and asks whether what let the listener in holds still.
    package func beat() {
        channel.eventLoop.execute { [self] in
            guard !state.value.isOver else { return }
            if state.value.isFull {
                state.value.fullPulses += 1
                if state.value.fullPulses >= Self.mostPulses { channel.close(promise: nil) }
            } else {
                channel.writeAndFlush(HTTPResponsePart.body(Self.pulse), promise: nil)
            }
        }
        Task { [self] in
            if await !person.mayStay() { channel.eventLoop.execute { [self] in finish() } }
        }
    }

    /// Nothing is pushed any more, and the answer ends behind what was.
    package func end() {
        channel.eventLoop.execute { [self] in
            if state.value.isAsking { state.value.isEnding = true } else { finish() }
        }
    }

    private func finish() {
        state.value.isOver = true
        state.value.owed = []
        stay.end()
    }

    private func pay() {
        guard !state.value.isOver, !state.value.isFull, !state.value.owed.isEmpty else { return }
        while let piece = state.value.owed.first {
            guard channel.isWritable else { return waitForRoom() }
            channel.write(HTTPResponsePart.body(piece), promise: nil)
            state.value.owed.removeFirst()
        }
        channel.flush()
    }

    /// Continues when everything in the queue was taken. An empty piece tells when that is: an event may be half written.
    private func waitForRoom() {
        state.value.isFull = true
        state.value.fullPulses = 0
        let taken = channel.eventLoop.makePromise(of: Void.self)
        taken.futureResult.whenSuccess { [self] in
            state.value.isFull = false
            pay()
        }
        channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer()), promise: taken)
    }
}
