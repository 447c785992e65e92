internal import Glibc

/// A run of consecutive frames, planar: one contiguous plane of Float per channel, full scale ±1.
///
/// The capacity is fixed when it is made; ``frames`` of it are valid. A job makes one block and uses it for the whole
/// job. This is the only type of the module that touches memory directly: one allocation, freed in `deinit`.
public struct AudioBlock: ~Copyable, @unchecked Sendable {  // Proof: sole owner of its allocation, noncopyable.
    /// What one block holds unless there is a reason: 4096 frames, 93 ms at 44.1 kHz.
    public static let usualCapacity = 4096

    public let format: AudioFormat
    /// The most frames it can hold.
    public let capacity: Int
    /// The frames that are valid, 0...capacity.
    public private(set) var frames: Int
    private let samples: UnsafeMutablePointer<Float>

    /// A silent block with no valid frames.
    public init(format: AudioFormat, capacity: Int = AudioBlock.usualCapacity) {
        precondition(capacity > 0)
        self.format = format
        self.capacity = capacity
        frames = 0
        // Large blocks come from the system as zeros: what is never used is never touched (1 MB for a recording of a second).
        guard let memory = calloc(capacity * format.channels, MemoryLayout<Float>.stride) else {
            // As `allocate` ends the process too: nothing can go on without.
            fatalError("there is no memory for \(capacity) frames")
        }
        samples = memory.bindMemory(to: Float.self, capacity: capacity * format.channels)
    }

    deinit { free(samples) }

    /// Declares how many frames are valid. Samples keep their values; those that become valid hold what was there before.
    public mutating func resize(toFrames count: Int) {
        precondition(count >= 0 && count <= capacity)
        frames = count
    }

    /// The valid samples of one channel, 0..<channels.
    @inlinable
    public borrowing func withPlane<R: ~Copyable, E: Error>(
        _ channel: Int, _ body: (Span<Float>) throws(E) -> R
    ) throws(E) -> R {
        try body(Span(_unsafeElements: UnsafeBufferPointer(start: plane(channel), count: frames)))
    }

    /// The valid samples of one channel, 0..<channels, to change in place.
    @inlinable
    public mutating func withMutablePlane<R: ~Copyable, E: Error>(
        _ channel: Int, _ body: (inout MutableSpan<Float>) throws(E) -> R
    ) throws(E) -> R {
        var span = MutableSpan(_unsafeElements: UnsafeMutableBufferPointer(start: plane(channel), count: frames))
        return try body(&span)
    }

    @usableFromInline
    func plane(_ channel: Int) -> UnsafeMutablePointer<Float> {
        precondition(channel >= 0 && channel < format.channels)
        return samples + channel * capacity
    }
}
