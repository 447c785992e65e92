internal import ChirpHTTP
internal import FoundationEssentials
internal import Synchronization

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

    static let postWords = "a post costs $0.20"
    static let readingWords = "reading on X costs $0.005 a post and $0.01 an account"

    /// Something that was read and is paid once a day.
    enum Item: Hashable, Sendable {
        case post(String)
        case account(String)
    }

    /// What has been paid on one day, by UTC, as far as this process knows.
    struct Paid: Sendable {
        var day = ""
        var items: Set<Item> = []
    }

    /// How many things of a price the month's budget still covers; nil without a budget.
    func affordable(_ price: Int64) async throws(NetworkError) -> Int? {
        guard let limit else { return nil }
        return Int(clamping: max(0, limit - (try await ledger.spent(on: properties.name, month: month))) / price)
    }

    /// Refuses what the month's budget does not cover.
    func afford(_ amount: Int64, for words: String) async throws(NetworkError) {
        if let most = try await affordable(amount), most < 1 { throw try await overBudget(words) }
    }

    /// Counts what was read, as far as it has not been paid today.
    func count(posts: [XPost] = [], accounts: [XUser] = []) async throws(NetworkError) {
        let (someone, somewhere) = (accounts.map { Item.account($0.id) }, posts.map { Item.post($0.id) })
        let amount = fresh(someone) * Self.accountPrice + fresh(somewhere) * Self.readPrice
        if amount > 0 { try await ledger.add(amount, on: properties.name, month: month) }
    }

    /// Counts posts of the account itself.
    func count(own posts: [XPost]) async throws(NetworkError) {
        let amount = fresh(posts.map { Item.post($0.id) }) * Self.ownPrice
        if amount > 0 { try await ledger.add(amount, on: properties.name, month: month) }
    }

    /// How many of these have not been paid today; they are from now on.
    private func fresh(_ items: [Item]) -> Int64 {
        let day = String(InstantText.format(client.pause.now()).prefix(10))
        return paid.withLock { paid in
            if paid.day != day { paid = Paid(day: day) }
            return items.reduce(0) { $0 + (paid.items.insert($1).inserted ? 1 : 0) }
        }
    }

    var limit: Int64? {
        settings.monthlyBudgetUSD.map { Int64((min(max($0, 0), 1e9) * 1_000_000).rounded()) }
    }

    var month: String { String(InstantText.format(client.pause.now()).prefix(7)) }

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
