internal import ChirpAudio

/// A stretch of PCM, scaled for LAME, planar. Written by the feeding thread, then shared and only read.
final class ParallelChunk: @unchecked Sendable {  // Proof: `fill` is called before the chunk is shared, never after.
    let capacity: Int
    private(set) var frames = 0
    private let channels: Int
    private let samples: UnsafeMutablePointer<Float>
    /// Owns the samples.
    private let slab: ParallelSlab

    private init(capacity: Int, channels: Int, slab: ParallelSlab, samples: UnsafeMutablePointer<Float>) {
        self.capacity = capacity
        self.channels = channels
        self.slab = slab
        self.samples = samples
    }

    /// Empty chunks, as many as share a slab of memory.
    static func several(capacity: Int, channels: Int) -> [ParallelChunk] {
        let length = capacity * channels
        let slab = ParallelSlab(pieces: length * MemoryLayout<Float>.stride)
        return slab.pieces(of: length).map {
            ParallelChunk(capacity: capacity, channels: channels, slab: slab, samples: $0)
        }
    }

    /// Appends frames of a block from `start` on, as many as fit, and tells how many.
    ///
    /// - Parameter fullScale: LAME's value of a full-scale sample.
    func fill(from block: borrowing AudioBlock, start: Int, by fullScale: Float) -> Int {
        let count = min(capacity - frames, block.frames - start)
        for channel in 0..<channels {
            block.withPlane(channel) { plane in
                let buffer = UnsafeMutableBufferPointer(start: samples + channel * capacity, count: capacity)
                var span = MutableSpan(_unsafeElements: buffer)
                scaleForLame(plane, from: start, count: count, by: fullScale, into: &span, at: frames)
            }
        }
        frames += count
        return count
    }

    /// Makes it empty again; only when nobody else has it.
    func reset() { frames = 0 }

    /// Shows frames of the chunk to what watches the threshold of hearing.
    func show(_ range: Range<Int>, to memory: inout MP3ThresholdMemory) {
        precondition(range.lowerBound >= 0 && range.upperBound <= frames)
        let left = UnsafeBufferPointer(start: samples + range.lowerBound, count: range.count)
        let right = UnsafeBufferPointer(
            start: samples + (channels - 1) * capacity + range.lowerBound, count: range.count)
        memory.add(left: left, right: right)
    }

    /// Encodes frames of the chunk.
    func encode(_ range: Range<Int>, with encoder: inout MP3Encoder, into bytes: inout [UInt8]) throws(AudioError) {
        precondition(range.lowerBound >= 0 && range.upperBound <= frames)
        let left = samples + range.lowerBound
        try encoder.encode(scaled: left, right: left + (channels - 1) * capacity, frames: range.count, into: &bytes)
    }
}
