/// What became of a ``IncrementalRecording``.
public struct IncrementalResult: Hashable, Sendable {
    public let report: MP3Report
    /// Of the whole file, in hexadecimal.
    public let sha256: String
    /// How much of it was in the file before the recording ended.
    public let stagedBytes: Int
}
