internal import ChirpBoards
package import ChirpCommunity
internal import ChirpListings
internal import ChirpMap

/// Every board there is.
public enum Boards {
    /// The names that `hub.boards` may hold.
    public static let names = [ListingStore.board]

    /// What they keep in a library, whether they are shown or not.
    package static let tables = [Listings.tables]

    /// Those of some names, over a hub.
    static func all(_ desk: BoardDesk, ground: MapGround, named names: [String]) -> [Board] {
        [Listings.board(desk, ground: ground)].filter { names.contains($0.name) }
    }
}
