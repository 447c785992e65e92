internal import ChirpFiles
internal import Glibc

/// The outlines of the world as they ship: `world.map`, made by `Scripts/make-map` of Natural Earth's 1:10 million (public domain). They are
/// true to about 2 km.
package struct WorldShapes: Sendable {
    /// A line by its points in parts of the world (see ``MapFrame``), and the rectangle around it.
    package struct Line: Sendable {
        package let points: [SIMD2<Double>]
        package let least: SIMD2<Double>
        package let most: SIMD2<Double>
    }

    /// A country's name, in the order of languages English, German.
    package struct Name: Sendable {
        /// From 2, for those that even a map of the world names, to 7 and more.
        package let rank: Int
        package let longitude: Double
        package let latitude: Double
        package let names: [String]
    }

    package private(set) var land: [Line] = []
    package private(set) var lakes: [Line] = []
    package private(set) var borders: [Line] = []
    package private(set) var names: [Name] = []

    /// Those that ship.
    package static let natural = WorldShapes(EmbeddedFiles.world_map)
    /// Changes with them, for addresses of what was drawn.
    static let version = String(FileDigest.sha256(of: EmbeddedFiles.world_map).prefix(8))

    /// - Parameter file: lines as `Scripts/make-map` describes them. Lines of another kind are left out.
    package init(_ file: [UInt8]) {
        var units = 1.0
        for line in file.split(separator: 0x0A) {
            let content = line.dropFirst(2)
            switch line.first {
            case UInt8(ascii: "u"): units = String(decoding: content, as: UTF8.self).decimal(in: 1...1e9) ?? 1
            case UInt8(ascii: "l"): Self.add(content, units, to: &land)
            case UInt8(ascii: "w"): Self.add(content, units, to: &lakes)
            case UInt8(ascii: "b"): Self.add(content, units, to: &borders)
            case UInt8(ascii: "n"): Self.add(content, units, to: &names)
            default: break
            }
        }
    }

    private static func add(_ text: ArraySlice<UInt8>, _ units: Double, to names: inout [Name]) {
        let parts = String(decoding: text, as: UTF8.self).split(separator: " ", maxSplits: 3)
        guard parts.count == 4, let rank = parts[0].integer(in: 0 ... .max),
            let longitude = parts[1].decimal(in: -1e9...1e9),
            let latitude = parts[2].decimal(in: -1e9...1e9)
        else { return }
        names.append(
            Name(
                rank: rank, longitude: longitude / units, latitude: latitude / units,
                names: parts[3].split(separator: "|").map(String.init)))
    }

    private static func add(_ text: ArraySlice<UInt8>, _ units: Double, to lines: inout [Line]) {
        var points: [SIMD2<Double>] = []
        points.reserveCapacity(text.count / 3)
        var (across, up, isUp) = (0, 0, false)
        var (value, shift) = (0, 0)
        for byte in text {
            guard let digit = digit(byte), shift < 40 else { return }
            value |= (digit & 31) << shift
            shift += 5
            guard digit < 32 else { continue }
            let difference = value & 1 == 0 ? value >> 1 : -(value >> 1) - 1
            if isUp {
                up += difference
                points.append(point(Double(across) / units, Double(up) / units))
            } else {
                across += difference
            }
            isUp.toggle()
            (value, shift) = (0, 0)
        }
        guard let first = points.first else { return }
        let (least, most) = points.reduce((first, first)) { bounds, point in
            (pointwiseMin(bounds.0, point), pointwiseMax(bounds.1, point))
        }
        lines.append(Line(points: points, least: least, most: most))
    }

    /// Land that was cut in two at the date line is made to overlap there a little, so that no gap shows.
    private static func point(_ longitude: Double, _ latitude: Double) -> SIMD2<Double> {
        let overlap = longitude.magnitude < 180 ? 0 : longitude < 0 ? -1e-4 : 1e-4
        return SIMD2(MapFrame.across(longitude) + overlap, MapFrame.down(latitude))
    }

    /// What a sign of base64 for addresses stands for.
    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) + 4
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
