package import ChirpPlaces
internal import ChirpWeb

/// A name on a map.
package struct MapLabel: Hashable, Sendable {
    package let point: GeoPoint
    package let text: String
    /// Those that matter more are drawn where there is no room for all: a town's people, for example.
    package let weight: Double

    package init(point: GeoPoint, text: String, weight: Double) {
        self.point = point
        // Longer names would hide the map.
        self.text = text.count > 40 ? "\(text.prefix(39))…" : text
        self.weight = weight
    }
}

/// Where names stand in a picture, so that none covers another, nor lies under a marker. Those that weigh more come first.
struct LabelPlaces {
    /// A name and where its text stands.
    struct Placed {
        let text: String
        let kind: Kind
        let x: Double
        let y: Double
    }

    enum Kind { case country, town }

    private struct Candidate {
        let placed: Placed
        let weight: Double
        let least: SIMD2<Double>
        let most: SIMD2<Double>

        func touches(_ other: Candidate) -> Bool {
            all(least .< other.most) && all(other.least .< most)
        }
    }

    private var candidates: [Candidate] = []
    private var taken: [(least: SIMD2<Double>, most: SIMD2<Double>)] = []
    private let frame: MapFrame

    init(_ frame: MapFrame) { self.frame = frame }

    /// How far beside its point a name may reach, in units of the frame.
    static let reach = 150.0

    mutating func add(_ label: MapLabel, _ kind: Kind) {
        let (x, y) = frame.position(of: label.point)
        guard (-Self.reach...frame.width + Self.reach).contains(x), (-40...frame.height + 40).contains(y) else {
            return
        }
        // About as wide as letters are at the sizes of the style.
        let size = kind == .country ? 8.2 : 7.4
        let wide = Double(label.text.unicodeScalars.reduce(0) { $0 + ($1.value > 0x2E7F ? 2 : 1) }) * size
        // A country's name is around its point, a town's above it, which has a dot.
        let (top, bottom) = kind == .country ? (y - 9, y + 7) : (y - 17, y + 5)
        candidates.append(
            Candidate(
                placed: Placed(text: label.text, kind: kind, x: x, y: kind == .country ? y + 4 : y - 6),
                weight: label.weight, least: SIMD2(x - wide / 2 - 3, top), most: SIMD2(x + wide / 2 + 3, bottom)))
    }

    /// Keeps the room of a marker.
    mutating func keepFree(_ point: SIMD2<Double>, radius: Double) { taken.append((point - radius, point + radius)) }

    /// At most 60.
    var placed: [Placed] {
        let sorted = candidates.sorted { ($0.weight, $1.placed.text) > ($1.weight, $0.placed.text) }
        var kept: [Candidate] = []
        for candidate in sorted where kept.count < 60 {
            let isCovered = taken.contains { all(candidate.least .< $0.most) && all($0.least .< candidate.most) }
            if !isCovered, !kept.contains(where: candidate.touches) { kept.append(candidate) }
        }
        return kept.map(\.placed)
    }
}
