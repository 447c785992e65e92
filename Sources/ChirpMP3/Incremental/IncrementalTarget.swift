/// The file that a recording becomes.
public struct IncrementalTarget: Sendable {
    /// An existing regular file is replaced, in one step.
    public var path: String
    /// An empty one writes none.
    public var tag: ID3Tag
    /// The most that each staged file takes on the disk beside the recording; what is longer is written when it has ended.
    /// 0 makes no staged files.
    public var mostStagedBytes: Int

    public init(path: String, tag: ID3Tag = ID3Tag(), mostStagedBytes: Int = 256 << 20) {
        self.path = path
        self.tag = tag
        self.mostStagedBytes = mostStagedBytes
    }
}
