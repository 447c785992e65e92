package import ChirpPlaces

/// Where something is, as somebody has typed it.
package struct TypedPlace {
    /// The name of a place.
    package var name = ""
    /// One that was chosen among several of that name.
    package var id: Int64?
    /// Latitude and longitude.
    package var at = ""

    /// What it comes to.
    package struct Found {
        package var point: GeoPoint?
        /// As everybody may know it.
        package var name = ""
        /// The town of that name, or the one that the point is in.
        package var town: GeoPoint?
        /// A point was given, not only a name.
        package var isPin = false
        /// Others that may have been meant.
        package var others: [NamedPlace] = []
        package var fault: Fault?
    }

    package enum Fault {
        /// No place is called so here.
        case noPlace
        /// No latitude and longitude.
        case noPoint
    }

    package init(name: String = "", id: Int64? = nil, at: String = "") {
        self.name = name
        self.id = id
        self.at = at
    }

    /// Farther from a pin than this, in metres, a town is not its town.
    private static let farthestTown = 50_000.0
    /// How many others are named.
    private static let mostOthers = 5

    /// - Parameter gazetteer: nil: names mean nothing here, and stay as they were typed.
    package func found(in gazetteer: Gazetteer?) async throws -> Found {
        var found = Found(name: name)
        let pin = Self.point(at)
        if !at.isEmpty, pin == nil {
            found.fault = .noPoint
            return found
        }
        found.isPin = pin != nil
        found.point = pin
        guard let gazetteer else { return found }
        let named = try await place(in: gazetteer, &found)
        if let pin {
            // The town that was named, unless the pin is elsewhere.
            let near = named.flatMap { $0.point.distance(to: pin) <= Self.farthestTown ? $0 : nil }
            let town =
                if let near { near } else { try await gazetteer.nearest(to: pin, within: Self.farthestTown) }
            found.town = town?.point
            found.name = town?.title ?? ""
            found.others = []
            found.fault = nil
        } else if let named {
            (found.point, found.town, found.name) = (named.point, named.point, named.title)
        } else if !name.isEmpty {
            found.fault = .noPlace
        }
        return found
    }

    private func place(in gazetteer: Gazetteer, _ found: inout Found) async throws -> NamedPlace? {
        if let id, let place = try await gazetteer.place(id) { return place }
        guard !name.isEmpty else { return nil }
        var places = try await gazetteer.places(named: name, limit: Self.mostOthers + 1)
        // "Bonn, Germany", as pages here show it, is called Bonn.
        if places.isEmpty, let comma = name.firstIndex(of: ",") {
            places = try await gazetteer.places(named: String(name[..<comma]), limit: 50).filter {
                $0.title.lowercased().contains(name[comma...].drop { $0 == "," || $0 == " " }.lowercased())
            }
        }
        guard let first = places.first else {
            found.others = try await gazetteer.suggestions(for: name, limit: Self.mostOthers)
            return nil
        }
        found.others = Array(places.dropFirst().prefix(Self.mostOthers))
        return first
    }

    /// `50.73, 7.1`, also as `geo:50.73,7.1`.
    package static func point(_ text: String) -> GeoPoint? {
        let plain = text.hasPrefix("geo:") ? text.dropFirst(4).prefix { $0 != ";" } : text[...]
        let numbers = plain.split(whereSeparator: { $0 == "," || $0.isWhitespace }).map { $0.decimal(in: -360...360) }
        guard numbers.count == 2, text.utf8.count <= 60, let latitude = numbers[0], let longitude = numbers[1] else {
            return nil
        }
        return GeoPoint(latitude: latitude, longitude: longitude)
    }

    /// The opposite, to so many places behind the point.
    package static func text(_ point: GeoPoint?, places: Int = 5) -> String {
        guard let point else { return "" }
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let (latitude, longitude) = (point.latitude, point.longitude)
        return "\((latitude * scale).rounded() / scale),\((longitude * scale).rounded() / scale)"
    }
}
