internal import ChirpCore
package import ChirpPlaces

/// How far a record reaches (OU-13). Whoever holds one of the world holds those of her country, town and place too.
package enum RecordLevel: String, Hashable, Sendable, CaseIterable {
    case place, town, country, world
}

/// Where a record is held: this place, a town, a country, or the world.
package struct RecordArea: Hashable, Sendable {
    package let level: RecordLevel
    /// What tells it from others of its level: the place of the challenge (``here``) or a square of the map, a town's number in the
    /// gazetteer, a country's two letters; nothing for the world.
    package let key: String

    package init(_ level: RecordLevel, _ key: String) {
        self.level = level
        self.key = key
    }

    package static let world = RecordArea(.world, "")
    /// The place that a challenge is at, for rules that can be tried there alone.
    package static let here = RecordArea(.place, "here")
    /// Around a point that is known to everybody: some two kilometres, so that a shown position which is not exact does not make one place
    /// into two for most of those who try there.
    package static func around(_ shown: GeoPoint) -> RecordArea { RecordArea(.place, MapCell(shown, .fine).token) }
}

/// Where something was done, as everybody may know it: no more is kept of it.
package struct RecordPlace: Hashable, Sendable {
    package let shown: GeoPoint
    /// As in `Bonn, Germany`; empty when nobody named it.
    package let name: String
    /// ``RecordArea/key`` of each level; nil where it is not known, or not told: of what is shown as a town alone, no place in it. Of the
    /// world there is one.
    package let place: String?
    package let town: String?
    package let country: String?
    /// What town and country are called; empty where they are not known.
    package let townName: String
    package let countryName: String

    /// The areas that what was done there counts for, the smallest first.
    package static func areas(place: String?, town: String?, country: String?) -> [RecordArea] {
        [
            place.map { RecordArea(.place, $0) }, town.map { RecordArea(.town, $0) },
            country.map { RecordArea(.country, $0) },
            .world,
        ].compactMap { $0 }
    }
}

/// Where somebody says that she did something.
package struct AttemptSpot: Hashable, Sendable {
    /// The place itself, which is never written down.
    package var point: GeoPoint
    package var precision: PositionPrecision
    /// As everybody may know it.
    package var name: String
    /// Of the town that it is in, for ``PositionPrecision/town``.
    package var town: GeoPoint?

    package init(
        point: GeoPoint, precision: PositionPrecision = .near, name: String = "", town: GeoPoint? = nil
    ) {
        self.point = point
        self.precision = precision
        self.name = name
        self.town = town
    }
}

extension RecordPlace {
    /// What somebody calls a place, as it is kept.
    static func plain(_ name: String, longest: Int) -> String {
        String(PlainText(name, limit: longest * 4).value.prefix(longest))
    }

    /// Farther from a point than this, in metres, a town is not its town.
    private static let farthestTown = 50_000.0

    /// With the town and the country of the shown point, which everybody could look up: nothing of the place itself gets out by its levels.
    ///
    /// - Parameter gazetteer: nil: nothing is known of towns here, and records are of places and the world alone.
    static func found(
        _ shown: GeoPoint, name: String, place: RecordArea?, in gazetteer: Gazetteer?
    ) async throws -> RecordPlace {
        let town = try await gazetteer?.nearest(to: shown, within: farthestTown)
        var country: String?
        if let town { country = try await gazetteer?.country(of: town.id) }
        return RecordPlace(
            shown: shown, name: name, place: place?.key, town: town.map { "\($0.id)" }, country: country,
            townName: town?.name ?? "", countryName: town?.country ?? "")
    }
}
