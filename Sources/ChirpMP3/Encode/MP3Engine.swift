internal import ChirpAudio

/// One encoder or several: the same bytes.
struct MP3Engine: ~Copyable {
    let format: AudioFormat
    let settings: MP3Settings
    let facts: MP3EncoderFacts
    /// PCM frames taken so far.
    private(set) var frames = 0
    private var one: MP3Encoder?
    private var several: ParallelMP3Encoder?

    /// Shorter signals are not worth a second thread, in seconds.
    private static let shortest = 6
    /// A variable rate keeps the signal until the end when it is shared out: the most for that.
    private static let mostKept = 56 << 20

    init(format: AudioFormat, settings: MP3Settings, jobs: Int, expectedFrames: Int?) throws(AudioError) {
        precondition(jobs >= 1)
        try settings.validate(for: format)
        var one: MP3Encoder?
        var several: ParallelMP3Encoder?
        let facts: MP3EncoderFacts
        if Self.isShared(format: format, settings: settings, jobs: jobs, expectedFrames: expectedFrames) {
            let encoder = try ParallelMP3Encoder(
                format: format, settings: settings, jobs: jobs, expectedFrames: expectedFrames)
            facts = encoder.facts
            several = consume encoder
        } else {
            let encoder = try MP3Encoder(format: format, settings: settings)
            facts = encoder.facts
            one = consume encoder
        }
        self.format = format
        self.settings = settings
        self.facts = facts
        self.one = consume one
        self.several = consume several
    }

    private static func isShared(
        format: AudioFormat, settings: MP3Settings, jobs: Int, expectedFrames: Int?
    ) -> Bool {
        guard jobs > 1 else { return false }
        if let expectedFrames, expectedFrames < shortest * format.sampleRate { return false }
        if case .constant = settings.rate { return true }
        return expectedFrames.map { $0 * format.channels * 4 <= mostKept } ?? false
    }

    mutating func encode(_ block: borrowing AudioBlock, into bytes: inout [UInt8]) throws(AudioError) {
        frames += block.frames
        try one?.encode(block, into: &bytes)
        try several?.encode(block, into: &bytes)
    }

    /// Encodes what is left and appends what became ready.
    ///
    /// - Returns: whether more will; then it is called again.
    mutating func finish(into bytes: inout [UInt8]) throws(AudioError) -> Bool {
        if let encoder = one.take() { try encoder.finish(into: &bytes) }
        return try several?.finish(into: &bytes) ?? false
    }

    /// Runs something that may happen at any time until ``waitForErrands()`` returns, on any thread: here when there is
    /// only this one.
    mutating func run(_ errand: @escaping @Sendable () -> Void) {
        if several == nil { errand() } else { several?.run(errand) }
    }

    /// Waits until all that was given to ``run(_:)`` is done. Nothing may be given to it afterwards.
    mutating func waitForErrands() { several?.waitForErrands() }
}
