internal import ChirpAccounts
internal import ChirpPlaces
internal import FoundationEssentials
internal import GRDB

/// Where an item is, and where it is shown: worked out once, when it is written down or edited, and the same for the same place.
struct ItemPlacing {
    private let point: GeoPoint
    private let precision: PositionPrecision
    private let name: String
    /// What everything but the place itself is made from: index, cells, distances and pages.
    let shown: GeoPoint

    /// Nil for a draft without a place.
    init?(_ draft: ItemDraft, in database: Database) throws {
        guard let point = draft.point else { return nil }
        self.point = point
        precision = draft.precision
        name = draft.placeName
        guard draft.precision != .exact else {
            shown = point
            return
        }
        guard let key = try Data.fetchOne(database.cachedStatement(sql: "SELECT key FROM veilKey")) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "veilKey is empty")
        }
        shown = PositionVeil(key: Array(key)).shown(
            point, draft.precision, author: draft.author.rawValue, town: draft.town)
    }

    func write(_ item: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO itemPlaces (item, lat, lon, precision, shownLat, shownLon, name, wide, middle, fine)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (item) DO UPDATE SET lat = excluded.lat, lon = excluded.lon, precision = excluded.precision,
                    shownLat = excluded.shownLat, shownLon = excluded.shownLon, name = excluded.name,
                    wide = excluded.wide, middle = excluded.middle, fine = excluded.fine
                """
        ).execute(arguments: [
            item, point.latitude, point.longitude, precision.rawValue, shown.latitude, shown.longitude, name,
            MapCell(shown, .wide).number, MapCell(shown, .middle).number, MapCell(shown, .fine).number,
        ])
    }
}
