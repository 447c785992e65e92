internal import ChirpAudio
internal import ChirpCore

/// What a file and a stream have in common: PCM in, audio frames out in pieces, the info frame at the end.
struct MP3Body: ~Copyable {
    private var encoder: MP3Engine
    private var ledger = MP3Ledger()
    /// In use when the result is to be measured.
    private var check: MP3SelfCheck?
    private var pending: [UInt8] = []
    private let id3Bytes: Int

    /// Written in pieces of this size.
    private static let piece = 16384
    /// Pieces that may wait to be measured while all threads encode, at most 200 KB each, before the thread that feeds them
    /// measures one itself and lets them wait. Five minutes: segments are shorter.
    private static let mostWaiting = 64

    init(
        format: AudioFormat, settings: MP3Settings, id3Bytes: Int, jobs: Int, expectedFrames: Int?,
        measures: Bool = false, outlines: Bool = false
    ) throws(AudioError) {
        let threads = MP3Engine.threads(
            format: format, settings: settings, jobs: jobs, expectedFrames: expectedFrames)
        let pool = try WorkerPool(threads: threads, mostWaiting: Self.mostWaiting)
        let encoder = try MP3Engine(format: format, settings: settings, pool: pool, expectedFrames: expectedFrames)
        self.id3Bytes = id3Bytes
        pending.reserveCapacity(2 * Self.piece)
        check =
            measures
            ? MP3SelfCheck(
                format: format, encoderDelay: encoder.facts.encoderDelay, expectedFrames: expectedFrames, pool: pool,
                outlines: outlines)
            : nil
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
        var check = check.take()
        ledger.add(piece.span) { header, frame in check?.add(header, frame) }
        self.check = check
        try emit(piece.span)
        piece.removeAll(keepingCapacity: true)
        swap(&piece, &pending)
    }

    /// Encodes what is left.
    private mutating func complete(_ emit: (Span<UInt8>) throws(AudioError) -> Void) throws(AudioError) {
        while try encoder.finish(into: &pending) {
            if pending.count >= Self.piece { try flush(emit) }
        }
        try flush(emit)
        var check = check.take()
        ledger.finish { header, frame in check?.add(header, frame) }
        check?.finish(frames: encoder.frames)
        self.check = check
    }

    /// Emits the last audio frames; gives the info frame and what the file will be.
    consuming func finish(
        _ emit: (Span<UInt8>) throws(AudioError) -> Void
    ) throws(AudioError) -> (infoFrame: [UInt8], report: MP3Report) {
        try complete(emit)
        let (format, settings, frames, facts) = (encoder.format, encoder.settings, encoder.frames, encoder.facts)
        let padding = MP3Encoder.padding(frames: frames, format: format, delay: facts.encoderDelay)
        let decoded = ledger.frames * MP3FrameHeader.frames(at: format.sampleRate) - facts.encoderDelay - padding
        let infoFrame = MP3InfoTag.frame(
            format: format, settings: settings, facts: facts, ledger: ledger, padding: padding)
        let report = MP3Report(
            bytes: ByteCount(id3Bytes + infoFrame.count + ledger.bytes), frames: frames, mp3Frames: ledger.frames,
            encoderDelay: facts.encoderDelay, padding: padding, averageKbps: ledger.averageKbps, id3Bytes: id3Bytes,
            measured: try check?.result(frames: decoded))
        return (infoFrame, report)
    }
}
