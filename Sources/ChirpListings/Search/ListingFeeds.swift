internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb

extension ListingDesk {
    /// New listings of an area, of a side and a category too, for programs that follow them.
    var feeds: BoardFeeds {
        BoardFeeds(
            board: ListingStore.board, title: { word("listing.board") },
            spokenSummary: "New listings of an area in which somebody speaks, in the form of posts, oldest first",
            links: links,
            narrow: { asked, query in
                if let side = asked["side"].flatMap(Listing.Side.init) { query.kinds = [side.rawValue] }
                query.category = asked["category"].flatMap(Listing.Category.init)?.rawValue
            },
            find: { [store] query in
                let (found, next) = try await store.listings(query, for: .visitor)
                return (found.map(\.item), next)
            })
    }
}
