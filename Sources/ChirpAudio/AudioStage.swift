/// A change of the signal in place, block by block; the number of frames stays the same.
public protocol AudioStage: ~Copyable {
    mutating func process(_ block: inout AudioBlock)
}
