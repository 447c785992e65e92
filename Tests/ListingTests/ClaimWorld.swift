import ChirpAccounts
import ChirpCommunity
import ChirpListings
import ChirpPlaces
import Foundation
import HubHousehold
import Testing

/// People who have lost and found things, at a hub whose clock is moved.
struct ClaimWorld {
    let house: HubHousehold
    let ann: AccountID
    let bob: AccountID
    let eve: AccountID

    var library: HubLibrary { house.library }
    var claims: ClaimStore { ClaimStore(library: library) }
    var store: ListingStore { ListingStore(library: library) }
    static let links = HubLinks(publicURL: HubHousehold.publicURL)
    /// Where most things get lost.
    static let bonn = (latitude: 50.7374, longitude: 7.0982)

    init() async throws {
        house = try HubHousehold(boards: [Listings.tables])
        ann = try await house.person("ann")
        bob = try await house.person("bob")
        eve = try await house.person("eve")
    }

    /// Lists something, by default a found wallet with a secret question.
    @discardableResult
    func place(
        by account: AccountID, _ side: Listing.Side = .found, title: String = "A wallet", text: String = "In the tram",
        category: Listing.Category = .wallets, question: String = "What is in it?", north: Double = 0,
        day: Double = 0, key: String = UUID().uuidString
    ) async throws -> HubID {
        var draft = ListingDraft(side: side, category: category, title: title)
        draft.text = text
        draft.question = question
        draft.point = GeoPoint(latitude: Self.bonn.latitude + north, longitude: Self.bonn.longitude)
        draft.precision = .near
        draft.happenedFrom = house.now.addingTimeInterval(-86_400 * (1 - day))
        draft.happenedTo = draft.happenedFrom
        return try await store.create(draft, by: account, key: key)
    }

    /// A listing as somebody sees it.
    func listing(_ id: HubID, for account: AccountID) async throws -> Listing {
        guard case .listing(let listing)? = try await store.listing(id, for: .member(account)) else { throw Missing() }
        return listing
    }

    @discardableResult
    func claim(
        _ id: HubID, by account: AccountID, answer: String = "A ticket to Rome", clip: HubID? = nil
    ) async throws -> HubID {
        try await claims.claim(try await listing(id, for: account), by: account, answer: answer, clip: clip)
    }

    /// A clip of somebody's that nobody else may hear.
    func clip(of account: AccountID) async throws -> HubID {
        let id = HubID()
        var clip = HubClip(
            id: id, title: "Answer", fileName: "a.mp3", contentType: "audio/mpeg", bytes: 3, sha256: "00", sound: nil,
            created: house.now, expires: nil, shared: false)
        clip.owner = account
        #expect(try await library.insert(clip) == nil)
        try Data("mp3".utf8).write(to: URL(filePath: "\(house.mediaFolder)/\(id.text).mp3"))
        return id
    }

    /// What a call is refused with; nil when it is not.
    func refusal(_ body: () async throws -> Void) async throws -> ClaimRefusal? {
        do { try await body() } catch let refusal as ClaimRefusal { return refusal }
        return nil
    }

    /// The kinds of somebody's notices, the oldest first.
    func notices(of account: AccountID) async throws -> [Notice] {
        try await library.seen(by: .member(account)).notices(limit: 100).reversed()
    }

    /// What was written to somebody, the oldest first.
    func letters(to account: AccountID) async throws -> [String] {
        let reader = library.seen(by: .member(account))
        let places = try await reader.threads().flatMap(\.posts)
        return try await reader.posts(at: places).filter { $0.author.id != account }.map(\.text).reversed()
    }

    struct Missing: Error {}
}
