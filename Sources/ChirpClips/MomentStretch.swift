internal import ChirpAudio

/// A stretch of a signal that can be measured by itself, with what the filters need before it.
///
/// Where stretches begin depends on the signal's place alone, so that any number of threads finds the same.
final class MomentStretch: @unchecked Sendable {  // Proof: one thread has it at a time: it is handed on through locks.
    /// Moments of a stretch: 4 s, of which the filters hear a thirtieth twice, in mono two.
    static let moments = 400

    private var block: AudioBlock
    private let removesRumble: Bool
    /// Its first moment, and the frames before that which the filters need.
    private(set) var firstMoment = 0
    private var lead = 0

    init(format: AudioFormat, removingRumble rumble: Bool) {
        let settling = Int(MomentMeter.settlingSeconds * Double(format.sampleRate))
        // A moment may be a frame longer than another, and with it a stretch.
        let longest = Moments.frame(ofMoment: Self.moments, sampleRate: format.sampleRate) + 1
        block = AudioBlock(format: format, capacity: settling + longest)
        removesRumble = rumble
    }

    private var settling: Int { Int(MomentMeter.settlingSeconds * Double(block.format.sampleRate)) }
    private var end: Int { place(ofMoment: Self.moments) }

    /// Where a moment, counted from the first, begins in the block.
    private func place(ofMoment index: Int) -> Int {
        let rate = block.format.sampleRate
        return lead + Moments.frame(ofMoment: firstMoment + index, sampleRate: rate)
            - Moments.frame(ofMoment: firstMoment, sampleRate: rate)
    }

    var isFull: Bool { block.frames == end }
    var isEmpty: Bool { block.frames == lead }

    /// Begins where another stretch that is full ends; a new one begins with the signal.
    func begin(after other: MomentStretch) {
        firstMoment = other.firstMoment + Self.moments
        block.resize(toFrames: 0)
        lead = min(settling, other.block.frames)
        copy(other.block, from: other.block.frames - lead, count: lead)
    }

    /// Takes frames of a block from one on, as many as fit.
    ///
    /// - Returns: how many it took.
    func fill(from source: borrowing AudioBlock, start: Int) -> Int {
        let count = min(end - block.frames, source.frames - start)
        copy(source, from: start, count: count)
        return count
    }

    private func copy(_ source: borrowing AudioBlock, from start: Int, count: Int) {
        let offset = block.frames
        block.resize(toFrames: offset + count)
        for channel in 0..<block.format.channels {
            source.withPlane(channel) { source in
                block.withMutablePlane(channel) { target in
                    target.withUnsafeMutableBufferPointer { target in
                        source.extracting(start..<start + count).withUnsafeBufferPointer {
                            _ = UnsafeMutableBufferPointer(rebasing: target[offset...]).update(from: $0)
                        }
                    }
                }
            }
        }
    }

    /// The moments of the stretch; the last one of a signal may be shorter than 10 ms.
    func measure() -> [Moments] {
        var meter = MomentMeter(format: block.format, removingRumble: removesRumble, from: firstMoment)
        let half = place(ofMoment: Self.moments / 2)
        guard block.format.channels == 1, half < block.frames else {
            meter.settle(over: block, 0..<lead)
            meter.add(block, lead..<block.frames)
            return [meter.finish()]
        }
        var second = MomentMeter(
            format: block.format, removingRumble: removesRumble, from: firstMoment + Self.moments / 2)
        MomentMeter.add(
            block, lead: (lead, settling), (lead..<half, half..<block.frames), to: &meter, and: &second)
        return [meter.finish(), second.finish()]
    }
}
