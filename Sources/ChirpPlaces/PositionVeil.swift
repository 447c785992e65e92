internal import Crypto
internal import FoundationEssentials
internal import Glibc

/// How exactly others see where something is.
package enum PositionPrecision: String, Hashable, Sendable, CaseIterable, Codable {
    /// The place itself.
    case exact
    /// Somewhere within 300 m.
    case near
    /// The town.
    case town
}

/// Where a place is shown that is not to be known exactly.
///
/// *Near* shows the centre of a hexagon of a honeycomb that is moved and turned in secret for every author. Whoever has found out an
/// author's honeycomb, from many entries of theirs, still knows no more than the hexagon: its centre stays the best guess, and half of
/// its points are more than 0.64 of the circumradius away. A random distance would not do: the mean of several draws is the place.
package struct PositionVeil: Sendable {
    private let key: SymmetricKey

    /// Metres. With the 0.6 % by which the sphere differs from the ellipsoid, and the last digit of what is shown, below 300.
    static let circumradius = 297.0
    /// Degrees. Within a band a degree of longitude is the same number of metres, within 2.5 %.
    private static let band = 0.25
    /// Beyond it, in degrees, the plane of the honeycomb touches the earth at the pole; a length is wrong by 0.5 % there at most.
    private static let cap = 80.0

    /// - Parameter key: secret bytes of the hub.
    package init(key: [UInt8]) { self.key = SymmetricKey(data: key) }

    /// The same for the same author and place, so that nothing is learnt by asking, listing or editing again.
    ///
    /// - Parameters:
    ///   - author: the id of the account.
    ///   - town: what is shown with ``PositionPrecision/town``; without one, the centre of a cell of the map. It changes nothing else.
    package func shown(
        _ point: GeoPoint, _ precision: PositionPrecision, author: String, town: GeoPoint?
    ) -> GeoPoint {
        switch precision {
        case .exact: point
        case .town: town ?? MapCell(point, .middle).centre
        case .near: near(point, author)
        }
    }

    private func near(_ point: GeoPoint, _ author: String) -> GeoPoint {
        let degree = GeoPoint.earthRadius * .pi / 180
        guard abs(point.latitude) < Self.cap else { return nearPole(point, author) }
        // Where bands begin is secret too: one that is cut at a known parallel would tell on which side the place is.
        let shift = secret("bands", author)[0] * Self.band
        let band = ((point.latitude + shift) / Self.band).rounded(.down)
        let (south, north) = (band * Self.band - shift, (band + 1) * Self.band - shift)
        // By the parallel that is nearest to the equator, with what a hexagon reaches beyond it: no distance is longer than in the plane.
        let widest = max(0, min(abs(south), abs(north)) * (south * north > 0 ? 1 : 0) - 0.01)
        let across = degree * cos(widest * .pi / 180)
        let parts = secret("near \(Int(clamping: band))", author)
        // The honeycomb ends at a meridian that is secret as well.
        let meridian = parts[3] * 360
        let comb = honeycomb(parts)
        let found = comb.centre(
            of: GeoPoint.wrapped(point.longitude - meridian) * across, (point.latitude - south) * degree)
        return rounded(south + found.y / degree, found.x / across + meridian) ?? point
    }

    private func nearPole(_ point: GeoPoint, _ author: String) -> GeoPoint {
        let sign = point.latitude < 0 ? -1.0 : 1.0
        let (distance, angle) = (
            (90 - abs(point.latitude)) * .pi / 180 * GeoPoint.earthRadius, point.longitude * .pi / 180
        )
        let comb = honeycomb(secret(sign < 0 ? "south" : "north", author))
        let found = comb.centre(of: distance * cos(angle), distance * sin(angle))
        let away = (found.x * found.x + found.y * found.y).squareRoot() / GeoPoint.earthRadius * 180 / .pi
        return rounded(sign * (90 - away), atan2(found.y, found.x) * 180 / .pi) ?? point
    }

    /// To about a metre: more digits would only look exact.
    private func rounded(_ latitude: Double, _ longitude: Double) -> GeoPoint? {
        GeoPoint(
            latitude: min(90, max(-90, (latitude * 100_000).rounded() / 100_000)),
            longitude: (GeoPoint.wrapped(longitude) * 100_000).rounded() / 100_000)
    }

    /// Moved by up to a period each way, and turned by up to 60 degrees: more of either is the same honeycomb again.
    private func honeycomb(_ parts: [Double]) -> Honeycomb {
        Honeycomb(
            circumradius: Self.circumradius,
            origin: (parts[0] * Self.circumradius * 3.0.squareRoot(), parts[1] * Self.circumradius * 3),
            turn: parts[2] * .pi / 3)
    }

    /// Four numbers from 0 up to, not including, 1, that nobody can tell without the key.
    private func secret(_ purpose: String, _ author: String) -> [Double] {
        var code = HMAC<SHA256>(key: key)
        code.update(data: Data("place's veil 1:\(purpose):\(author)".utf8))
        let bytes = Array(code.finalize())
        return stride(from: 0, to: 32, by: 8).map { start in
            let number = bytes[start..<start + 8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            return Double(number >> 11) / 0x1p53
        }
    }
}
