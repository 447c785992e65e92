public import ChirpAudio

/// A signal that costs an encoder about what speech costs: a voice-like tone of changing pitch with overtones, syllables
/// and pauses, over faint noise; the same samples every time.
public struct Programme: Sendable {
    public let format: AudioFormat
    public let planes: [[Float]]

    /// - Parameters:
    ///   - seconds: its length.
    ///   - format: mono or stereo; the second channel is the first one, quieter and 10 ms later.
    public init(seconds: Double, format: AudioFormat) {
        self.format = format
        let count = Int(seconds * Double(format.sampleRate))
        var noise: UInt32 = 1
        var first = [Float](repeating: 0, count: count)
        var phase: Float = 0
        let step = 1 / Float(format.sampleRate)
        for index in 0..<count {
            noise = noise &* 1_664_525 &+ 1_013_904_223
            let time = Float(index) * step
            let syllable = time * 3.1 - (time * 3.1).rounded(.down)
            let isPause = Int(time / 0.9) % 4 == 3
            phase += (110 + 40 * (time * 0.7 - (time * 0.7).rounded(.down))) * step
            phase -= phase.rounded(.down)
            // A parabola's overtones fall off like a voice's.
            let voice = 4 * phase * (1 - phase) - 2.0 / 3
            let envelope = isPause ? 0 : 4 * syllable * (1 - syllable)
            first[index] = 0.4 * voice * envelope + (Float(noise >> 9) / 8_388_608 - 0.5) * 0.004
        }
        let delay = min(count, format.sampleRate / 100)
        var planes = [first]
        if format.channels == 2 {
            planes.append([Float](repeating: 0, count: delay) + first.dropLast(delay).map { 0.7 * $0 })
        }
        self.planes = planes
    }

    /// Frames.
    public var frames: Int { planes[0].count }

    /// Gives the signal block by block, as a reader would.
    public func forEachBlock<E: Error>(
        capacity: Int = AudioBlock.usualCapacity, _ body: (borrowing AudioBlock) throws(E) -> Void
    ) throws(E) {
        var block = AudioBlock(format: format, capacity: capacity)
        var start = 0
        while start < frames {
            let count = min(capacity, frames - start)
            block.resize(toFrames: count)
            for channel in planes.indices {
                let plane = planes[channel]
                block.withMutablePlane(channel) { target in
                    for index in 0..<count { target[index] = plane[start + index] }
                }
            }
            try body(block)
            start += count
        }
    }
}
