import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import ChirpOrders
import Foundation
import GRDB
import HubHousehold
import Testing

/// Money that goes back by hand: the seller's word alone takes nothing from a buyer.
@Suite struct RefundTests {
    /// What was written to somebody about money that goes back, by its senders.
    private func letters(to person: AccountID, _ cast: SaleCast) async throws -> [String] {
        try await cast.beats.library.reading { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT accounts.handle || ' ' || replace(posts.key, rtrim(posts.key, replace(posts.key, ':', '')), '')
                    FROM posts JOIN recipients ON recipients.post = posts.sequence
                    JOIN accounts ON accounts.id = posts.account
                    WHERE recipients.account = ? AND posts.key LIKE 'order:%:%' ORDER BY posts.sequence
                    """, arguments: [person])
        }
    }

    private func isHeld(_ order: Order, _ cast: SaleCast) async throws -> Bool {
        try await cast.sales.grants.grant(ofOrder: order.id)?.isInForce(at: cast.house.now) == true
    }

    @Test func `what is bought by hand stays the buyer's until the buyer says that the money is back`() async throws {
        let cast = try await SaleCast()
        let (pia, uma, rob) = (cast.beats.pia, cast.beats.uma, cast.beats.rob)
        let exclusive = try await cast.offer(.exclusive)
        let order = try await cast.buy(exclusive, by: uma)
        _ = try await cast.sales.markPaid(order.id, by: pia)
        await #expect(throws: OrderRefusal.changed(.delivered)) {
            try await cast.sales.confirmRefund(order.id, by: uma)
        }
        for _ in 0..<3 {
            #expect(try await cast.sales.refund(order.id, by: pia, reason: "a mistake").state == .refunding)
        }
        _ = try await cast.sales.sweep()
        #expect(try await isHeld(order, cast))
        await #expect(throws: TrackRefusal.self) { try await cast.sales.reopen(cast.track.id, by: pia) }
        await #expect(throws: PurchaseRefusal.self) { try await cast.buy(exclusive, by: rob, key: "r") }
        #expect(try await letters(to: uma, cast) == ["pia begun", "pia sent"])
        for other in [pia, rob] {
            await #expect(throws: OrderRefusal.notFound) { try await cast.sales.confirmRefund(order.id, by: other) }
        }
        for _ in 0..<2 { #expect(try await cast.sales.confirmRefund(order.id, by: uma).state == .refunded) }
        #expect(try await !isHeld(order, cast))
        #expect(try await letters(to: pia, cast) == ["uma back"])
        try await cast.sales.reopen(cast.track.id, by: pia)
        #expect(try await cast.buy(exclusive, by: rob, key: "r").state == .reserved)
    }

    @Test func `a moderator who does not sell it says so for a buyer who does not answer, and both are told`()
        async throws
    {
        let cast = try await SaleCast()
        let (pia, uma, mod) = (cast.beats.pia, cast.beats.uma, cast.beats.mod)
        let order = try await cast.buy(try await cast.offer(), by: uma)
        _ = try await cast.sales.markPaid(order.id, by: pia)
        _ = try await cast.sales.refund(order.id, by: pia, reason: "")
        try await cast.house.change("UPDATE accounts SET role = 'moderator' WHERE id = '\(pia)'")
        await #expect(throws: OrderRefusal.notFound) { try await cast.sales.confirmRefund(order.id, by: pia) }
        #expect(try await isHeld(order, cast))
        #expect(try await cast.sales.confirmRefund(order.id, by: mod).state == .refunded)
        #expect(try await !isHeld(order, cast))
        #expect(try await letters(to: uma, cast) == ["pia begun", "mod back"])
        #expect(try await letters(to: pia, cast) == ["mod back"])
    }

    @Test func `money for what was never delivered goes back by the seller's word`() async throws {
        let cast = try await SaleCast()
        let order = try await cast.buy(try await cast.offer(.exclusive), by: cast.beats.uma)
        cast.house.wait(4 * 86_400)
        _ = try await cast.sales.sweep()
        #expect(try await cast.sales.markPaid(order.id, by: cast.beats.pia).state == .refunding)
        #expect(try await cast.sales.refund(order.id, by: cast.beats.pia, reason: "").state == .refunded)
        #expect(try await letters(to: cast.beats.uma, cast).isEmpty)
    }
}
