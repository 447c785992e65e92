/// A destination of frames.
public protocol AudioWriter: ~Copyable {
    /// Takes all valid frames of the block.
    mutating func write(_ block: borrowing AudioBlock) throws(AudioError)
    /// Flushes and closes. A writer that is dropped without it leaves nothing behind.
    consuming func finish() throws(AudioError)
}
