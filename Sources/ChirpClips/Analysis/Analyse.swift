internal import ChirpAudio
internal import ChirpCodecs

/// Reads a recording to its end and keeps the facts: one pass, bounded memory.
///
/// - Parameter crew: measures while this thread reads; how many they are does not change the facts.
/// - Throws: what the reader throws, `nothingToHear` for no frames at all, `cancelled`.
func analyse(
    _ reader: inout ClipReader, name: String, removingRumble rumble: Bool, crew: borrowing ErrandCrew,
    progress: (Double) -> Void
) throws(AudioError) -> ClipAnalysis {
    let format = reader.format
    let stretches = MomentStretches()
    var moments = Moments()
    var stretch = MomentStretch(format: format, removingRumble: rumble)
    var block = AudioBlock(format: format)
    var pace = Pace()
    var frames = 0
    while try reader.read(into: &block) {
        try pace.check()
        frames += block.frames
        var start = 0
        while start < block.frames {
            start += stretch.fill(from: block, start: start)
            guard stretch.isFull else { continue }
            let full = stretch
            stretch = stretches.takeSpare() ?? MomentStretch(format: format, removingRumble: rumble)
            stretch.begin(after: full)
            crew.run { _ in stretches.measure(full) }
            stretches.collect(into: &moments)
        }
        if pace.isDue { progress(reader.fraction) }
    }
    guard frames > 0 else { throw .nothingToHear(name: name, reason: "it has no samples") }
    if !stretch.isEmpty { stretches.measure(stretch) }
    crew.finish()
    stretches.collect(into: &moments)
    return ClipAnalysis(
        format: format, frames: frames, moments: moments, removesRumble: rumble,
        downmix: reader.downmix)
}
