public import ChirpAudio

/// Encodes while a recording is made, at several gains beside each other, so that its loudness can still be chosen when it
/// has ended: the nearest version is patched by ``GlobalGainPatch``. One thread at a time.
///
/// What each version would become is staged on the disk meanwhile, see ``follow(_:)``.
///
/// Memory is bounded: 4 MiB of each stream, what goes beyond in files without a name, and 1.9 kB per second of
/// measurements.
public struct IncrementalMP3Encoder: ~Copyable {
    public let format: AudioFormat
    public let settings: MP3Settings
    /// PCM frames taken so far.
    public private(set) var frames = 0
    private let lanes: [EncoderLane]
    private let target: IncrementalTarget
    private let stager: ClipStager?
    private var scratch: AudioBlock

    /// Three gains that together with ``GlobalGainPatch`` come within 0.25 dB of any other.
    public static func gains(around middle: Decibels) -> [Decibels] {
        let third = GlobalGainPatch.step.value / 3
        return [-third, 0, third].map { middle + Decibels($0) }
    }

    /// - Parameters:
    ///   - format: of the blocks and of the MP3.
    ///   - gains: of the streams, one or more; see ``gains(around:)``. Each costs as much as an encoder and a decoder.
    ///   - target: what it becomes.
    ///   - spoolFolder: for what does not fit in memory.
    /// - Throws: what ``MP3Settings/validate(for:)`` says.
    public init(
        format: AudioFormat, settings: MP3Settings, gains: [Decibels], target: IncrementalTarget,
        spoolFolder: String = "/tmp"
    ) throws(AudioError) {
        precondition(!gains.isEmpty)
        var lanes: [EncoderLane] = []
        for gain in gains {
            lanes.append(try EncoderLane(format: format, settings: settings, gain: gain, spoolFolder: spoolFolder))
        }
        self.format = format
        self.settings = settings
        self.lanes = lanes
        self.target = target
        // Without a thread there are no staged files.
        stager =
            target.mostStagedBytes == 0 ? nil : try? ClipStager(lanes.map { StagedClip(of: $0.stream, target: target) })
        scratch = AudioBlock(format: format)
    }

    /// - Parameter block: of the encoder's ``format``.
    public mutating func write(_ block: borrowing AudioBlock) throws(AudioError) {
        precondition(block.format == format)
        if scratch.capacity < block.frames { scratch = AudioBlock(format: format, capacity: block.frames) }
        for lane in lanes {
            amplify(block, by: Float(lane.gain.amplitude), into: &scratch)
            try lane.write(scratch)
        }
        frames += block.frames
    }

    /// How the versions sound so far.
    public var heard: [GainVersion] { lanes.map(\.heard) }

    /// Lets the staged files follow, on another thread. Meant to be called about every second.
    ///
    /// - Parameter cut: what becomes of the recording if it ends now, found there; nil when that is hardly different
    ///   from last time.
    public func follow(_ cut: (@Sendable () -> ProvisionalCut?)? = nil) { stager?.follow(cut) }

    /// Waits until the staged files have followed: for tests, and for measuring with what comes faster than it sounds.
    package func waitForStaging() { stager?.wait() }

    /// Encodes what is left; what was made can then be chosen from.
    public consuming func finish() throws(AudioError) -> IncrementalRecording {
        var versions: [GainVersion] = []
        for lane in lanes { versions.append(try lane.finish()) }
        return IncrementalRecording(
            frames: frames, versions: versions, streams: lanes.map(\.stream), target: target, stager: stager)
    }
}

private func amplify(_ source: borrowing AudioBlock, by gain: Float, into target: inout AudioBlock) {
    target.resize(toFrames: source.frames)
    for channel in 0..<source.format.channels {
        source.withPlane(channel) { from in
            target.withMutablePlane(channel) { to in
                for index in to.indices { to[index] = from[index] * gain }
            }
        }
    }
}

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
