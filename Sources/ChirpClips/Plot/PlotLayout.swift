/// Where things stand in a drawn ``Plot``, in pixels from the top left, the same in SVG and PNG.
enum PlotLayout {
    static let width = 1100
    static let height = 560
    static let left = 70
    static let columns = Plot.columns
    /// The waveform's middle and the height of full scale above it.
    static let waveMiddle = 160
    static let waveReach = 120
    /// The scale of loudness, from 0 down to -60 LUFS.
    static let loudTop = 320
    static let loudHeight = 180

    static func waveY(_ sample: Float) -> Int {
        waveMiddle - Int((min(1, max(-1, sample)) * Float(waveReach)).rounded())
    }

    static func loudY(_ loudness: Double) -> Int {
        loudTop + Int((min(60, max(0, -loudness)) / 60 * Double(loudHeight)).rounded())
    }

    static func x(_ fraction: Double) -> Int { left + Int((fraction * Double(columns - 1)).rounded()) }
}
