import ChirpAccounts
import ChirpCommunity
import ChirpListings
import ChirpPlaces
import Foundation
import HubHousehold
import Testing

/// Listings in the library: what is written down is what is read, for whoever may (LF-2, LF-8, LF-19).
@Suite struct ListingStoreTests {
    private let cast: ListingCast
    private var store: ListingStore { cast.store }

    init() throws { cast = try ListingCast() }

    @Test func `a listing is read as it was placed, and the number stays out of it (LF-2, LF-8)`() async throws {
        let (ann, bob) = try await cast.people()
        let from = cast.house.now.addingTimeInterval(-7200)
        let id = try await cast.place(by: ann) { draft in
            draft.happenedFrom = from
            draft.happenedTo = from.addingTimeInterval(3600)
            draft.handover = .collect
            draft.reward = "20 Euro"
            draft.phone = "+49 228 123456"
            draft.question = "Which paw?"
        }
        let listing = try #require(try await cast.listing(id))
        #expect(listing.item.title == "Black cat" && listing.side == .lost && listing.category == .pets)
        #expect(listing.happenedFrom == from && listing.happenedTo == from.addingTimeInterval(3600))
        #expect(listing.handover == .collect && listing.reward == "20 Euro" && listing.question == "Which paw?")
        #expect(listing.hasPhone && listing.item.place?.name == "Bonn, Germany")
        #expect(!"\(listing)".contains("123456"))
        #expect(try await cast.found() == ["Black cat"])
        let seen = try await store.listings([id, HubID()], for: .member(bob))
        #expect(seen.map(\.id) == [id])
    }

    @Test func `the place itself is its author's alone unless it is exact (LF-19)`() async throws {
        let (ann, bob) = try await cast.people()
        let near = try await cast.place(by: ann) { $0.precision = .near }
        let exact = try await cast.place(by: ann) { $0.precision = .exact }
        for viewer in [Viewer.visitor, .member(bob)] {
            let listing = try #require(try await cast.listing(near, for: viewer))
            #expect(listing.item.place?.exact == nil)
            let shown = try #require(listing.item.place?.shown)
            #expect(shown.distance(to: ListingCast.bonn) <= 301 && shown != ListingCast.bonn)
            #expect(try await cast.listing(exact, for: viewer)?.item.place?.exact != nil)
        }
        #expect(try await cast.listing(near, for: .member(ann))?.item.place?.exact != nil)
    }

    @Test func `what comes twice with one key is one listing`() async throws {
        let (ann, bob) = try await cast.people()
        let first = try await cast.place(by: ann, key: "one")
        #expect(try await cast.place(by: ann, "Something else", key: "one") == first)
        #expect(try await cast.place(by: bob, key: "one") != first)
        #expect(try await cast.found().count == 2)
    }

    private struct Wrong: Sendable {
        let change: @Sendable (inout ListingDraft) -> Void
        let field: ListingField
        let fault: ListingFault

        init(_ field: ListingField, _ fault: ListingFault, _ change: @escaping @Sendable (inout ListingDraft) -> Void) {
            (self.field, self.fault, self.change) = (field, fault, change)
        }
    }

    /// What is wrong with a draft, by a name.
    private static let faults: [String: Wrong] = [
        "title": Wrong(.title, .missing) { $0.title = " " },
        "a long title": Wrong(.title, .tooLong(most: 100)) { $0.title = String(repeating: "ä", count: 101) },
        "no words": Wrong(.text, .noWords) { $0.text = " \n" },
        "a long text": Wrong(.text, .tooLong(most: 5000)) { $0.text = String(repeating: "a", count: 5001) },
        "no place": Wrong(.place, .missing) { ($0.point, $0.placeName) = (nil, "") },
        "letters as a number": Wrong(.phone, .noPhone) { $0.phone = "call me" },
        "a short number": Wrong(.phone, .noPhone) { $0.phone = "110" },
        "an escape in a number": Wrong(.phone, .noPhone) { $0.phone = "12345\u{1B}[2J" },
        "an address in the text": Wrong(.text, .mailAddress) { $0.text = "Write to ann@example.org!" },
        "an address in the reward": Wrong(.reward, .mailAddress) { $0.reward = "mailto:<ann@example.org>" },
        "a long question": Wrong(.question, .tooLong(most: 200)) { $0.question = String(repeating: "?", count: 201) },
        "the future": Wrong(.from, .inFuture) { $0.happenedFrom = HubHousehold.start + 90_000 },
        "long ago": Wrong(.from, .longAgo) { $0.happenedFrom = HubHousehold.start - 9e8 },
        "a span that ends before it begins": Wrong(.to, .backwards) {
            ($0.happenedFrom, $0.happenedTo) = (HubHousehold.start, HubHousehold.start - 60)
        },
        "seven pictures": Wrong(.pictures, .tooMany(most: 6)) { $0.pictures = (0..<7).map { _ in HubID() } },
    ]

