internal import Glibc

extension GeoBox {
    /// How far the nearest point of a box that does not lie over the date line is, in metres: exact to one, and never more than that of
    /// any point in it.
    ///
    /// On a meridian the cosine of the distance is a cosine of the latitude, with its highest value where both parts of it agree; so it
    /// is enough to look there and at the ends.
    package func distance(from point: GeoPoint) -> Double {
        let (latitude, south, north) = (point.latitude.radians, south.radians, north.radians)
        if point.longitude >= west, point.longitude <= east {
            return max(0, south - latitude, latitude - north) * GeoPoint.earthRadius
        }
        let nearest = [west, east].map { meridian -> Double in
            let across = cos(latitude) * cos((meridian - point.longitude).radians)
            func cosine(_ place: Double) -> Double { sin(latitude) * sin(place) + across * cos(place) }
            let best = atan2(sin(latitude), across)
            let ends = max(cosine(south), cosine(north))
            return best >= south && best <= north ? max(ends, cosine(best)) : ends
        }
        // A metre for the rounding of the cosine of a small angle: no less is needed, and nothing here is that exact.
        return max(0, acos(min(1, nearest.max() ?? 1)) * GeoPoint.earthRadius - 1)
    }

    /// Not less than how far any point of it is, in metres.
    package func farthest(from point: GeoPoint) -> Double {
        // What is farthest from a point is nearest to the one on the other side of the earth.
        guard let across = GeoPoint(latitude: -point.latitude, longitude: point.longitude + 180) else {
            return .pi * GeoPoint.earthRadius
        }
        return .pi * GeoPoint.earthRadius - (pieces.map { $0.distance(from: across) }.min() ?? 0)
    }

    /// Whether there is a point in both, edges included.
    package func touches(_ other: GeoBox) -> Bool {
        pieces.contains { piece in
            other.pieces.contains {
                piece.south <= $0.north && piece.north >= $0.south && piece.west <= $0.east && piece.east >= $0.west
            }
        }
    }
}

extension Double {
    fileprivate var radians: Double { self * .pi / 180 }
}
