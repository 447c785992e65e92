internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpOrders
internal import ChirpWeb
internal import HTTPTypes
internal import Hummingbird

/// Where those who move money tell what has happened. What they send is believed only when it is signed, and then only as a reason to ask.
struct PaymentRoutes {
    let orders: OrderDesk
    let limits: RateLimits
    /// Something may be paid now, and is to be brought.
    let arise: @Sendable () async -> Void

    /// How many messages come from one address: many buyers pay at once, and each payment tells of itself several times.
    private static let messages = RateRule(1200, per: 60)

    var routes: [WebRoute] {
        [
            .api(
                .post, "/api/hub/v1/payments/stripe", .everybody, scope: .open, body: .upTo(OrderDesk.longestEvent),
                summary: "Takes a message of Stripe's, which signs it", gives: 204
            ) { request, context in
                do throws(AccountError) {
                    try await limits.consume("payments", Self.messages, by: .network(context.network))
                } catch {
                    guard case .tooOften(let seconds) = error else { throw error }
                    throw Problem(.tooManyRequests, "too-often", "Too many messages", retryAfter: seconds)
                }
                // Of a provider that the hub has not, nothing is read.
                guard orders.hasProvider("stripe") else { throw HTTPError(.notFound) }
                let body = try await request.body.collect(upTo: OrderDesk.longestEvent)
                let signature = request.headers[.stripeSignature] ?? ""
                do throws(OrderRefusal) {
                    try await orders.take(Array(body.readableBytesView), signature: signature, from: "stripe")
                } catch {
                    switch error {
                    case .noProvider: throw HTTPError(.notFound)
                    case .payment: throw Problem(.badRequest, "not-understood", "Nobody vouches for this message")
                    // It comes again.
                    default: throw HTTPError(.serviceUnavailable)
                    }
                }
                await arise()
                return Response(status: .noContent)
            }
        ]
    }
}

extension HTTPField.Name {
    /// docs.stripe.com/webhooks#verify-manually.
    fileprivate static var stripeSignature: HTTPField.Name { HTTPField.Name("Stripe-Signature") ?? .authorization }
}
