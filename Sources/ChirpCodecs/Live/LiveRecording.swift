public import ChirpAudio
internal import ChirpCore

/// What a ``LiveMP3Encoder`` has made: versions of one recording at several gains, of which one becomes a file.
public struct LiveRecording: ~Copyable {
    public let format: AudioFormat
    public let settings: MP3Settings
    /// PCM frames of the whole recording.
    public let frames: Int
    public let versions: [LiveVersion]
    private let lanes: [LiveLane]

    init(format: AudioFormat, settings: MP3Settings, frames: Int, versions: [LiveVersion], lanes: [LiveLane]) {
        self.format = format
        self.settings = settings
        self.frames = frames
        self.versions = versions
        self.lanes = lanes
    }

    /// Writes a part of one version, louder or softer by whole steps. The file appears under its name when it is whole.
    ///
    /// - Parameters:
    ///   - version: its number in ``versions``.
    ///   - part: the PCM frames to keep, within 0..<``frames``. Where the stream allows no other cut, the file begins up
    ///     to 25 ms earlier: the report counts the frames that decoders give back.
    ///   - path: an existing regular file is replaced.
    ///   - tag: an empty one writes none.
    /// - Returns: nil, and no file, when these frames cannot be cut or patched like that: encode the recording instead.
    /// - Throws: ``AudioError/uncreatable(path:reason:)`` or ``AudioError/inputOutput(path:reason:)``.
    public consuming func write(
        version: Int, patch: GlobalGainPatch, part: Range<Int>, to path: String, tag: ID3Tag = ID3Tag()
    ) throws(AudioError) -> MP3Report? {
        precondition(part.lowerBound >= 0 && part.upperBound <= frames && versions.indices.contains(version))
        let lane = lanes[version]
        var facts = lane.facts
        let cut = MP3FrameCut(
            lane.index, part: part, format: format, settings: settings, encoderDelay: facts.encoderDelay)
        guard let cut else { return nil }
        facts.encoderDelay = cut.delay
        let id3 = tag.encoded()
        let file = try MP3TemporaryFile(path: path)
        // The info frame holds a checksum of everything behind it.
        let place = [UInt8](repeating: 0, count: MP3InfoTag.frameBytes(format: format, settings: settings))
        try file.write((id3 + place).span)
        var ledger = MP3Ledger()
        var piece: [UInt8] = []
        var isPossible = true
        var before: [UInt8] = []
        try lane.drain { (number, bytes, range) throws(AudioError) in
            guard isPossible, number < cut.frames.upperBound else { return }
            if number < cut.frames.lowerBound {
                // Enough frames for the bit reservoir, however small they are.
                guard number >= cut.frames.lowerBound - 64 else { return }
                before += bytes[range.dropFirst(lane.index.header?.mainDataOffset ?? 0)]
                return
            }
            if number == cut.frames.lowerBound { piece += cut.leadBytes(before) }
            var all = bytes.mutableSpan
            var frame = all._mutatingExtracting(range)
            isPossible = patch.apply(to: &frame)
            frame.span.withUnsafeBufferPointer { piece.append(contentsOf: $0) }
            if piece.count >= 65536 || number == cut.frames.upperBound - 1 {
                ledger.add(piece.span) { _, _ in }
                try file.write(piece.span)
                piece.removeAll(keepingCapacity: true)
            }
        }
        guard isPossible else { return nil }
        ledger.finish { _, _ in }
        let infoFrame = MP3InfoTag.frame(
            format: format, settings: settings, facts: facts, ledger: ledger, padding: cut.padding)
        try file.write(infoFrame.span, at: id3.count)
        try file.commit()
        return MP3Report(
            bytes: ByteCount(id3.count + infoFrame.count + ledger.bytes), frames: part.upperBound - cut.start,
            mp3Frames: ledger.frames,
            encoderDelay: cut.delay, padding: cut.padding, averageKbps: ledger.averageKbps, id3Bytes: id3.count,
            measured: nil)
    }
}
