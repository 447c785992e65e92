/// A source of frames, pulled block by block on one thread.
public protocol AudioReader: ~Copyable {
    /// Never changes while reading.
    var format: AudioFormat { get }
    /// How many frames are still to come, when that is known for certain; nil otherwise. A header's promise is not certain.
    var length: Int? { get }
    /// Fills the block with the next frames, as many as fit unless the end is near, and sets its frame count.
    ///
    /// - Parameter block: of the reader's ``format``.
    /// - Returns: false when no frames were left (the block is then empty).
    mutating func read(into block: inout AudioBlock) throws(AudioError) -> Bool
}

/// A change of the signal in place, block by block; the number of frames stays the same.
public protocol AudioStage: ~Copyable {
    mutating func process(_ block: inout AudioBlock)
}

/// A destination of frames.
public protocol AudioWriter: ~Copyable {
    /// Takes all valid frames of the block.
    mutating func write(_ block: borrowing AudioBlock) throws(AudioError)
    /// Flushes and closes. A writer that is dropped without it leaves nothing behind.
    consuming func finish() throws(AudioError)
}
