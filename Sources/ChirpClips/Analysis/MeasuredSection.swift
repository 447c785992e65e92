internal import ChirpAudio

/// A stretch of a signal that can be measured by itself, with what the filters need before it.
///
/// Where stretches begin depends on the signal's place alone, so that any number of threads finds the same.
final class MeasuredSection: @unchecked Sendable {  // Proof: one thread has it at a time, by locks.
    /// Windows of a stretch: 4 s.
    static let windows = 400

    private var block: AudioBlock
    private let meter: FourLaneMeter
    /// Frames before the stretch that the filters need.
    private let lead: Int
    /// Its first window.
    private(set) var firstWindow = 0

    /// The first stretch of a signal; before that there was its first sample, so that an offset is not heard as a thump.
    init(format: AudioFormat, removingRumble rumble: Bool) {
        lead = Int(FourLaneMeter.settlingSeconds * Double(format.sampleRate))
        // As long everywhere, since it lasts for whole seconds.
        let length = LevelWindows.frame(ofWindow: Self.windows, sampleRate: format.sampleRate)
        block = AudioBlock(format: format, capacity: lead + length)
        block.resize(toFrames: lead)
        meter = FourLaneMeter(windowsOf: format, removingRumble: rumble)
    }

    var isFull: Bool { block.frames == block.capacity }
    var isEmpty: Bool { block.frames == lead }

    /// Begins where another stretch that is full ends.
    func begin(after other: MeasuredSection) {
        firstWindow = other.firstWindow + Self.windows
        block.resize(toFrames: 0)
        copy(other.block, from: other.block.frames - lead, count: lead)
    }

    /// Takes frames of a block from one on, as many as fit.
    ///
    /// - Returns: how many it took.
    func fill(from source: borrowing AudioBlock, start: Int) -> Int {
        if firstWindow == 0, isEmpty, start < source.frames { settle(on: source, start) }
        let count = min(block.capacity - block.frames, source.frames - start)
        copy(source, from: start, count: count)
        return count
    }

    /// Fills what the filters hear first with one frame.
    private func settle(on source: borrowing AudioBlock, _ frame: Int) {
        for channel in 0..<block.format.channels {
            let value = source.withPlane(channel) { $0[frame] }
            block.withMutablePlane(channel) { plane in
                for index in 0..<lead { plane[index] = value }
            }
        }
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

    /// The windows of the stretch; the last one of a signal may be shorter than 10 ms.
    func measure() -> [LevelWindow] {
        let frames = block.frames - lead
        block.resize(toFrames: block.capacity)
        return meter.measure(block, lead: lead, frames: frames, from: firstWindow)
            .map { LevelWindow($0, channels: block.format.channels) }
    }
}
