package import Hummingbird
internal import NIOCore

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
        let isAsset = RequestClass(request.uri.path) == .asset
        guard slot.enter(holder, isAsset: isAsset) else {
            return Response(status: .tooManyRequests, headers: [.retryAfter: "1", .cacheControl: "no-store"])
        }
        guard !isAsset, !acts.includeFiles(request.head) else { return try await next(request, context) }
        try await shares.requests.working.acquire(holder)
        defer { shares.requests.working.release(holder) }
        // Who has left while it waited wants nothing any more.
        guard context.channel.isActive else { throw CancellationError() }
        return try await next(request, context)
    }
}
