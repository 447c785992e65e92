internal import ChirpAudio
internal import ChirpCodecs
internal import ChirpMP3

/// Reads a recording to its end and keeps the facts: one pass, bounded memory.
///
/// - Parameter pool: measures while this thread reads; how many threads it has does not change the facts.
/// - Throws: what the reader throws, `nothingToHear` for no frames at all, `cancelled`.
func analyse(
    _ reader: inout ClipReader, name: String, removingRumble rumble: Bool, pool: WorkerPool,
    progress: (Double) -> Void
) throws(AudioError) -> ClipAnalysis {
    let format = reader.format
    let stretches = MeasuredSections()
    var windows = LevelWindows()
    var stretch = MeasuredSection(format: format, removingRumble: rumble)
    var block = AudioBlock(format: format)
    var ticker = BlockTicker()
    var frames = 0
    while try reader.read(into: &block) {
        try ticker.check()
        frames += block.frames
        var start = 0
        while start < block.frames {
            start += stretch.fill(from: block, start: start)
            guard stretch.isFull else { continue }
            let full = stretch
            stretch = stretches.takeSpare() ?? MeasuredSection(format: format, removingRumble: rumble)
            stretch.begin(after: full)
            pool.submit { _ in stretches.measure(full) }
            stretches.collect(into: &windows)
        }
        if ticker.isDue { progress(reader.fraction) }
    }
    guard frames > 0 else { throw .nothingToHear(name: name, reason: "it has no samples") }
    if !stretch.isEmpty { stretches.measure(stretch) }
    pool.finish()
    stretches.collect(into: &windows)
    return ClipAnalysis(
        format: format, frames: frames, windows: windows, removesRumble: rumble,
        downmix: reader.downmix)
}
