internal import FoundationEssentials
internal import GRDB

extension PersonalRows {
    /// What the person has listed on boards, with the place itself.
    struct Item: Encodable {
        struct Place: Encodable {
            let latitude, longitude: Double
            let precision, name: String
            let shownLatitude, shownLongitude: Double
        }

        let id, board, kind, title, text, category: String
        let language: String?
        let tags: [String]
        let state, outcome, reason: String
        let hidden, frozen: Bool
        let created, changed: Date
        let ended, expires: Date?
        let place: Place?
        let clip: String?
        let pictures: [String]
    }

    /// What she has saved, opened or voted on.
    struct ItemMark: Encodable {
        let item, board, kind: String
        let at: Date
    }

    func items() throws -> [Item] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT items.*, place.lat, place.lon, place.precision, place.name AS placeName, place.shownLat, place.shownLon,
                        (SELECT group_concat(picture, ' ') FROM (
                            SELECT picture FROM itemPictures WHERE item = items.sequence ORDER BY position)) AS pictures
                    FROM items LEFT JOIN itemPlaces AS place ON place.item = items.sequence
                    WHERE account = ? ORDER BY sequence
                    """), arguments: [person]
        ).map { row in
            let tags: String = row["tags"]
            let pictures: String? = row["pictures"]
            return Item(
                id: row["id"], board: row["board"], kind: row["kind"], title: row["title"], text: row["text"],
                category: row["category"], language: row["language"],
                tags: tags.split(separator: "\n").map(String.init),
                state: row["state"], outcome: row["outcome"], reason: row["reason"], hidden: row["hidden"],
                frozen: row["frozen"], created: HubLibrary.date(row["created"]),
                changed: HubLibrary.date(row["changed"]), ended: (row["ended"] as Int64?).map(HubLibrary.date),
                expires: (row["expires"] as Int64?).map(HubLibrary.date), place: Self.place(row), clip: row["clip"],
                pictures: pictures?.split(separator: " ").map(String.init) ?? [])
        }
    }

    private static func place(_ row: Row) -> Item.Place? {
        guard let latitude = row["lat"] as Double?, let longitude = row["lon"] as Double? else { return nil }
        return Item.Place(
            latitude: latitude, longitude: longitude, precision: row["precision"], name: row["placeName"],
            shownLatitude: row["shownLat"], shownLongitude: row["shownLon"])
    }

    func itemMarks() throws -> [ItemMark] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT items.id, items.board, itemMarks.kind, itemMarks.at FROM itemMarks
                    JOIN items ON items.sequence = itemMarks.item WHERE itemMarks.account = ? ORDER BY itemMarks.at
                    """), arguments: [person]
        ).map { row in
            ItemMark(item: row["id"], board: row["board"], kind: row["kind"], at: HubLibrary.date(row["at"]))
        }
    }
}
