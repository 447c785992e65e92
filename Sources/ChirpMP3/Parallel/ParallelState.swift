internal import ChirpAudio

/// What the threads of a ``ParallelMP3Encoder`` share.
///
/// The signal is divided into chunks. A *segment* is the work of one encoder: it starts at a chunk and goes on until its
/// frames are the same as those of the next segment, or to the end of the signal. An idle thread starts a new segment
/// in the middle of the longest stretch that lies before another one.
struct ParallelState {
    struct Segment {
        /// The chunk it starts at.
        let start: Int
        /// The chunk it is at; those before are of no more use to it. Nil when it is done.
        var position: Int?
        /// The segment that starts after it.
        var next: Int?
        /// Frames that nobody has taken, and how many were taken.
        var contents: [MP3FrameContent] = []
        var taken = 0
        /// The frame of its own from which on its threshold of hearing is that of an encoder which began earlier.
        var settledFrame: Int?
        /// Who continues, from which frame of the whole on; known when frames of both were the same.
        var successor: (segment: Int, frame: Int)?
    }

    /// What encoders of these settings are like; known when the first one is made.
    var facts: MP3EncoderFacts?
    var segments: [Segment] = []
    var chunks: [Int: ParallelChunk] = [:]
    /// Chunks that were published.
    var produced = 0
    /// No chunk will follow.
    var isComplete = false
    var isCancelled = false
    var failure: AudioError?
    /// Encoders that are made, or being made, while the first of the signal is still being read; and those nobody has taken.
    var preparations = 0
    var prepared: [PreparedEncoder] = []
    /// For reuse.
    var spares: [ParallelChunk] = []

    let rules: ParallelRules

    init(rules: ParallelRules) { self.rules = rules }

    /// The first chunk that somebody may still need.
    var firstNeeded: Int {
        guard !rules.keepsAll, !segments.isEmpty else { return 0 }
        return segments.lazy.compactMap(\.position).min() ?? produced
    }

    /// What an idle thread should do; nil when there is nothing now.
    ///
    /// That changes only with `produced` and `isComplete`, and when a segment is started or ends: a segment that moves on leaves
    /// less to share.
    mutating func nextWork() -> ParallelWork? {
        guard !isCancelled else { return nil }
        if preparations < rules.jobs {
            preparations += 1
            return .preparation
        }
        return start().map { .segment($0) }
    }

    /// The segment that an idle thread should start, made; nil when there is none now.
    private mutating func start() -> Int? {
        if segments.isEmpty {
            guard produced > 0 else { return nil }
            segments.append(Segment(start: 0, position: 0))
            return 0
        }
        let end = isComplete ? produced : rules.expected.map { max($0, produced) }
        var best: (segment: Int, start: Int, gain: Int)?
        for (index, segment) in segments.enumerated() {
            guard let position = segment.position else { continue }
            let limit = segment.next.map { segments[$0].start } ?? end
            // The one that continues has a seam of about a chunk before it, and the new one too unless it is the last.
            let middle = limit.map { (position + $0 - (segment.next == nil ? 1 : 0)) / 2 }
            let start = min(middle ?? .max, position + rules.stretch)
            let rest = limit.map { $0 - start } ?? rules.stretch
            guard start < produced, start - position >= rules.shortest, rest >= rules.shortest else { continue }
            if best.map({ rest > $0.gain }) ?? true { best = (index, start, rest) }
        }
        guard let best else { return nil }
        segments.append(Segment(start: best.start, position: best.start, next: segments[best.segment].next))
        segments[best.segment].next = segments.count - 1
        return segments.count - 1
    }

    /// Takes the frames that come next, from the segment `current` on and those that follow it.
    mutating func take(from current: inout Int) -> (contents: [MP3FrameContent], isLast: Bool) {
        guard !segments.isEmpty else { return ([], false) }
        var contents: [MP3FrameContent] = []
        while let (next, frame) = segments[current].successor {
            let limit = frame - segments[current].start * rules.chunkFrames - segments[current].taken
            contents += segments[current].contents.prefix(limit)
            let known = frame - segments[next].start * rules.chunkFrames
            segments[next].contents.removeFirst(known)
            segments[next].taken = known
            current = next
            // Also of those that were passed.
            for index in segments.indices where segments[index].start < segments[next].start {
                segments[index].contents = []
            }
        }
        segments[current].taken += segments[current].contents.count
        contents += segments[current].contents
        segments[current].contents = []
        return (contents, isComplete && segments[current].position == nil)
    }

    /// Gives up the chunks that nobody needs.
    mutating func release() {
        let first = firstNeeded
        for index in chunks.keys where index < first {
            if let chunk = chunks.removeValue(forKey: index) { spares.append(chunk) }
        }
    }
}

/// What a thread can do for a ``ParallelMP3Encoder``.
enum ParallelWork {
    /// Make an encoder for later.
    case preparation
    case segment(Int)
}

/// Sizes, in chunks unless they say otherwise.
struct ParallelRules: Hashable, Sendable {
    let format: AudioFormat
    let settings: MP3Settings
    /// Threads.
    let jobs: Int
    /// MP3 frames of a chunk: a multiple of the period in which a constant rate pads frames, which is 49 at 44.1 kHz and
    /// its fractions and 1 elsewhere, so that every encoder pads as the first one would.
    let chunkFrames: Int
    /// PCM frames of a chunk.
    let chunkLength: Int
    /// The whole signal, when known.
    let expected: Int?
    /// The farthest that a segment starts after another.
    let stretch: Int
    /// The shortest stretch worth an encoder of its own: joining costs about one chunk.
    let shortest: Int
    /// Consecutive MP3 frames that must be the same before one encoder follows another.
    let sameFrames: Int
    /// The most that is kept.
    let most: Int
    /// All is kept until the end, so that one thread can begin again.
    let keepsAll: Bool

    /// Bytes of PCM between two segments: with two threads an hour of stereo then takes 63 MB in all (measured).
    private static let stretchBytes = 8 << 20
    /// A signal of no more bytes is divided without regard to what is kept.
    private static let wholeBytes = 26 << 20

    init(format: AudioFormat, settings: MP3Settings, jobs: Int, expectedFrames: Int?, shortest: Int, sameFrames: Int) {
        self.format = format
        self.settings = settings
        self.jobs = jobs
        chunkFrames = format.sampleRate % 11025 == 0 ? 49 : 48
        chunkLength = chunkFrames * (format.sampleRate >= 32000 ? 1152 : 576)
        let length = chunkLength
        expected = expectedFrames.map { ($0 + length - 1) / length }
        self.shortest = shortest
        self.sameFrames = sameFrames
        let chunkBytes = 4 * chunkLength * format.channels
        let isKeptWhole = expected.map { $0 * chunkBytes <= Self.wholeBytes } ?? false
        stretch = max(2 * shortest, (isKeptWhole ? Self.wholeBytes : Self.stretchBytes) / chunkBytes)
        if case .constant = settings.rate { keepsAll = false } else { keepsAll = true }
        most = keepsAll ? .max : jobs * stretch + 4
    }
}
