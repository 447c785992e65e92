/// One clip that a batch has made: of what, how, and what the file was when it was put in its place.
///
/// Names of files are bytes, as the file system has them. Times are nanoseconds since 1970.
public struct BatchClipRecord: Hashable, Sendable {
    /// The folder of the clips, without links. Together with ``path`` it names the row.
    public var target: String
    /// Of the source, below ``root``.
    public var path: [UInt8]
    /// The folder of the sources, without links.
    public var root: String
    public var sourceBytes: Int64
    public var sourceModified: Int64
    /// Lower-case hexadecimal SHA-256 of the whole source.
    public var sourceSHA256: String
    /// The length of the source in seconds, by its decoded frames.
    public var sourceSeconds: Double
    /// Lower-case hexadecimal SHA-256 of every setting that has shaped the clip.
    public var settingsSHA256: String
    /// Of the clip, below ``target``.
    public var output: [UInt8]
    public var outputBytes: Int64
    public var outputModified: Int64
    public var outputSHA256: String
    /// The length of the clip when no cap has shortened it.
    public var uncappedSeconds: Double?
    /// The size of the clip when no limit has lowered its rate.
    public var unlimitedBytes: Int64?
    /// The source says something about itself that the clip could carry.
    public var hasTags: Bool

    public init(
        target: String, path: [UInt8], root: String, sourceBytes: Int64, sourceModified: Int64, sourceSHA256: String,
        sourceSeconds: Double, settingsSHA256: String, output: [UInt8], outputBytes: Int64, outputModified: Int64,
        outputSHA256: String, uncappedSeconds: Double?, unlimitedBytes: Int64?, hasTags: Bool
    ) {
        self.target = target
        self.path = path
        self.root = root
        self.sourceBytes = sourceBytes
        self.sourceModified = sourceModified
        self.sourceSHA256 = sourceSHA256
        self.sourceSeconds = sourceSeconds
        self.settingsSHA256 = settingsSHA256
        self.output = output
        self.outputBytes = outputBytes
        self.outputModified = outputModified
        self.outputSHA256 = outputSHA256
        self.uncappedSeconds = uncappedSeconds
        self.unlimitedBytes = unlimitedBytes
        self.hasTags = hasTags
    }
}
