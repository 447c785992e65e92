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
