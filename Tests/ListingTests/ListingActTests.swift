import ChirpAccounts
import ChirpCommunity
import ChirpListings
import Foundation
import HubHousehold
import Testing

/// What becomes of a listing: edited, renewed, settled, taken back, expired; and what each leaves to be seen (LF-4, LF-13, LF-15).
@Suite struct ListingActTests {
    private let cast: ListingCast
    private var store: ListingStore { cast.store }
    private static let day = 24 * 3600.0

    init() throws { cast = try ListingCast() }

    @Test func `an author edits, and nobody else does`() async throws {
        let (ann, bob) = try await cast.people()
        let id = try await cast.place(by: ann)
        let version = try #require(try await cast.listing(id)).item.version
        try await store.edit(
            id, version: version, to: cast.draft("Grey cat", side: .found) { $0.handover = .bring }, by: ann)
        let listing = try #require(try await cast.listing(id))
        #expect(listing.item.title == "Grey cat" && listing.handover == .bring && listing.item.version > version)
        #expect(listing.side == .lost, "what was lost does not become what was found")
        await expectRefusal(.item(.changed(version: listing.item.version))) {
            try await store.edit(id, version: version, to: cast.draft("Late"), by: ann)
        }
        await expectRefusal(.item(.notFound)) {
            try await store.edit(id, version: nil, to: cast.draft("Stolen"), by: bob)
        }
        #expect(try await cast.found() == ["Grey cat"])
    }

    @Test(arguments: [ListingStore.Outcome.found, .returned])
    func `what is settled leaves the search and stays readable (LF-4)`(outcome: ListingStore.Outcome) async throws {
        let (ann, bob) = try await cast.people()
        let id = try await cast.place(by: ann)
        await expectRefusal(.item(.notFound)) { try await store.settle(id, as: outcome, by: bob) }
        try await store.settle(id, as: outcome, by: ann)
        #expect(try await cast.found().isEmpty)
        let listing = try #require(try await cast.listing(id))
        #expect(listing.item.state == .settled && listing.item.outcome == outcome.rawValue)
        #expect(listing.item.ended == cast.house.now)
        await expectRefusal(.item(.state(.settled))) { try await store.settle(id, as: .found, by: ann) }
        await expectRefusal(.item(.state(.settled))) {
            try await store.edit(id, version: nil, to: cast.draft(), by: ann)
        }
        await expectRefusal(.item(.state(.settled))) { try await store.renew(id, by: ann) }
        await expectRefusal(.item(.state(.settled))) { try await store.withdraw(id, reason: "why", by: ann) }
        let profile = try await cast.found(.member(bob)) {
            $0.author = ann
            $0.states = [.settled]
        }
        #expect(profile == ["Black cat"])
    }

    @Test func `what is taken back needs a reason and is gone for everybody else (LF-4)`() async throws {
        let (ann, bob) = try await cast.people()
        let id = try await cast.place(by: ann)
        await expectRefusal(.fields([.reason: .missing])) { try await store.withdraw(id, reason: " ", by: ann) }
        await expectRefusal(.item(.notFound)) { try await store.withdraw(id, reason: "Mine!", by: bob) }
        try await store.withdraw(id, reason: "Placed by mistake", by: ann)
        for viewer in [Viewer.visitor, .member(bob)] {
            #expect(try await store.listing(id, for: viewer) == .gone(.withdrawn, since: cast.house.now))
            #expect(try await store.listings([id], for: viewer).isEmpty)
        }
        let own = try #require(try await cast.listing(id, for: .member(ann)))
        #expect(own.item.state == .withdrawn && own.item.reason == "Placed by mistake")
        #expect(try await cast.found().isEmpty)
    }

