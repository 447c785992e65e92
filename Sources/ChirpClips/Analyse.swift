internal import ChirpAudio

/// Reads a recording to its end and keeps the facts: one pass, bounded memory.
///
/// - Throws: what the reader throws, `nothingToHear` for no frames at all, `cancelled`.
func analyse(
    _ reader: inout ClipReader, name: String, removingRumble rumble: Bool, progress: (Double) -> Void
) throws(AudioError) -> ClipAnalysis {
    var meter = MomentMeter(format: reader.format, removingRumble: rumble)
    var block = AudioBlock(format: reader.format)
    var pace = Pace()
    while try reader.read(into: &block) {
        try pace.check()
        meter.add(block)
        if pace.isDue { progress(reader.fraction) }
    }
    let frames = meter.frames
    guard frames > 0 else { throw .nothingToHear(name: name, reason: "it has no samples") }
    return ClipAnalysis(format: reader.format, frames: frames, moments: meter.finish(), removesRumble: rumble)
}
