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

    /// - Parameter pool: of ``threads(format:settings:jobs:expectedFrames:)`` threads.
    init(format: AudioFormat, settings: MP3Settings, pool: WorkerPool, expectedFrames: Int?) throws(AudioError) {
        try settings.validate(for: format)
        var one: MP3Encoder?
        var several: ParallelMP3Encoder?
        let facts: MP3EncoderFacts
        if pool.threads > 0 {
            let encoder = try ParallelMP3Encoder(
                format: format, settings: settings, pool: pool, expectedFrames: expectedFrames)
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

    /// The threads beside the caller's that are worth having for a signal: 0 when one encoder does it all on the caller's.
    ///
    /// - Parameter jobs: the most; 1 or more.
    static func threads(format: AudioFormat, settings: MP3Settings, jobs: Int, expectedFrames: Int?) -> Int {
        precondition(jobs >= 1)
        guard jobs > 1 else { return 0 }
        if let expectedFrames, expectedFrames < shortest * format.sampleRate { return 0 }
        if case .constant = settings.rate { return jobs }
        let isKept = expectedFrames.map { $0 * format.channels * 4 <= mostKept } ?? false
        return isKept ? jobs : 0
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
}
