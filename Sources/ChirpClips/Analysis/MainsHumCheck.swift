internal import ChirpAudio
internal import ChirpCodecs

extension ClipAnalysis {
    /// Nothing stands out in a recording of speech, and it is long enough to tell: it may be hum, which nobody wants to hear.
    var maybeHum: Bool { removesRumble && !gate.isCertain && gate.isSteady && frames >= format.sampleRate / 2 }
}

/// Looks for mains hum and nothing else in a recording whose level is steady, in up to eight seconds spread over it.
///
/// - Returns: 50 or 60 when each of them is hum of that frequency; nil otherwise.
func mainsHum(_ source: ClipSource, _ analysis: ClipAnalysis) throws(AudioError) -> Int? {
    let (format, window) = (analysis.format, min(analysis.format.sampleRate, analysis.frames))
    let count = min(8, max(1, analysis.frames / window))
    var reader = try ClipReader(source, downmix: analysis.downmix) { _ in format }
    var block = AudioBlock(format: format)
    var ticker = BlockTicker()
    var (samples, found): ([Float], Int?) = ([], nil)
    var (position, number) = (0, 0)
    while number < count, try reader.read(into: &block) {
        try ticker.check()
        let start = number * (analysis.frames - window) / max(1, count - 1)
        let (first, end) = (max(start + samples.count, position), min(start + window, position + block.frames))
        if first < end {
            block.withPlane(0) { plane in
                for frame in first..<end { samples.append(plane[frame - position]) }
            }
        }
        position += block.frames
        guard samples.count == window else { continue }
        guard let frequency = MainsHum.frequency(of: samples, sampleRate: format.sampleRate),
            found == nil || found == frequency
        else { return nil }
        found = frequency
        samples.removeAll(keepingCapacity: true)
        number += 1
    }
    return found
}
