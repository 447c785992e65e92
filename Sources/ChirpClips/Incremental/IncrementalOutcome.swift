internal import ChirpAudio

/// How a ``IncrementalClip`` ended.
public enum IncrementalOutcome: Hashable, Sendable {
    /// The clip is there.
    case made(Made)
    /// There is no clip: the recording has to go through ``prepare(_:progress:)`` and ``make(_:to:progress:)``.
    case needsRendering(Reason)

    /// What a receipt says about the clip; see ``Receipt``.
    public struct Made: Hashable, Sendable {
        public var trim: Receipt.Trim
        public var level: Receipt.Level
        public var clip: Receipt.Clip
        public var notes: [Receipt.Note]
        /// How much of the clip was in its file before the recording ended.
        public var stagedBytes: Int
        let sound: VersionOutline
        /// The highest magnitude of each 10 ms of the clip, decoded; 1 is full scale. For its picture.
        public var outline: [Float] { sound.magnitudes }
    }

    /// What cannot be done to sound that is encoded already.
    public enum Reason: String, Hashable, Sendable {
        /// At the wanted loudness the true peak would exceed the ceiling.
        case limiting
        /// The length cap falls where there is no pause, so that the end has to be faded.
        case fading
        /// The recording begins earlier than was thought while it was made.
        case start
        /// It turned out much louder or softer than it began, or changes too much for a patch.
        case level
        /// The channels cancel each other, so that they have to be mixed in another way.
        case channels
        /// Nothing stands out: it may be hum, for which the whole recording has to be looked at.
        case steady
        /// The stream cannot be cut at its start.
        case cutting
    }
}

/// From which the outline of a clip can be drawn once somebody wants it.
struct VersionOutline: Hashable, Sendable {
    /// Of the version that became the clip, from the first frame that was encoded.
    var windows: LevelWindows
    /// The frames that the clip has of it.
    var part: Range<Int>
    var sampleRate: Int
    /// Of the patch.
    var gain: Decibels

    /// The highest magnitude of each 10 ms; 1 is full scale.
    var magnitudes: [Float] {
        let first = LevelWindows.window(atFrame: part.lowerBound, sampleRate: sampleRate)
        let end = LevelWindows.window(atFrame: max(part.upperBound - 1, part.lowerBound), sampleRate: sampleRate) + 1
        return (first..<max(first, min(end, windows.count))).map { Float((windows[$0].peak + gain).amplitude) }
    }
}
