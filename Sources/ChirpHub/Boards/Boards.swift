internal import ChirpBeats
internal import ChirpBoards
package import ChirpCommunity
internal import ChirpListings
internal import ChirpMap
internal import ChirpOrders
internal import ChirpRecords

/// Every board there is.
public enum Boards {
    /// The names that `hub.boards` may hold, in that order.
    public static let names = HubChoices.boards

    /// What they keep in a library, whether they are shown or not.
    package static let tables = [Listings.tables, Records.tables, OrderTables.tables, Beats.tables]

    /// Those of some names, over a hub.
    static func all(
        _ desk: BoardDesk, ground: MapGround, named names: [String], stakes: StakeLimits = .off, sales: SaleDesk
    ) -> [Board] {
        var parts = BeatParts()
        parts.addDeals(paidBy: sales.deals)
        parts.sell(by: sales)
        return [
            Listings.board(desk, ground: ground), Records.whole(desk, ground: ground, stakes: stakes),
            Beats.whole(desk, parts: parts),
        ].filter { names.contains($0.name) }
    }
}
