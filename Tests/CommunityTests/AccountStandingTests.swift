import ChirpAccounts
import ChirpCommunity
import Foundation
import GRDB
import HubHousehold
import Testing

/// What somebody may do at one instant, as transactions ask (OU-20).
@Suite struct AccountStandingTests {
    @Test func `it says who is active, who moderates and whose mailbox it is`() async throws {
        let house = try HubHousehold()
        for (name, role, state) in [
            ("ann", "member", "active"), ("mod", "moderator", "active"), ("old", "moderator", "suspended"),
            ("new", "member", "unconfirmed"), ("gone", "member", "closed"),
        ] { try await house.person(name, role: role, state: state) }
        try await house.change(
            """
            UPDATE accounts SET mail = 'Ann+x@example.org' WHERE id = 'id-ann';
            UPDATE accounts SET mail = 'new@example.org' WHERE id = 'id-new';
            UPDATE accounts SET until = 1000 WHERE id = 'id-old';
            """)
        func standing(_ name: String, _ now: Int64 = 999) async throws -> AccountStanding? {
            try await house.library.reading {
                try AccountStanding(of: AccountID(rawValue: name), at: now, in: $0)
            }
        }
        let ann = try #require(try await standing("id-ann"))
        #expect(ann.isActive && !ann.isModerator && ann.mailbox == "ann@example.org")
        #expect(try await standing("id-mod")?.isModerator == true)
        #expect(try await standing("id-mod")?.mailbox == nil)
        // Suspended until an instant.
        #expect(try await standing("id-old")?.isModerator == false)
        #expect(try await standing("id-old", 1000)?.isModerator == true)
        // Nobody has shown that the address is hers.
        #expect(try await standing("id-new")?.isActive == false)
        #expect(try await standing("id-new")?.mailbox == nil)
        #expect(try await standing("id-gone")?.isActive == false)
        #expect(try await standing("nobody") == nil)
        let moderators = try await house.library.reading { try AccountStanding.moderators(at: 999, in: $0) }
        #expect(moderators == [house.library.owner.id, AccountID(rawValue: "id-mod")])
    }
}
