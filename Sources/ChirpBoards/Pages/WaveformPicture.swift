package import ChirpCommunity
package import ChirpWeb

/// A clip's waveform as bars, mirrored about the middle: a picture to look at and the ground of the position slider.
package struct WaveformPicture {
    /// Heights of the bars, 0...1.
    package let bars: [Double]
    let sound: HubSound

    /// The width of a bar and its gap in the picture's own units.
    private static let pitch = 10
    private static let barWidth = 6
    private static let height = 100

    /// - Parameter count: how many bars, 1 or more.
    package init(_ sound: HubSound, bars count: Int) {
        precondition(count > 0)
        self.sound = sound
        let peaks = sound.peaks
        bars = (0..<count).map { bar in
            guard !peaks.isEmpty else { return 0 }
            let from = bar * peaks.count / count
            let to = max((bar + 1) * peaks.count / count, from + 1)
            return Double(peaks[from..<min(to, peaks.count)].max() ?? 0) / 255
        }
    }

    /// What the picture shows, in words.
    package var description: String {
        let length = word("player.wave", ["length": Wording.spoken(sound.seconds)])
        guard let highest = bars.max(), highest > 0, let at = bars.firstIndex(of: highest) else {
            return word("player.silent", ["wave": length])
        }
        let seconds = (Double(at) + 0.5) / Double(bars.count) * sound.seconds
        return word("player.loudest", ["wave": length, "time": Wording.clock(seconds)])
    }

    /// - Parameter name: distinguishes several pictures in one page; letters and digits. Nil leaves out the second layer,
    ///   which shows what has been played.
    package func svg(name: String?) -> HTML {
        let width = bars.count * Self.pitch
        let path = bars.enumerated().map { bar, level in
            let half = max(Int(clamping: (level * Double(Self.height) / 2).rounded()), 2)
            let left = bar * Self.pitch + (Self.pitch - Self.barWidth) / 2
            return "M\(left) \(Self.height / 2 - half)h\(Self.barWidth)v\(2 * half)h-\(Self.barWidth)z"
        }.joined()
        let played: HTML =
            if let name {
                """
                <clipPath id="played-\(name)"><rect class="played" width="0" height="\(Self.height)"/></clipPath>\
                <path class="bars front" clip-path="url(#played-\(name))" d="\(path)"/>
                """
            } else {
                .nothing
            }
        return """
            <svg class="wave" viewBox="0 0 \(width) \(Self.height)" preserveAspectRatio="none" role="img" \
            aria-label="\(description)"><path class="bars" d="\(path)"/>\(played)</svg>
            """
    }
}
