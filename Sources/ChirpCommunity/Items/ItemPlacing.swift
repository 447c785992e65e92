package import ChirpAccounts
package import ChirpPlaces
internal import FoundationEssentials
package import GRDB

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
        shown = try Items.shown(point, draft.precision, author: draft.author, town: draft.town, in: database)
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

extension Items {
    /// Where a place of somebody's is shown: the same for the same author and place, so that a board which keeps places of its own shows
    /// them as items are shown, and nothing is learnt by comparing.
    ///
    /// - Parameter town: that the place is in, as everybody may know it.
    package static func shown(
        _ point: GeoPoint, _ precision: PositionPrecision, author: AccountID, town: GeoPoint?, in database: Database
    ) throws -> GeoPoint {
        guard precision != .exact else { return point }
        guard let key = try Data.fetchOne(database.cachedStatement(sql: "SELECT key FROM veilKey")) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "veilKey is empty")
        }
        return PositionVeil(key: Array(key)).shown(point, precision, author: author.rawValue, town: town)
    }
}
