package import ChirpAccounts
package import ChirpPlaces
internal import GRDB

/// An item as cases and notices show it: what it says and where it stands, whoever may see it elsewhere.
package struct ItemSummary: Hashable, Sendable, Identifiable {
    /// As cases have it; of a part of an item its own (``ItemParts``).
    package let id: HubID
    /// The whole, of which notices tell.
    let item: HubID
    /// As in `lost-and-found`.
    package let board: String
    package let kind: String
    package let author: AccountID
    package let title: String
    package let text: String
    package let state: Item.State
    package let isHidden: Bool
    package let isFrozen: Bool
    /// What is said about it.
    package let clip: HubID?
    /// In the author's order.
    package let pictures: [HubID]
    /// What it is called, and the place itself: for moderators within a case alone.
    package var place: Place?

    package struct Place: Hashable, Sendable {
        package let name: String
        package let exact: GeoPoint
    }

    /// Where its page is.
    package let path: String
}

extension Items {
    /// Nil when there is none of that id, nor a part of one.
    static func summary(of id: HubID, in database: Database) throws -> ItemSummary? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT items.*, itemPlaces.lat, itemPlaces.lon, itemPlaces.name AS placeName
                    FROM items LEFT JOIN itemPlaces ON itemPlaces.item = items.sequence WHERE items.id = ?
                    """), arguments: [id.text])
        guard let row else { return try ItemParts.summary(of: id, in: database) }
        let (board, sequence): (String, Int64) = (row["board"], row["sequence"])
        let pictures = try String.fetchAll(
            database.cachedStatement(sql: "SELECT picture FROM itemPictures WHERE item = ? ORDER BY position"),
            arguments: [sequence]
        ).compactMap { HubID($0) }
        let clip: String? = row["clip"]
        var place: ItemSummary.Place?
        if let latitude = row["lat"] as Double?, let longitude = row["lon"] as Double?,
            let point = GeoPoint(latitude: latitude, longitude: longitude)
        {
            place = ItemSummary.Place(name: row["placeName"] ?? "", exact: point)
        }
        return ItemSummary(
            id: id, item: id, board: board, kind: row["kind"], author: row["account"], title: row["title"],
            text: row["text"], state: Item.State(rawValue: row["state"]) ?? .withdrawn, isHidden: row["hidden"],
            isFrozen: row["frozen"], clip: clip.flatMap { HubID($0) }, pictures: pictures, place: place,
            path: "/\(board)/\(id.text)")
    }

    /// Whether somebody sees an item, or a part of one.
    ///
    /// - Parameter evenIfHidden: or would see it if it were not hidden.
    static func isSeen(
        _ id: HubID, by account: AccountID, evenIfHidden: Bool = false, in database: Database
    ) throws -> Bool {
        let visible = visible(to: account, evenIfHidden: evenIfHidden)
        let isSeen = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM items WHERE items.id = ? AND \(visible.sql))"),
            arguments: [id.text] + visible.arguments)
        if isSeen == true { return true }
        return try ItemParts.isSeen(id, by: account, evenIfHidden: evenIfHidden, in: database)
    }

    /// Whether there is a picture of somebody's own.
    static func isPicture(_ id: HubID, of account: AccountID, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM pictures WHERE id = ? AND owner = ? AND state = 'ready')"),
            arguments: [id.text, account]) ?? false
    }
}
