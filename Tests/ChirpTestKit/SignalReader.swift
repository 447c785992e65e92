public import ChirpAudio

/// Reads a ``Signal`` block by block.
public struct SignalReader: ~Copyable, AudioReader {
    private let signal: Signal
    private var position = 0

    public init(_ signal: Signal) { self.signal = signal }

    public var format: AudioFormat { signal.format }
    public var length: Int? { signal.frames - position }

    public mutating func read(into block: inout AudioBlock) throws(AudioError) -> Bool {
        let frames = min(block.capacity, signal.frames - position)
        block.resize(toFrames: frames)
        for channel in signal.planes.indices {
            let plane = signal.planes[channel]
            let start = position
            block.withMutablePlane(channel) { span in
                for index in span.indices { span[index] = plane[start + index] }
            }
        }
        position += frames
        return frames > 0
    }
}

extension Signal {
    /// Gives the signal to `body` in blocks of so many frames.
    public func forEachBlock<E: Error>(
        of frames: Int = AudioBlock.usualCapacity, _ body: (borrowing AudioBlock) throws(E) -> Void
    ) throws(E) {
        var block = AudioBlock(format: format, capacity: frames)
        var reader = reader()
        while let more = try? reader.read(into: &block), more { try body(block) }
    }
}
