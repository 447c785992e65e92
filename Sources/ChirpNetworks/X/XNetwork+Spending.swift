internal import ChirpHTTP
internal import FoundationEssentials

// What X asks for posting and reading (price list, pay per use, August 2026; apis.md 3.1), in millionths of a US dollar. A look that
// finds nothing is free, and what is read twice on a day is paid once.
extension XNetwork {
    static let postPrice = Int64((postPriceUSD * 1_000_000).rounded())
    /// A post of somebody else.
    static let readPrice: Int64 = 5_000
    /// An account: in a list of followed ones, or as the author of a post.
    static let accountPrice: Int64 = 10_000
    /// A post of one's own.
    static let ownPrice: Int64 = 1_000

    private static let account = "account-"
    static let postWords = "a post costs $0.20"
    static let readingWords = "reading on X costs $0.005 a post and $0.01 an account"

    /// How many things of a price the month's budget still covers; nil without a budget.
    func affordable(_ price: Int64) async throws(NetworkError) -> Int? {
        guard let limit else { return nil }
        return Int(clamping: max(0, limit - (try await ledger.spent(on: properties.name, month: month))) / price)
    }

    /// Refuses what the month's budget does not cover.
    func afford(_ amount: Int64, for words: String) async throws(NetworkError) {
        if let most = try await affordable(amount), most < 1 { throw try await overBudget(words) }
    }

    /// How many accounts of a list may be read: those that the budget covers, besides the ones that are paid today.
    func affordableAccounts() async throws(NetworkError) -> Int? {
        guard let most = try await affordable(Self.accountPrice) else { return nil }
        let paid = try await ledger.read(Self.account, on: properties.name, day: day)
        return most + Int(clamping: paid / Self.accountPrice)
    }

    /// Counts what was read.
    func count(posts: [XPost] = [], accounts: [XUser] = []) async throws(NetworkError) {
        try await count(posts.map { "post-\($0.id)" }, Self.readPrice)
        try await count(accounts.map { Self.account + $0.id }, Self.accountPrice)
    }

    /// Counts posts of the account itself.
    func count(own posts: [XPost]) async throws(NetworkError) {
        try await count(posts.map { "post-\($0.id)" }, Self.ownPrice)
    }

    /// Counts events of conversations.
    func count(messages: [String]) async throws(NetworkError) {
        try await count(messages.map { "message-\($0)" }, Self.messagePrice)
    }

    /// Counts the question who is signed in, apart from the list of accounts, which it is not in.
    func countMe(_ me: XUser) async throws(NetworkError) { try await count(["me-\(me.id)"], Self.accountPrice) }

    private func count(_ items: [String], _ price: Int64) async throws(NetworkError) {
        guard !items.isEmpty else { return }
        try await ledger.add(items, price: price, on: properties.name, day: day)
    }

    var limit: Int64? {
        settings.monthlyBudgetUSD.map { Int64((min(max($0, 0), 1e9) * 1_000_000).rounded()) }
    }

    var month: String { String(day.prefix(7)) }
    private var day: String { String(InstantText.format(client.pause.now()).prefix(10)) }

    func overBudget(_ words: String) async throws(NetworkError) -> NetworkError {
        let spent = try await ledger.spent(on: properties.name, month: month)
        return .overBudget(
            "\(words), \(Self.dollars(spent)) of \(Self.dollars(limit ?? 0)) are spent in \(month)")
    }

    private static func dollars(_ amount: Int64) -> String {
        let cents = amount / 10_000
        return "$\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
    }
}