    @Test(arguments: faults.keys.sorted()) func `what does not do is refused, field by field`(name: String) async throws
    {
        let (ann, _) = try await cast.people()
        let wrong = try #require(Self.faults[name])
        await expectRefusal(.fields([wrong.field: wrong.fault])) {
            try await cast.place(by: ann) { wrong.change(&$0) }
        }
        #expect(try await cast.found().isEmpty)
    }

    @Test func `several faults are told at once, and a name with a sign is no mail address`() async throws {
        let (ann, _) = try await cast.people()
        await expectRefusal(.fields([.title: .missing, .phone: .noPhone, .text: .noWords])) {
            try await cast.place(by: ann, "") {
                $0.text = ""
                $0.phone = "x"
            }
        }
        try await cast.place(by: ann) { $0.text = "Ask @bob, he lives at no. 5@the corner" }
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "a\u{0}b\u{1B}[2Jc", "\u{202E}evil\u{2066}", "'; DROP TABLE listings; --",
        "NEAR(a b)", "col: \"x\" *",
        // Five bytes a letter: as long as a title of 100 letters and 400 bytes may be.
        String(repeating: "e\u{301}\u{302}", count: 79),
    ])
    func `hostile words stay words, and are found or not without harm`(words: String) async throws {
        let (ann, _) = try await cast.people()
        let id = try await cast.place(by: ann, "x \(words)".prefixed(100)) { draft in
            draft.text = "y \(words)"
            draft.reward = "z \(words)".prefixed(100)
            draft.question = "q \(words)"
        }
        let listing = try #require(try await cast.listing(id))
        for text in [listing.item.title, listing.item.text, listing.reward, listing.question] {
            #expect(!text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || $0 == "\u{202E}" })
        }
        _ = try await cast.found { $0.words = words }
        #expect(try await cast.found { $0.words = "y" } == [listing.item.title])
    }

    @Test func `the own lists: viewed can be cleared and switched off (LF-10)`() async throws {
        let (ann, bob) = try await cast.people()
        let id = try await cast.place(by: ann)
        let listing = try #require(try await cast.listing(id))
        func viewed(_ account: AccountID) async throws -> Int {
            try await cast.found(.member(account)) { $0.marked = .view }.count
        }
        try await store.open(listing, by: ann)
        try await store.open(listing, by: bob)
        #expect(try await viewed(ann) == 0, "one's own is not among them")
        #expect(try await viewed(bob) == 1)
        try await store.forgetViewed(bob)
        #expect(try await viewed(bob) == 0)
        try await store.open(listing, by: bob)
        try await store.keepViewed(false, by: bob)
        #expect(try await viewed(bob) == 0)
        try await store.open(listing, by: bob)
        #expect(try await viewed(bob) == 0)
        #expect(try await !store.keepsViewed(bob))
        try await store.keepViewed(true, by: bob)
        try await store.open(listing, by: bob)
        #expect(try await viewed(bob) == 1)
    }

    @Test
    func `whoever wants nothing kept of what she looks at has nothing kept, also of what she opens meanwhile (LF-10)`()
        async throws
    {
        let (ann, bob) = try await cast.people()
        let listing = try #require(try await cast.listing(try await cast.place(by: ann)))
        let store = store
        for _ in 0..<40 {
            try await store.keepViewed(true, by: bob)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for place in 0..<8 {
                    group.addTask {
                        if place == 3 {
                            try await store.keepViewed(false, by: bob)
                        } else {
                            try await store.open(listing, by: bob)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await cast.found(.member(bob)) { $0.marked = .view } == [])
        }
    }

    @Test func `what an account has listed is in its export, and in nobody else's`() async throws {
        let (ann, bob) = try await cast.people()
        try await cast.place(by: ann) { $0.phone = "0228 123456" }
        func document(_ account: AccountID) async throws -> String {
            let export = try await cast.library.export(of: account)
            let document = try #require(export.documents.first { $0.name == "listings.json" })
            return String(decoding: document.bytes, as: UTF8.self)
        }
        #expect(try await document(ann).contains("0228 123456"))
        #expect(try await !document(bob).contains("0228 123456"))
    }
}

extension String {
    fileprivate func prefixed(_ count: Int) -> String { String(prefix(count)) }
}
