public import ChirpClips

/// A folder of recordings to be made a folder of clips.
public struct BatchRequest: Hashable, Sendable {
    /// The folder of the recordings, and that of the clips.
    public var source: String
    public var target: String
    /// How each clip is made; the source is put in for each, and the jobs are the cores to use, 1 or more.
    public var clip: ClipRequest
    /// Title, artist, album, comment and cover of a recording go into its clip. Otherwise nothing that it says does.
    public var keepsTags: Bool
    /// The first failure ends the run.
    public var failsFast: Bool
    /// Only say what would be done.
    public var isDryRun: Bool

    public init(
        source: String, target: String, clip: ClipRequest, keepsTags: Bool = false, failsFast: Bool = false,
        isDryRun: Bool = false
    ) {
        self.source = source
        self.target = target
        self.clip = clip
        self.keepsTags = keepsTags
        self.failsFast = failsFast
        self.isDryRun = isDryRun
    }
}
