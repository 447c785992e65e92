internal import ChirpAccounts
internal import ChirpCommunity
package import ChirpCore
package import ChirpHTTP
internal import FoundationEssentials

/// What is asked of Stripe about the accounts that sellers connect to the hub's owner's, with the key of the owner (docs.stripe.com/connect).
/// Those of type `standard`: whoever has one is the merchant, pays what Stripe takes, and bears refunds and disputes herself.
package struct StripeConnect: Sendable {
    private let caller: StripeCaller

    /// - Parameter transport: repeats what may be repeated, and gives up what takes too long.
    package init(_ transport: any HTTPTransport, api: WebAddress, key: Secret) {
        caller = StripeCaller(transport: transport, api: api, key: key, account: .own)
    }

    /// How an account stands.
    package enum Standing: Hashable, Sendable {
        /// It may be charged (`charges_enabled`).
        case ready
        case notReady
        /// It is not connected any more, or there is none.
        case gone
    }

    /// Makes an account, once for a seller and a round.
    ///
    /// - Returns: what it is called.
    func open(for seller: AccountID, round: Int64) async throws(PaymentError) -> String {
        try await Stripe.telling { () async throws(StripeCaller.Refusal) in
            let account = try await caller.post(
                "/v1/accounts", [("type", "standard"), ("metadata[seller]", seller.rawValue)],
                key: "seller-\(seller.rawValue)-\(round)", as: StripeObject.Account.self)
            guard account.metadata?["seller"] == seller.rawValue else {
                throw Stripe.strange("an account of somebody else")
            }
            return try Self.name(account.id)
        }
    }

    /// The address of the pages on which its owner fills it in. It opens the account for minutes to whoever has it: it is given to her alone, and
    /// is neither kept nor logged.
    ///
    /// - Parameters:
    ///   - back: where she comes back to.
    ///   - again: where she comes to whose address is too old.
    func pages(of account: String, back: String, again: String) async throws(PaymentError) -> String {
        try await Stripe.telling { () async throws(StripeCaller.Refusal) in
            let link = try await caller.post(
                "/v1/account_links",
                [
                    ("account", try Self.name(account)), ("type", "account_onboarding"), ("return_url", back),
                    ("refresh_url", again),
                ], key: "pages-\(HubID())", as: StripeObject.Link.self)
            guard let address = WebAddress(link.url),
                link.url.hasPrefix("https:") || address.origin == caller.api.origin
            else {
                throw Stripe.strange("an address that is none")
            }
            return link.url
        }
    }

    func standing(of account: String) async throws(PaymentError) -> Standing {
        do throws(StripeCaller.Refusal) {
            let known = try await caller.get("/v1/accounts/\(try Self.name(account))", as: StripeObject.Account.self)
            guard known.id == account else { throw Stripe.strange("another account") }
            return known.mayBeCharged == true ? .ready : .notReady
        } catch {
            switch error {
            case .refused("account_invalid", isCard: _), .refused("resource_missing", isCard: _): return .gone
            case .refused(let word, isCard: _): throw .refused(provider: Stripe.name, reason: word)
            case .error(let error): throw error
            }
        }
    }

    /// Whether accounts can be connected to the owner's at all: asks about one that there is not.
    package func isPossible() async throws(PaymentError) -> Bool {
        do { return try await standing(of: "acct_0000000000000000") == .gone } catch {
            guard case .refused(_, "platform_account_required") = error else { throw error }
            return false
        }
    }

    private static func name(_ account: String) throws(StripeCaller.Refusal) -> String {
        guard account.hasPrefix("acct_") else { throw Stripe.strange("an account that is none") }
        return try Stripe.safe(account)
    }
}
