import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import ChirpOrders
import Foundation
import GRDB
import HubHousehold
import Testing

/// A library with the tables of deals, and people who make them, at a hub whose clock is moved.
struct DealCast {
    static let tables = [OrderTables.tables, Beats.tables]

    let house: HubHousehold
    /// Makes beats.
    let pia: AccountID
    let ann: AccountID
    let bob: AccountID
    let eve: AccountID

    var library: HubLibrary { house.library }
    var auctions: AuctionStore { AuctionStore(library: library, board: "beats") }
    var now: Int64 { Accounts.milliseconds(house.now) }

    init() async throws {
        house = try HubHousehold(boards: Self.tables)
        pia = try await house.person("pia")
        ann = try await house.person("ann")
        bob = try await house.person("bob")
        eve = try await house.person("eve")
        try await house.change("INSERT INTO tags4people (account, tag) VALUES ('id-pia', 'producer')")
    }

    static let euro = Currency("EUR") ?? missing
    static let dollar = Currency("USD") ?? missing
    private static var missing: Currency { fatalError("ISO 4217 has it") }

    static func euros(_ cents: Int64) -> Money { Money(cents, euro) }

    func beat(by author: AccountID? = nil, title: String = "Rain") async throws -> HubID {
        try await library.createItem(
            ItemDraft(
                board: "beats", kind: "beat", author: author ?? pia, key: UUID().uuidString, title: title,
                category: "beat"))
    }

    func terms(
        _ start: Int64 = 1000, step: Int64 = 100, hours: Double = 24, currency: Currency = DealCast.euro
    ) -> AuctionTerms {
        AuctionTerms(
            start: Money(start, currency), step: step, ends: house.now.addingTimeInterval(hours * 3600))
    }

    /// An auction of a new beat of Pia's.
    func auction(
        _ start: Int64 = 1000, step: Int64 = 100, hours: Double = 24
    ) async throws -> (id: HubID, item: HubID) {
        let item = try await beat()
        let id = try await auctions.open(
            terms(start, step: step, hours: hours), of: item, by: pia, key: UUID().uuidString)
        return (id, item)
    }

    /// Bids as somebody does who reads what it binds to, and agrees.
    @discardableResult
    func bid(
        _ cents: Int64, by bidder: AccountID, on id: HubID, key: String = UUID().uuidString
    ) async throws(BidRefusal) -> BidReceipt {
        let binding = try await auctions.binding(of: Self.euros(cents), upon: id, by: bidder)
        return try await auctions.place(binding, by: bidder, key: key)
    }

    /// The causes of what somebody was told by boards, the oldest first.
    func told(_ account: AccountID) async throws -> [String] {
        try await library.reading { database in
            try String.fetchAll(
                database,
                sql:
                    "SELECT cause FROM notices WHERE account = ? AND kind IN ('bid', 'request', 'connection') ORDER BY sequence",
                arguments: [account])
        }
    }

    func count(_ sql: String) async throws -> Int {
        try await library.reading { try Int.fetchOne($0, sql: sql) ?? -1 }
    }
}
