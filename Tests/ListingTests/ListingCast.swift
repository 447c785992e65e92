import ChirpAccounts
import ChirpCommunity
import ChirpListings
import ChirpPlaces
import Foundation
import HubHousehold
import Testing

/// A library with the board's tables, and Ann and Bob, who list things in it.
struct ListingCast {
    let house: HubHousehold
    var library: HubLibrary { house.library }
    var store: ListingStore { ListingStore(library: house.library) }

    init() throws { house = try HubHousehold(boards: [Listings.tables]) }

    func people() async throws -> (ann: AccountID, bob: AccountID) {
        (try await house.person("ann"), try await house.person("bob"))
    }

    static let bonn = GeoPoint(nearLatitude: 50.7339, longitude: 7.0997)

    func draft(
        _ title: String = "Black cat", side: Listing.Side = .lost, category: Listing.Category = .pets,
        _ change: (inout ListingDraft) -> Void = { _ in }
    ) -> ListingDraft {
        var draft = ListingDraft(side: side, category: category, title: title)
        draft.text = "She has a white paw and answers to Mimi."
        draft.point = Self.bonn
        draft.placeName = "Bonn, Germany"
        change(&draft)
        return draft
    }

    @discardableResult
    func place(
        by account: AccountID, _ title: String = "Black cat", key: String = UUID().uuidString,
        category: Listing.Category = .pets, _ change: (inout ListingDraft) -> Void = { _ in }
    ) async throws -> HubID {
        try await store.create(draft(title, category: category, change), by: account, key: key)
    }

    /// What a viewer finds; nil when it is not a listing.
    func listing(_ id: HubID, for viewer: Viewer = .visitor) async throws -> Listing? {
        guard case .listing(let listing) = try await store.listing(id, for: viewer) else { return nil }
        return listing
    }

    func found(_ viewer: Viewer = .visitor, _ change: (inout ItemQuery) -> Void = { _ in }) async throws -> [String] {
        var query = ItemQuery(board: ListingStore.board)
        change(&query)
        return try await store.listings(query, for: viewer).found.map(\.item.title)
    }
}

/// Expects a refusal of an act.
func expectRefusal(
    _ refusal: ListingRefusal, _ act: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) async {
    let thrown = await #expect(throws: ListingRefusal.self, sourceLocation: sourceLocation) { try await act() }
    #expect(thrown == refusal, sourceLocation: sourceLocation)
}
