public import ChirpAudio
package import ChirpFiles
public import ChirpMP3

/// An audio file as a reader: recognised by its content, decoded to mono or stereo Float, or with all its channels.
///
/// Read are WAV, RF64 and BW64, W64, AIFF and AIFC, CAF, AU, FLAC, Ogg with Vorbis, Opus or FLAC, MPEG audio layers I to III,
/// and the rarer formats of libsndfile. The file must be a regular one; what comes through a pipe goes to ``spool`` first.
/// Samples that are no numbers become silence, three to eight channels of a known layout become stereo, and nothing is
/// allocated by what a header promises.
public struct AudioFile: ~Copyable, AudioReader {
    public let format: AudioFormat
    /// Container and coding of the source, for example `WAV PCM 16`.
    public let sourceFormat: String
    /// Channels of the source, before any mixing down.
    public let sourceChannels: Int
    /// What the header promises in frames, for a progress view only; at most 2^51, however absurd.
    public let announcedLength: Int?
    /// Frames read so far, or where ``seek(toFrame:)`` went.
    public private(set) var position = 0

    private let file: InputFile
    private let limits: ReaderLimits
    private let maximumFrames: Int
    private var decoder: any SourceDecoder & ~Copyable
    private let certainFrames: Int?
    private let canBeInvalid: Bool
    private var decoderNotes: [AudioNote]
    private let layout: ChannelLayout?
    private let keepsChannels: Bool
    private let leftWeights: [Float]
    private let rightWeights: [Float]
    private var scratch: [Float] = []
    private var invalidSamples = 0
    /// No frame before this one needs to be counted again for invalid samples.
    private var checkedFrames = 0

    /// What the system says of the file now.
    package var seal: FileSeal? { FileSeal(descriptor: file.descriptor) }

    /// Opens a file by its content.
    ///
    /// - Parameters:
    ///   - path: of a regular file.
    ///   - name: what the user calls it, for messages.
    ///   - keepsChannels: gives more than two channels as they are, of whatever layout, instead of their mixdown; for measuring.
    /// - Throws: `missing`, `undecodable` (the content is not audio), `unsupported` (channels or sample rate), `cancelled`,
    ///   `inputOutput`.
    public init(
        opening path: String, name: String, limits: ReaderLimits = .default, keepsChannels: Bool = false
    ) throws(AudioError) {
        let file = try InputFile(opening: path, name: name)
        let decoder = try openDecoder(file)
        let stream = decoder.stream
        guard stream.channels >= 1 else { throw .undecodable(name: name, reason: "it has no channels") }
        guard limits.sampleRates.contains(stream.sampleRate) else {
            throw .unsupported(
                name: name,
                reason: "its sample rate is \(stream.sampleRate) Hz; "
                    + "\(limits.sampleRates.lowerBound) to \(limits.sampleRates.upperBound) Hz can be read")
        }
        guard stream.channels <= limits.maximumChannels else {
            throw .unsupported(name: name, reason: "it has \(stream.channels) channels")
        }
        let layout = stream.channels > 2 && stream.layout?.speakers.count == stream.channels ? stream.layout : nil
        let weights = layout?.stereoWeights
        guard stream.channels <= 2 || keepsChannels || weights != nil else {
            throw .unsupported(
                name: name, reason: "its \(stream.channels) channels have a layout that cannot be mixed down")
        }
        self.file = file
        self.limits = limits
        self.layout = layout
        self.keepsChannels = keepsChannels
        leftWeights = weights?.left ?? []
        rightWeights = weights?.right ?? []
        format = AudioFormat(
            sampleRate: stream.sampleRate, channels: keepsChannels ? stream.channels : min(stream.channels, 2))
        maximumFrames = format.frames(in: limits.maximumLength)
        sourceFormat = stream.format
        sourceChannels = stream.channels
        announcedLength = stream.announcedFrames
        certainFrames = stream.certainFrames
        canBeInvalid = stream.canBeInvalid
        decoderNotes = decoder.notes
        self.decoder = decoder
    }

    /// Frames still to come, when the file proves them (uncompressed audio); nil for coded audio.
    public var length: Int? {
        guard let frames = certainFrames else { return nil }
        return max(0, frames - position)
    }

    /// What came to light: at opening, and all of it once ``read(into:)`` has returned false.
    public var notes: [AudioNote] {
        var notes = decoderNotes
        if sourceChannels > 2 {
            switch layout {
            case let layout? where !keepsChannels:
                notes.append(.mixedDown(layout: layout.name, assumed: layout.assumed))
            case let layout? where layout.assumed: notes.append(.layoutAssumed(layout: layout.name))
            case nil: notes.append(.layoutUnknown(channels: sourceChannels))
            default: break
            }
        }
        if invalidSamples > 0 { notes.append(.invalidSamples(count: invalidSamples)) }
        return notes
    }

