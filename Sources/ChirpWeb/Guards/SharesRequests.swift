package import Hummingbird
internal import NIOCore
internal import Synchronization

/// Leaves room for others beside a network that asks for much: it has so many requests in hand (``RequestsInFlight``), and few of them are worked on at
/// once. Whoever has more is told to come back (429).
///
/// It stands where the visitor's address is known and nothing was done yet. The refusal has no body, so that it is gone even where no body is taken.
package struct SharesRequests: RouterMiddleware {
    private let shares: AddressShares
    private let acts: Acts

    /// - Parameter acts: those that receive files wait for nobody, and nobody waits for them: they may take long to come.
    package init(_ shares: AddressShares, acts: Acts) {
        self.shares = shares
        self.acts = acts
    }

    package func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        let holder = context.holder
        guard let slot = shares.requests.slot(on: context.channel), !shares.isProxy(context) else {
            return try await next(request, context)
        }
        let kind = RequestsInFlight.Kind(path: request.uri.path)
        guard slot.enter(holder, kind) else {
            return Response(status: .tooManyRequests, headers: [.retryAfter: "1", .cacheControl: "no-store"])
        }
        guard kind != .asset, !acts.includeFiles(request.head) else { return try await next(request, context) }
        let turn = Turn(shares.requests.working, holder)
        defer { turn.end() }
        let begin = { @Sendable [channel = context.channel] in
            try await turn.begin()
            // Who has left while it waited wants nothing any more.
            guard channel.isActive else { throw CancellationError() }
        }
        guard acts.includeDocument(request.head) else {
            try await begin()
            return try await next(request, context)
        }
        // While a body comes nothing is worked on: whoever sends it slowly keeps no neighbour waiting.
        var request = request
        let body = request.body
        request.body = Hummingbird.RequestBody(asyncSequence: CheckedBody(body: body, check: begin))
        return try await next(request, context)
    }
}

/// The turn of one request: taken once, however often it is asked for, and given back once.
private final class Turn: Sendable {
    private let turns: KeyedSemaphore<AddressShares.Holder>
    private let holder: AddressShares.Holder
    private let isTaken = Atomic(false)

    init(_ turns: KeyedSemaphore<AddressShares.Holder>, _ holder: AddressShares.Holder) {
        (self.turns, self.holder) = (turns, holder)
    }

    /// Not from two tasks at once: a request has one body and one reader.
    func begin() async throws {
        guard !isTaken.load(ordering: .acquiring) else { return }
        try await turns.acquire(holder)
        isTaken.store(true, ordering: .releasing)
    }

    func end() {
        if isTaken.exchange(false, ordering: .acquiringAndReleasing) { turns.release(holder) }
    }
}
