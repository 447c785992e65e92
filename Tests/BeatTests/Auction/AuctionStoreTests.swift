import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import ChirpOrders
import Foundation
import GRDB
import HubHousehold
import Testing

@Suite struct AuctionStoreTests {
    @Test func `an auction is opened once, by who has the beat`() async throws {
        let cast = try await DealCast()
        let beat = try await cast.beat()
        let id = try await cast.auctions.open(cast.terms(), of: beat, by: cast.pia, key: "k")
        #expect(try await cast.auctions.open(cast.terms(), of: beat, by: cast.pia, key: "k") == id)
        await #expect(throws: AuctionRefusal.already(.running)) {
            try await cast.auctions.open(cast.terms(), of: beat, by: cast.pia, key: "other")
        }
        await #expect(throws: AuctionRefusal.notFound) {
            try await cast.auctions.open(cast.terms(), of: beat, by: cast.ann, key: "k")
        }
        await #expect(throws: AuctionRefusal.notFound) {
            try await cast.auctions.open(cast.terms(), of: HubID(), by: cast.pia, key: "x")
        }
        await #expect(throws: AuctionRefusal.key(most: 200)) {
            try await cast.auctions.open(cast.terms(), of: beat, by: cast.pia, key: "")
        }
        await #expect(throws: AuctionRefusal.fields([.step: .notPositive])) {
            try await cast.auctions.open(cast.terms(step: 0), of: beat, by: cast.pia, key: "y")
        }
        let view = try #require(try await cast.auctions.auction(of: beat, for: .visitor))
        #expect(view.id == id)
        #expect(view.needed == DealCast.euros(1000))
        #expect(view.bidCount == 0)
        #expect(view.highest == nil)
    }

    @Test func `terms change until somebody bids, and who has read others looks again`() async throws {
        let cast = try await DealCast()
        let (id, beat) = try await cast.auction()
        let old = try await cast.auctions.binding(of: DealCast.euros(1000), upon: id, by: cast.ann)
        try await cast.auctions.change(id, to: cast.terms(500, step: 50), version: 1, by: cast.pia)
        // The same again is no other change.
        try await cast.auctions.change(id, to: cast.terms(500, step: 50), version: 1, by: cast.pia)
        await #expect(throws: AuctionRefusal.changed(version: 2)) {
            try await cast.auctions.change(id, to: cast.terms(600), version: 1, by: cast.pia)
        }
        await #expect(throws: AuctionRefusal.notFound) {
            try await cast.auctions.change(id, to: cast.terms(600), version: 2, by: cast.ann)
        }
        await #expect(throws: BidRefusal.changed(version: 2)) {
            try await cast.auctions.place(old, by: cast.ann, key: "k")
        }
        try await cast.bid(500, by: cast.ann, on: id)
        await #expect(throws: AuctionRefusal.hasBids(count: 1)) {
            try await cast.auctions.change(id, to: cast.terms(400), version: 2, by: cast.pia)
        }
        await #expect(throws: AuctionRefusal.hasBids(count: 1)) { try await cast.auctions.withdraw(id, by: cast.pia) }
        #expect(try await cast.auctions.auction(of: beat, for: .visitor)?.needed == DealCast.euros(550))
        #expect(try await cast.library.reading { try AuctionStore.isPromised(beat, in: $0) })
    }

    @Test func `what nobody has bid upon is taken back, and put up again`() async throws {
        let cast = try await DealCast()
        let (id, beat) = try await cast.auction()
        #expect(try await !cast.library.reading { try AuctionStore.isPromised(beat, in: $0) })
        try await cast.auctions.withdraw(id, by: cast.pia)
        try await cast.auctions.withdraw(id, by: cast.pia)
        await #expect(throws: BidRefusal.withdrawn) { try await cast.bid(1000, by: cast.ann, on: id) }
        let again = try await cast.auctions.open(cast.terms(), of: beat, by: cast.pia, key: "again")
        #expect(again != id)
    }

    @Test func `a bid that is sent twice is one bid with one answer`() async throws {
        let cast = try await DealCast()
        let (id, _) = try await cast.auction(hours: 1)
        cast.house.wait(3500)
        let binding = try await cast.auctions.binding(of: DealCast.euros(1200), upon: id, by: cast.ann)
        let first = try await cast.auctions.place(binding, by: cast.ann, key: "k")
        #expect(first.isExtending)
        try await cast.bid(1500, by: cast.bob, on: id)
        // Long after the end the answer is the one that it had.
        cast.house.wait(86_400)
        #expect(try await cast.auctions.place(binding, by: cast.ann, key: "k") == first)
        #expect(try await cast.count("SELECT COUNT(*) FROM bids") == 2)
        let other = BidBinding(auction: id, version: 1, money: DealCast.euros(9000), card: .hold)
        await #expect(throws: BidRefusal.keyUsed) { try await cast.auctions.place(other, by: cast.ann, key: "k") }
        await #expect(throws: BidRefusal.key(most: 200)) {
            try await cast.auctions.place(other, by: cast.ann, key: String(repeating: "k", count: 201))
        }
    }

    @Test func `who may not bid is told why`() async throws {
        let cast = try await DealCast()
        let (id, beat) = try await cast.auction()
        await #expect(throws: BidRefusal.own) { try await cast.bid(1000, by: cast.pia, on: id) }
        await #expect(throws: BidRefusal.notFound) { try await cast.bid(1000, by: cast.ann, on: HubID()) }
        try await cast.house.person("new", state: "unconfirmed")
        await #expect(throws: BidRefusal.noAccount) {
            try await cast.bid(1000, by: AccountID(rawValue: "id-new"), on: id)
        }
        try await cast.library.block(cast.ann, by: cast.pia)
        await #expect(throws: BidRefusal.notFound) { try await cast.bid(1000, by: cast.ann, on: id) }
        #expect(try await cast.auctions.auction(of: beat, for: .member(cast.ann)) == nil)
        try await cast.house.change("UPDATE items SET frozen = 1 WHERE id = '\(beat)'")
        await #expect(throws: BidRefusal.withdrawn) { try await cast.bid(1000, by: cast.bob, on: id) }
    }

    @Test func `who is outbid is told once, without a name, and nobody of her own bid`() async throws {
        let cast = try await DealCast()
        let (id, _) = try await cast.auction()
        try await cast.bid(1000, by: cast.ann, on: id)
        try await cast.bid(1100, by: cast.ann, on: id)
        #expect(try await cast.told(cast.ann).isEmpty)
        try await cast.bid(1200, by: cast.bob, on: id)
        #expect(try await cast.told(cast.ann) == ["outbid:2"])
        let notice = try #require(
            try await cast.library.seen(by: .member(cast.ann)).notices(limit: 10).first)
        #expect(notice.actor == nil)
        #expect(try await cast.told(cast.bob).isEmpty)
    }

    @Test func `everybody sees how many bid, a bidder her own, the seller who`() async throws {
        let cast = try await DealCast()
        let (id, beat) = try await cast.auction()
        try await cast.bid(1000, by: cast.ann, on: id)
        try await cast.bid(1300, by: cast.bob, on: id)
        func view(_ viewer: Viewer) async throws -> Auction {
            try #require(try await cast.auctions.auction(of: beat, for: viewer))
        }
        func bidders(_ viewer: Viewer) async throws -> [AccountID?] {
            try await cast.auctions.bids(upon: id, for: viewer, limit: 10).map(\.bidder)
        }
        for viewer in [Viewer.visitor, .member(cast.eve)] {
            #expect(try await view(viewer).bidCount == 2)
            #expect(try await view(viewer).highest == DealCast.euros(1300))
            #expect(try await view(viewer).own == nil)
            #expect(try await !view(viewer).isLeading)
            #expect(try await bidders(viewer).isEmpty)
        }
        #expect(try await view(.member(cast.ann)).own == DealCast.euros(1000))
        #expect(try await !view(.member(cast.ann)).isLeading)
        #expect(try await view(.member(cast.bob)).isLeading)
        #expect(try await bidders(.member(cast.ann)) == [cast.ann])
        #expect(try await bidders(.member(cast.pia)) == [cast.bob, cast.ann])
    }

    @Test func `the winner pays what was shown, and 48 hours later it is the next one's turn`() async throws {
        let cast = try await DealCast()
        let (id, beat) = try await cast.auction(hours: 1)
        try await cast.bid(1000, by: cast.ann, on: id)
        let shown = try await cast.auctions.binding(of: DealCast.euros(4000), upon: id, by: cast.bob)
        _ = try await cast.auctions.place(shown, by: cast.bob, key: "k")
        #expect(try await cast.auctions.settle(at: cast.house.now) == 0)
        cast.house.wait(3600)
        #expect(try await cast.auctions.settle(at: cast.house.now) == 1)
        #expect(try await cast.auctions.settle(at: cast.house.now) == 0)
        func turn() async throws -> AuctionOffer? {
            try await cast.library.reading { try AuctionStore.turn(of: id, in: $0) }
        }
        func pay(_ account: AccountID, _ cents: Int64, _ payment: String) async throws {
            try await cast.library.transact {
                try AuctionStore.paid(
                    id, by: account, DealCast.euros(cents), payment: payment, at: cast.now, in: $0)
            }
        }
        let first = try #require(try await turn())
        #expect(first.bid.money == shown.money)
        #expect(first.bid.bidder == cast.bob)
        #expect(first.collection == .capture)
        #expect(first.until == cast.now + 48 * 3_600_000)
        #expect(try await cast.auctions.auction(of: beat, for: .member(cast.bob))?.turn == first)
        #expect(try await cast.auctions.auction(of: beat, for: .member(cast.ann))?.turn == nil)
        await #expect(throws: AuctionRefusal.notFound) { try await pay(cast.ann, 1000, "early") }
        await #expect(throws: AuctionRefusal.amount(needed: shown.money)) { try await pay(cast.bob, 3999, "less") }
        cast.house.wait(48 * 3600)
        #expect(try await cast.auctions.settle(at: cast.house.now) == 0)
        cast.house.wait(0.001)
        #expect(try await cast.auctions.settle(at: cast.house.now) == 1)
        let second = try #require(try await turn())
        #expect(second.bid.bidder == cast.ann)
        #expect(second.bid.money == DealCast.euros(1000))
        #expect(second.collection == nil)
        await #expect(throws: AuctionRefusal.passed(until: first.until)) { try await pay(cast.bob, 4000, "late") }
        try await pay(cast.ann, 1000, "p")
        try await pay(cast.ann, 1000, "p")
        await #expect(throws: AuctionRefusal.passed(until: second.until)) { try await pay(cast.ann, 1000, "again") }
        #expect(try await cast.auctions.auction(of: beat, for: .visitor)?.phase == .sold)
        cast.house.wait(100 * 3600)
        #expect(try await cast.auctions.settle(at: cast.house.now) == 0)
        #expect(try await cast.told(cast.bob) == ["auction-turn:2", "auction-passed:2"])
        #expect(try await cast.told(cast.ann) == ["outbid:1", "auction-turn:1"])
        #expect(try await cast.told(cast.pia) == ["auction:\(id):paying", "auction:\(id):sold"])
    }

    @Test func `where nobody bids or pays the beat is free again`() async throws {
        let cast = try await DealCast()
        let (_, beat) = try await cast.auction(hours: 1)
        cast.house.wait(3600)
        try await cast.auctions.settle(at: cast.house.now)
        #expect(try await cast.auctions.auction(of: beat, for: .visitor)?.phase == .unsold)
        let again = try await cast.auctions.open(cast.terms(), of: beat, by: cast.pia, key: "again")
        try await cast.bid(1000, by: cast.ann, on: again)
        cast.house.wait(86_400)
        try await cast.auctions.settle(at: cast.house.now)
        cast.house.wait(3 * 86_400)
        try await cast.auctions.settle(at: cast.house.now)
        #expect(try await cast.auctions.auction(of: beat, for: .visitor)?.phase == .unsold)
        #expect(try await !cast.library.reading { try AuctionStore.isPromised(beat, in: $0) })
    }

    @Test func `what is taken down before the end is sold to nobody`() async throws {
        let cast = try await DealCast()
        let (id, beat) = try await cast.auction(hours: 1)
        try await cast.bid(1000, by: cast.ann, on: id)
        try await cast.house.change("UPDATE items SET state = 'withdrawn' WHERE id = '\(beat)'")
        cast.house.wait(3600)
        #expect(try await cast.auctions.settle(at: cast.house.now) == 1)
        #expect(try await cast.count("SELECT COUNT(*) FROM auctions WHERE state = 'withdrawn'") == 1)
        #expect(try await cast.count("SELECT COUNT(*) FROM auctionOffers") == 0)
    }

    @Test func `what is reported is sold when it was found to be good`() async throws {
        let cast = try await DealCast()
        let (id, beat) = try await cast.auction(hours: 1)
        try await cast.bid(1000, by: cast.ann, on: id)
        try await cast.house.change("UPDATE items SET hidden = 1 WHERE id = '\(beat)'")
        cast.house.wait(3600)
        #expect(try await cast.auctions.settle(at: cast.house.now) == 0)
        try await cast.house.change("UPDATE items SET hidden = 0 WHERE id = '\(beat)'")
        cast.house.wait(3600)
        #expect(try await cast.auctions.settle(at: cast.house.now) == 1)
        let turn = try await cast.library.reading { try AuctionStore.turn(of: id, in: $0) }
        #expect(turn?.until == cast.now + AuctionTerms.timeToPay)
    }

    @Test func `who is erased leaves her bids without her name, and wins nothing`() async throws {
        let cast = try await DealCast()
        let (id, _) = try await cast.auction(hours: 1)
        try await cast.bid(1000, by: cast.ann, on: id)
        try await cast.bid(5000, by: cast.bob, on: id)
        _ = try await cast.library.accounts().delete(cast.bob)
        #expect(try await cast.count("SELECT COUNT(*) FROM bids WHERE bidder IS NULL") == 1)
        await #expect(throws: BidRefusal.tooLow(needed: DealCast.euros(5100))) {
            try await cast.bid(2000, by: cast.eve, on: id)
        }
        cast.house.wait(3600)
        try await cast.auctions.settle(at: cast.house.now)
        let turn = try await cast.library.reading { try AuctionStore.turn(of: id, in: $0) }
        #expect(turn?.bid.bidder == cast.ann)
        #expect(turn?.isWinner == false)
        // The seller goes with all of it.
        _ = try await cast.library.accounts().delete(cast.pia)
        for table in ["auctions", "bids", "auctionOffers"] {
            #expect(try await cast.count("SELECT COUNT(*) FROM \(table)") == 0)
        }
    }

    @Test(arguments: [
        "UPDATE bids SET amount = 1", "DELETE FROM bids", "UPDATE bids SET bidder = NULL",
        "DELETE FROM auctions", "UPDATE auctions SET ends = ends - 1", "UPDATE auctions SET step = 1",
        "UPDATE auctions SET state = 'running', closed = NULL", "UPDATE auctionOffers SET until = until + 1",
        "INSERT INTO auctionOffers (auction, bid, at, until, isWinner) SELECT auction, 1, at, until, 0 FROM auctionOffers",
        """
        INSERT INTO bids (auction, bidder, key, amount, card, version, at, ends, isExtending)
        SELECT auction, 'id-eve', 'x', amount + 1000, card, version, at, ends, 0 FROM bids WHERE sequence = 2
        """,
    ])
    func `the tables themselves refuse what nobody may`(_ sql: String) async throws {
        let cast = try await DealCast()
        let (id, _) = try await cast.auction(hours: 1)
        try await cast.bid(1000, by: cast.ann, on: id)
        try await cast.bid(2000, by: cast.bob, on: id)
        cast.house.wait(3600)
        try await cast.auctions.settle(at: cast.house.now)
        await #expect(throws: DatabaseError.self) { try await cast.house.change(sql) }
    }
}
