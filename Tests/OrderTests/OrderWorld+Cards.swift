import ChirpAccounts
import ChirpCommunity
import ChirpHTTP
import ChirpOrders
import LoopbackService
import Testing

/// Sellers who connect accounts of their own.
extension OrderWorld {
    static let back = "https://hub.example.org/beats/sales/cards"

    /// Somebody begins to connect an account.
    ///
    /// - Returns: where she fills it in.
    @discardableResult
    func begin(_ name: String) async throws -> String? {
        try await cards.connect(AccountID(rawValue: "id-\(name)"), back: Self.back, again: "\(Self.back)/again")
    }

    /// Somebody with an account that may be charged.
    ///
    /// - Returns: what it is called.
    func connect(_ name: String) async throws -> String {
        // She may be there.
        _ = try? await person(name)
        let seller = AccountID(rawValue: "id-\(name)")
        let address = try #require(try await begin(name))
        #expect(stripe.fillIn(at: address) == Self.back)
        #expect(try await cards.look(at: seller)?.state == .ready)
        return try #require(try await card(name)?.account)
    }

    func card(_ name: String) async throws -> SellerCard? {
        try await cards.card(of: AccountID(rawValue: "id-\(name)"))
    }

    /// Whether somebody's next order is paid by card, and to which account.
    func payee(_ name: String) async throws -> PaymentAccount? {
        try await library.reading { try provider.account(of: AccountID(rawValue: "id-\(name)"), in: $0) }
    }
}

/// Does something when an answer is on its way, which it may keep for itself.
struct EventfulTransport: HTTPTransport {
    let base = CurlTransport()
    let path: String
    let happens: @Sendable () async throws(HTTPError) -> Void

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let response = try await base.send(request)
        if request.address.path == path { try await happens() }
        return response
    }
}
