internal import ChirpAudio

/// The loudness of a part of a signal that grows: as ``ClipAnalysis/loudness(of:limiting:)``, but what was summed up once is
/// kept, so that asking again costs no more than what has come since.
struct RunningLoudness {
    private var start = 0
    /// Of whole 100 ms from the start on.
    private var tenths: [Float] = []

    /// - Parameters:
    ///   - range: windows; most quickly known with the same start as last time.
    ///   - windows: the same as last time, and more.
    mutating func loudness(
        of range: Range<Int>, in windows: LevelWindows, channels: Int
    ) -> ClipAnalysis.PartLoudness {
        if range.lowerBound != start { (start, tenths) = (range.lowerBound, []) }
        let weight = channels == 1 ? 2.0 : 1.0
        func sum(_ part: Range<Int>) -> Double { part.reduce(0) { $0 + windows[$1].loudness * weight } }
        tenths.removeLast(max(0, tenths.count - range.count / 10))
        while tenths.count < range.count / 10 {
            let first = start + tenths.count * 10
            tenths.append(Float(sum(first..<first + 10) / 10))
        }
        guard tenths.count < 4 else {
            return ClipAnalysis.PartLoudness(loudness: gatedLoudness(tenths: tenths.span), method: .integrated)
        }
        let mean = LUFS(energy: range.isEmpty ? 0 : sum(range) / Double(range.count))
        return ClipAnalysis.PartLoudness(loudness: mean > LUFS(-70) ? mean : nil, method: .short)
    }
}
