internal import ChirpAudio
internal import ChirpCodecs

/// What a finished clip turned out to be: its own bytes decoded again and measured.
struct ClipCheck {
    var loudness: Loudness
    var frames: Int

    /// - Parameter path: of the encoded clip.
    init(
        path: String, name: String, format: AudioFormat, progress: (Double) -> Void, total: Int
    ) throws(AudioError) {
        var file = try AudioFile(opening: path, name: name)
        guard file.format == format else { throw .library(name: "decoding the clip", code: file.format.sampleRate) }
        var meter = LoudnessMeter(format: format)
        var block = AudioBlock(format: format)
        var pace = Pace()
        var frames = 0
        while try file.read(into: &block) {
            try pace.check()
            meter.add(block)
            frames += block.frames
            if pace.isDue { progress(min(1, Double(frames) / Double(max(1, total)))) }
        }
        loudness = meter.result()
        self.frames = frames
    }
}
