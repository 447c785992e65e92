package import Hummingbird
internal import NIOCore
internal import NIOHTTPTypes

/// Somebody to whom events are pushed, each by whoever knows that it is for her. What she missed is not kept: who comes back is told
/// how everything stands.
///
/// All of it happens on the event loop of the connection, and wakes no task. What is pushed goes straight into the connection's queue;
/// who does not take it is cut off.
package final class PushListener: Sendable {
    private struct State {
        /// Not yet written, for want of room.
        var owed: [ByteBuffer] = []
        var isFull = false
        var fullPulses = 0
        var isOver = false
    }

    private let channel: any Channel
    private let person: FeedPerson
    private let stay = FeedStay()
    private let state: NIOLoopBoundBox<State>

    /// A comment, which shows that the connection is alive.
    private static let pulse = ByteBuffer(string: ":\n\n")
    /// How many pulses a full queue may last: a minute.
    private static let mostPulses = 4
    /// How many pieces may wait for room.
    private static let mostOwed = 256

    init(_ channel: any Channel, for person: FeedPerson) {
        self.channel = channel
        self.person = person
        state = .makeBoxSendingValue(State(), eventLoop: channel.eventLoop)
    }

    /// The answer to a request, which lasts as long as the listener likes.
    ///
    /// - Parameters:
    ///   - begin: called when events can be pushed; what it pushes comes first.
    ///   - end: called when she has gone.
    /// - Throws: 429 when the listener has as many streams as it may.
    package static func answer(
        _ context: WebContext, shares: AddressShares, for person: FeedPerson,
        begin: @escaping @Sendable (PushListener) async -> Void, end: @escaping @Sendable (PushListener) async -> Void
    ) throws -> Response {
        let channel = context.channel
        return try context.events(shares, account: person.account) { writer in
            try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
            let listener = PushListener(channel, for: person)
            channel.eventLoop.execute { listener.enter() }
            await begin(listener)
            await listener.stay.wait()
            await end(listener)
            channel.eventLoop.execute { listener.leave() }
        }
    }

    private func enter() {
        channel.onHangUp { [self] in end() }
    }

    private func leave() {
        channel.endHangUp()
        state.value.isOver = true
        state.value.owed = []
    }

    /// Sends pieces of an event. From any thread; those of one thread arrive in their order.
    package func push(_ pieces: [ByteBuffer]) {
        channel.eventLoop.execute { [self] in
            guard !state.value.isOver else { return }
            state.value.owed += pieces
            guard state.value.owed.count <= Self.mostOwed else { return channel.close(promise: nil) }
            pay()
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
            if await !person.mayStay() { end() }
        }
    }

    /// Nothing is pushed any more, and the answer ends behind what was.
    package func end() {
        channel.eventLoop.execute { [self] in
            state.value.isOver = true
            state.value.owed = []
            stay.end()
        }
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
