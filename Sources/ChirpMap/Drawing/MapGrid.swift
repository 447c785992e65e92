internal import ChirpPlaces
internal import ChirpWeb
internal import Glibc

/// Lines and lengths by which distances on a map can be judged.
package enum MapGrid {
    /// Meridians and parallels at round numbers of degrees, 64 units apart or more.
    static func lines(_ frame: MapFrame) -> HTML {
        let step = self.step(atLeast: 64 / frame.scale * 360)
        var path = ""
        let (west, east) = (frame.left * 360 - 180, (frame.left + frame.width / frame.scale) * 360 - 180)
        for number in numbers(west, east, step) {
            let x = WorldMap.rounded(((Double(number) * step + 180) / 360 - frame.left) * frame.scale)
            path += "M\(x) 0V\(WorldMap.rounded(frame.height))"
        }
        let box = frame.box
        for number in numbers(box.south, box.north, step) {
            let y = WorldMap.rounded((MapFrame.down(Double(number) * step) - frame.top) * frame.scale)
            path += "M0 \(y)H\(WorldMap.rounded(frame.width))"
        }
        return "<path class=\"map-grid\" d=\"\(path)\"/>"
    }

    /// Multiples of a step inside a span; at most 200.
    private static func numbers(_ from: Double, _ to: Double, _ step: Double) -> ClosedRange<Int> {
        let first = Int(clamping: (from / step).rounded(.up).clamped(to: -1e9...1e9))
        return first...max(first, min(first + 200, Int(clamping: (to / step).rounded(.down).clamped(to: -1e9...1e9))))
    }

    /// The next round number of degrees: 1, 2 or 5 and zeros.
    private static func step(atLeast least: Double) -> Double {
        let power = pow(10, log10(max(1e-6, least)).rounded(.down))
        return ([1, 2, 5, 10].first { $0 * power >= least } ?? 10) * power
    }

    /// A round length on the ground that takes from 50 to 130 units, in metres.
    package static func scale(_ frame: MapFrame) -> Double {
        let most = frame.metresPerUnit * 130
        let power = pow(10, log10(max(1e-3, most)).rounded(.down))
        return ([5, 2, 1].first { $0 * power <= most } ?? 1) * power
    }

    /// As people say lengths: `200 m`, `5 km`.
    static func text(metres: Double) -> String {
        metres >= 1000 ? "\(WorldMap.rounded(metres / 1000)) km" : "\(WorldMap.rounded(metres)) m"
    }

    static func scaleBar(_ frame: MapFrame) -> HTML {
        let metres = scale(frame)
        let wide = WorldMap.rounded(metres / max(1e-9, frame.metresPerUnit))
        let bottom = WorldMap.rounded(frame.height) - 12
        return """
            <path class="map-scale" d="M12 \(bottom - 6)v6h\(wide)v-6"/>\
            <text class="map-length" x="16" y="\(bottom - 5)">\(text(metres: metres))</text>
            """
    }
}
