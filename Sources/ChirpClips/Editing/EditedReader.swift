internal import ChirpAudio
internal import ChirpFiles

/// The clip itself, before encoding: a recording with its plan applied.
struct EditedReader: ~Copyable, AudioReader {
    let format: AudioFormat
    private var reader: ClipReader
    private var highPass: HighPass?
    private var limiter: Limiter
    private let fade: (start: Int, length: Int)
    private var scratch: AudioBlock
    /// Frames still to take from the recording, and frames given.
    private var wanted: Int
    private var given = 0
    private let total: Int

    init(_ source: ClipSource, plan: EditPlan, format: AudioFormat) throws(AudioError) {
        var reader = try ClipReader(source, downmix: plan.downmix) { _ in format }
        // The rumble filter needs a moment to settle, so it starts earlier than the clip.
        let settling = plan.removesRumble ? min(plan.frames.lowerBound, format.sampleRate / 5) : 0
        try reader.skip(toFrame: plan.frames.lowerBound - settling)
        var highPass = plan.removesRumble ? HighPass(format: format, frequency: 20, settled: true) : nil
        var left = settling
        while left > 0 {
            // A resampler gives less than is asked for.
            var block = AudioBlock(format: format, capacity: left)
            guard try reader.read(into: &block) else { break }
            highPass?.process(&block)
            left -= block.frames
        }
        self.format = format
        self.reader = reader
        self.highPass = highPass
        limiter = Limiter(format: format, gain: plan.gain, ceiling: plan.limiterCeiling)
        fade = (plan.frames.count - plan.fadeFrames, plan.fadeFrames)
        scratch = AudioBlock(format: format)
        wanted = plan.frames.count
        total = plan.frames.count
    }

    var length: Int? { total - given }
    /// What the system says of the recording now.
    var seal: FileSeal? { reader.seal }
    /// The deepest reduction by the limiter so far.
    var deepestReduction: Decibels { limiter.deepest }

    mutating func read(into block: inout AudioBlock) throws(AudioError) -> Bool {
        while !limiter.take(into: &block) {
            guard wanted > 0 else { return false }
            if try reader.read(into: &scratch) {
                scratch.resize(toFrames: min(scratch.frames, wanted))
                highPass?.process(&scratch)
                limiter.add(scratch)
                wanted -= scratch.frames
            } else {
                wanted = 0
            }
            if wanted == 0 { limiter.flush() }
        }
        if fade.length > 0 && given + block.frames > fade.start {
            for channel in 0..<format.channels {
                block.withMutablePlane(channel) { fadeOut(&$0, position: given - fade.start, length: fade.length) }
            }
        }
        given += block.frames
        return true
    }
}