    /// What the channels of the source are: `mono`, `stereo`, `5.1` and the like; nil when that is not known.
    public var layoutName: String? { sourceChannels > 2 ? layout?.name : sourceChannels == 2 ? "stereo" : "mono" }

    /// What each channel of the source counts for in loudness (ITU-R BS.1770-4, annex 3); all the same in an unknown layout.
    public var loudnessWeights: [Double] {
        layout?.loudnessWeights ?? Array(repeating: 1, count: sourceChannels)
    }

    /// What is heard of all channels on two loudspeakers, for those who read them as they are: the mixdown that others read, or
    /// the mean of channels whose places are not known.
    ///
    /// - Parameters:
    ///   - block: of the reader's format, with more than two channels.
    ///   - stereo: of the same sample rate and capacity.
    public func mixToStereo(_ block: borrowing AudioBlock, into stereo: inout AudioBlock) {
        precondition(block.format == format && stereo.format.channels == 2 && stereo.capacity >= block.frames)
        stereo.resize(toFrames: block.frames)
        let mean = Array(repeating: 1 / Float(format.channels), count: format.channels)
        for (side, weights) in [leftWeights, rightWeights].enumerated() {
            let weights = weights.isEmpty ? mean : weights
            stereo.withMutablePlane(side) { plane in
                for index in plane.indices { plane[index] = 0 }
                for channel in weights.indices where weights[channel] != 0 {
                    let weight = weights[channel]
                    block.withPlane(channel) { source in
                        for index in plane.indices { plane[index] += weight * source[index] }
                    }
                }
            }
        }
    }

    /// What the source says about itself: title, artist, album, comment and cover; made safe to show. Read from the file
    /// each time it is asked for; empty when it cannot be read.
    public var sourceTags: ID3Tag { (try? readTags(file, limits: limits)) ?? ID3Tag() }

    /// - Throws: `unsupported` when there is more audio than the limits allow, `inputOutput`, `cancelled`.
    public mutating func read(into block: inout AudioBlock) throws(AudioError) -> Bool {
        precondition(block.format == format)
        let samplesNeeded = block.capacity * sourceChannels
        if scratch.count < samplesNeeded { scratch = [Float](repeating: 0, count: samplesNeeded) }
        let filled = try fill(frames: block.capacity)
        block.resize(toFrames: filled)
        guard filled > 0 else { return false }
        guard position <= maximumFrames else {
            let hours = limits.maximumLength.components.seconds / 3600
            throw .unsupported(name: file.name, reason: "it is longer than \(hours) hours")
        }
        let (samples, channels, left, right) = (scratch, sourceChannels, leftWeights, rightWeights)
        if keepsChannels || left.isEmpty {
            for channel in 0..<channels {
                block.withMutablePlane(channel) { plane in
                    deinterleave(samples, channel: channel, of: channels, into: &plane)
                }
            }
        } else {
            block.withMutablePlane(0) { plane in mixDown(samples, weights: left, into: &plane) }
            block.withMutablePlane(1) { plane in mixDown(samples, weights: right, into: &plane) }
        }
        return true
    }

    /// Goes to a frame; the next block begins there and holds, to the bit, what reading up to it would have given.
    ///
    /// Uncompressed audio and FLAC jump; other codings decode what lies between, from the beginning when going back.
    /// Beyond the end is the end.
    public mutating func seek(toFrame frame: Int) throws(AudioError) {
        precondition(frame >= 0)
        guard frame != position else { return }
        if let reached = try decoder.seek(toFrame: frame) {
            position = reached
        } else if frame < position {
            decoder = try openDecoder(file)
            position = 0
        }
        let step = AudioBlock.usualCapacity
        if scratch.count < step * sourceChannels { scratch = [Float](repeating: 0, count: step * sourceChannels) }
        while position < frame {
            guard try fill(frames: min(step, frame - position)) > 0 else { return }
        }
    }

    /// Decodes into the scratch until it holds that many frames or the input ends.
    private mutating func fill(frames: Int) throws(AudioError) -> Int {
        var filled = 0
        while filled < frames {
            let count = try decoder.decode(into: &scratch, at: filled, frames: frames - filled)
            guard count > 0 else { break }
            filled += count
        }
        if filled < frames { decoderNotes = decoder.notes }
        if filled > 0, canBeInvalid {
            let invalid = silenceInvalid(&scratch, count: filled * sourceChannels)
            if position >= checkedFrames { invalidSamples += invalid }
        }
        position += filled
        checkedFrames = max(checkedFrames, position)
        return filled
    }
}
