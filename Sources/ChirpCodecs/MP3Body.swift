internal import ChirpAudio
internal import ChirpCore

/// What a file and a stream have in common: PCM in, audio frames out in pieces, the info frame at the end.
struct MP3Body: ~Copyable {
    private var encoder: MP3Engine
    private var ledger = MP3Ledger()
    private var pending: [UInt8] = []
    private let id3Bytes: Int

    /// Written in pieces of this size.
    private static let piece = 65536

    init(
        format: AudioFormat, settings: MP3Settings, id3Bytes: Int, jobs: Int, expectedFrames: Int?
    ) throws(AudioError) {
        let encoder = try MP3Engine(format: format, settings: settings, jobs: jobs, expectedFrames: expectedFrames)
        self.id3Bytes = id3Bytes
        pending.reserveCapacity(2 * Self.piece)
        self.encoder = encoder
    }

    mutating func write(
        _ block: borrowing AudioBlock, _ emit: (Span<UInt8>) throws(AudioError) -> Void
    ) throws(AudioError) {
        try encoder.encode(block, into: &pending)
        guard pending.count >= Self.piece else { return }
        try flush(emit)
    }

    private mutating func flush(_ emit: (Span<UInt8>) throws(AudioError) -> Void) throws(AudioError) {
        var piece: [UInt8] = []
        swap(&piece, &pending)
        ledger.add(piece.span)
        try emit(piece.span)
        piece.removeAll(keepingCapacity: true)
        swap(&piece, &pending)
    }

    /// Emits the last audio frames; gives the info frame and what the file will be.
    consuming func finish(
        _ emit: (Span<UInt8>) throws(AudioError) -> Void
    ) throws(AudioError) -> (infoFrame: [UInt8], report: MP3Report) {
        let format = encoder.format
        let settings = encoder.settings
        let frames = encoder.frames
        let facts = encoder.facts
        var ledger = ledger
        var pending = pending
        let id3Bytes = id3Bytes
        try encoder.finish(into: &pending)
        ledger.add(pending.span)
        ledger.finish()
        try emit(pending.span)
        let padding = MP3Encoder.padding(frames: frames, format: format, delay: facts.encoderDelay)
        let infoFrame = MP3InfoTag.frame(
            format: format, settings: settings, facts: facts, ledger: ledger, padding: padding)
        let report = MP3Report(
            bytes: ByteCount(id3Bytes + infoFrame.count + ledger.bytes), frames: frames, mp3Frames: ledger.frames,
            encoderDelay: facts.encoderDelay, padding: padding, averageKbps: ledger.averageKbps, id3Bytes: id3Bytes)
        return (infoFrame, report)
    }
}
