public import ChirpCore
public import ChirpHTTP
internal import FoundationEssentials
internal import Synchronization

/// Posts on X.
///
/// Prices decide the design as much as the protocol: by default the user sends the post from a page, which is free; posting by
/// the API is written into a ledger before it happens, reading when it has happened, and both are kept within a budget.
public final class XNetwork: Network {
    /// What creating a post with a link costs (X's price list, pay per use, August 2026; apis.md 3.1).
    public static let postPriceUSD = 0.20

    public let properties: NetworkProperties
    let client: XClient
    let settings: XSettings
    let ledger: any SpendingLedger
    let renewSignIn: @Sendable () async throws(HTTPError) -> Void
    private let known: Mutex<Account?>

    /// - Parameters:
    ///   - api: the root of the API.
    ///   - transport: signs in, and does not retry.
    ///   - me: the account that is signed in; nil to ask X.
    ///   - renewSignIn: tells before anything is made whether the sign-in still holds, without a charge, as no other question does:
    ///     ``SignedInTokens/renew()``.
    public init(
        api: WebAddress, transport: any HTTPTransport, me: Account? = nil, settings: XSettings = XSettings(),
        ledger: any SpendingLedger, retry: RetryPolicy = RetryPolicy(), pause: Sleeper = .real,
        renewSignIn: @escaping @Sendable () async throws(HTTPError) -> Void = { () async throws(HTTPError) in }
    ) {
        self.renewSignIn = renewSignIn
        client = XClient(api: api, transport: transport, retry: retry, pause: pause)
        self.settings = settings
        self.ledger = ledger
        known = Mutex(me)
        properties = NetworkProperties(
            name: "x", textRules: .weighted(limit: 280),
            costPerPostUSD: settings.mode == .link ? Self.postPriceUSD : 0, readingCosts: Self.readingWords)
    }

    /// The account that is signed in.
    public func me() async throws(NetworkError) -> Account {
        if let me = known.withLock({ $0 }) { return me }
        guard let user = try await client.get(XUser.self, client.address("users", "me")).data else {
            throw .refused(status: 200, detail: "X does not say who is signed in")
        }
        try await countMe(user)
        let me = user.account
        known.withLock { $0 = me }
        return me
    }

    /// Pages of followed accounts that are read at most: 15 of 1000, which is what X allows in a quarter of an hour.
    private static let maximumPages = 15

    /// As far as the month's budget goes: every account costs.
    public func followed() async throws(NetworkError) -> [Account] {
        let me = try await me()
        let most = try await affordableAccounts() ?? .max
        var found: [Account] = []
        var next: String?
        for _ in 0..<Self.maximumPages {
            guard found.count < most else { throw try await overBudget(Self.readingWords) }
            var fields: [(name: String, value: String)] = [
                ("max_results", String(min(1000, most - found.count))), ("user.fields", "name,username"),
            ]
            if let next { fields.append(("pagination_token", next)) }
            let page = try await client.get(
                [XUser].self, client.address("users", me.id.text, "following", fields: fields))
            try await count(accounts: page.data ?? [])
            found += (page.data ?? []).map(\.account)
            next = page.meta?.next_token
            if next == nil { break }
        }
        return found
    }

    /// Where people read a post.
    static func page(of id: String, by author: Account) -> String {
        "https://x.com/\(PercentEncoding.encode(author.handle))/status/\(PercentEncoding.encode(id))"
    }
}

/// How posts on X are to be.
public struct XSettings: Hashable, Sendable {
    /// Who sends the post.
    public enum Mode: String, Sendable, CaseIterable {
        /// The user, from a page that Chirp gives the address of. Free, and needs no sign-in.
        case intent
        /// Chirp, by the API, which costs money for every post.
        case link
    }

    public var mode: Mode
    /// US dollars for all posts of a calendar month; nil for no limit.
    public var monthlyBudgetUSD: Double?

    public init(mode: Mode = .intent, monthlyBudgetUSD: Double? = nil) {
        self.mode = mode
        self.monthlyBudgetUSD = monthlyBudgetUSD
    }
}