    @Test func `a listing expires by its category, is told of a week before, and renewed by a press (LF-13)`()
        async throws
    {
        let (ann, _) = try await cast.people()
        let keys = try await cast.place(by: ann, "Keys", category: .keys)
        try await cast.place(by: ann, "Cat")
        #expect(try await cast.listing(keys)?.item.expires == cast.house.now.addingTimeInterval(60 * Self.day))
        func notices() async throws -> [Notice] {
            try await cast.library.seen(by: .member(ann)).notices(kinds: [.ending], limit: 10)
        }
        #expect(try await store.sweep(at: cast.house.now) == .init())
        cast.house.wait(53 * Self.day + 60)
        #expect(try await store.sweep(at: cast.house.now).told == 1)
        #expect(try await store.sweep(at: cast.house.now).told == 0, "once")
        #expect(try await notices().map { $0.item?.id } == [keys])
        try await store.renew(keys, by: ann)
        cast.house.wait(53 * Self.day + 60)
        #expect(try await store.sweep(at: cast.house.now).told == 1, "the new end is news; the cat has ended")
        cast.house.wait(8 * Self.day)
        _ = try await store.sweep(at: cast.house.now)
        let listing = try #require(try await cast.listing(keys))
        #expect(listing.item.state == .expired && listing.item.ended != nil)
        #expect(try await cast.found().isEmpty)
        await expectRefusal(.item(.state(.expired))) {
            try await store.edit(keys, version: nil, to: cast.draft(), by: ann)
        }
        await expectRefusal(.item(.state(.expired))) { try await store.renew(keys, by: ann) }
        #expect(try await store.sweep(at: cast.house.now) == .init())
    }

    @Test func `what ended otherwise is not told of and does not expire`() async throws {
        let (ann, _) = try await cast.people()
        let id = try await cast.place(by: ann)
        try await store.settle(id, as: .found, by: ann)
        cast.house.wait(100 * Self.day)
        #expect(try await store.sweep(at: cast.house.now) == .init())
        #expect(try await cast.listing(id)?.item.state == .settled)
    }

    @Test func `the number is for a press, is counted, and not of what has ended (LF-15)`() async throws {
        let (ann, bob) = try await cast.people()
        let id = try await cast.place(by: ann) { $0.phone = "+49 228 123456" }
        #expect(try await store.phone(of: id, by: bob) == "+49 228 123456")
        #expect(try await store.phone(of: id, by: ann) == "+49 228 123456")
        let calls = try await store.calls(of: id, by: ann)
        #expect(calls.count == 1 && calls.phone == "+49 228 123456")
        await expectRefusal(.item(.notFound)) { _ = try await store.calls(of: id, by: bob) }
        let other = try await cast.place(by: ann)
        await expectRefusal(.noPhone) { _ = try await store.phone(of: other, by: bob) }
        try await store.settle(id, as: .found, by: ann)
        await expectRefusal(.item(.state(.settled))) { _ = try await store.phone(of: id, by: bob) }
    }

    @Test func `of settling and editing at once, each time one is right and the other is told so`() async throws {
        let (ann, _) = try await cast.people()
        for round in 0..<40 {
            let id = try await cast.place(by: ann, "Cat \(round)")
            let version = try #require(try await cast.listing(id)).item.version
            let results = await withTaskGroup(of: (String, ListingRefusal?).self) { group in
                for caller in 0..<8 {
                    group.addTask { [store, cast] in
                        do throws(ListingRefusal) {
                            if caller.isMultiple(of: 2) {
                                try await store.settle(id, as: .found, by: ann)
                                return ("settled", nil)
                            }
                            try await store.edit(
                                id, version: version, to: cast.draft("Edited by \(caller)"), by: ann)
                            return ("edited", nil)
                        } catch {
                            return ("refused", error)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.count { $0.0 == "settled" } == 1)
            #expect(results.count { $0.0 == "edited" } <= 1)
            for case let (_, refusal?) in results {
                switch refusal {
                case .item(.state(.settled)), .item(.changed): break
                default: Issue.record("\(refusal)")
                }
            }
            let listing = try #require(try await cast.listing(id))
            #expect(listing.item.state == .settled)
            let isEdited = results.contains { $0.0 == "edited" }
            #expect(listing.item.title.hasPrefix("Edited") == isEdited)
        }
    }

    @Test func `an account that is erased takes its listings along`() async throws {
        let (ann, bob) = try await cast.people()
        let id = try await cast.place(by: ann)
        try await cast.place(by: bob, "Bob's")
        try await cast.house.change("PRAGMA foreign_keys = ON; DELETE FROM accounts WHERE id = 'id-ann'")
        #expect(try await store.listing(id, for: .visitor) == nil)
        #expect(try await cast.found() == ["Bob's"])
    }
}
