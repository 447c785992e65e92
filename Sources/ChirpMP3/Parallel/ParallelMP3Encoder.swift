package import ChirpAudio

/// Encodes one signal on several threads, to the same bytes as ``MP3Encoder``.
///
/// An encoder that starts in the middle of the signal decides, after some frames, exactly what one decides that came
/// from the beginning: its memory fades. So several start at different places, and each goes on into the next one's
/// part until enough frames in a row are the same. What differs even then is the packing of frames into the stream, which
/// depends on everything before: ``MP3FramePacker`` does it, in order, on the feeding thread.
///
/// Where the frames never become the same, an encoder simply goes on: then it is as slow as one thread. Where a variable
/// rate runs against the highest rate, so that packing and sound depend on each other, one thread begins again.
package struct ParallelMP3Encoder: ~Copyable {
    package let format: AudioFormat
    package let settings: MP3Settings
    let facts: MP3EncoderFacts
    /// PCM frames taken so far.
    package private(set) var frames = 0
    private let rules: ParallelRules
    private let monitor: Monitor<ParallelState>
    /// Nil when one thread had to begin again.
    private var membership: ParallelMembership?
    private var chunk: ParallelChunk
    /// Chunks that were never used.
    private var fresh: [ParallelChunk]
    private var packer: MP3FramePacker
    /// The segment whose frames come next.
    private var current = 0
    /// Bytes handed out.
    private var handedOut = 0
    /// In use when one thread had to begin again.
    private var serial: MP3Encoder?
    /// Bytes that it will still make and that were handed out before.
    private var missing = 0
    private var beganAgain = false
    /// All chunks are handed over.
    private var isComplete = false

    /// - Parameters:
    ///   - pool: its threads, 2 or more, encode when no item waits; no other encoder uses it meanwhile.
    ///   - expectedFrames: the length of the signal when known, which divides it better.
    ///   - shortest: the shortest stretch of an encoder, in chunks of about a second; fewer are for tests.
    ///   - sameFrames: MP3 frames that must be the same before one encoder follows another; other numbers are for tests.
    package init(
        format: AudioFormat, settings: MP3Settings, pool: WorkerPool, expectedFrames: Int?, shortest: Int = 2,
        sameFrames: Int = 16
    ) throws(AudioError) {
        precondition(pool.threads >= 2)
        let rules = ParallelRules(
            format: format, settings: settings, jobs: pool.threads, expectedFrames: expectedFrames, shortest: shortest,
            sameFrames: sameFrames)
        let monitor = Monitor(ParallelState(rules: rules))
        let membership = ParallelMembership(pool: pool, monitor: monitor, rules: rules)
        let facts = try monitor.wait(isChange: false) { state -> Result<MP3EncoderFacts, AudioError>? in
            state.failure.map { .failure($0) } ?? state.facts.map { .success($0) }
        }.get()
        var fresh = ParallelChunk.several(capacity: rules.chunkLength, channels: format.channels)
        chunk = fresh.removeFirst()
        self.fresh = fresh
        packer = MP3FramePacker(format: format, settings: settings, version: facts.version)
        self.format = format
        self.settings = settings
        self.rules = rules
        self.monitor = monitor
        self.facts = facts
        self.membership = consume membership
        serial = nil
    }

    /// Encoders that worked on the signal so far, and whether one thread had to begin again; for tests.
    package var history: (segments: Int, beganAgain: Bool) {
        (monitor.access(isChange: false) { $0.segments.count }, beganAgain)
    }

    /// Takes all valid frames of a block and appends what became ready.
    package mutating func encode(_ block: borrowing AudioBlock, into bytes: inout [UInt8]) throws(AudioError) {
        precondition(block.format == format)
        frames += block.frames
        var start = 0
        while start < block.frames {
            start += chunk.fill(from: block, start: start, by: facts.fullScale)
            if chunk.frames == chunk.capacity { try passOn(into: &bytes) }
        }
    }

    /// Encodes what is left and appends what became ready, without waiting for all of it.
    ///
    /// - Returns: whether more will; then it is called again. Otherwise the stream is complete.
    package mutating func finish(into bytes: inout [UInt8]) throws(AudioError) -> Bool {
        if !isComplete {
            if chunk.frames > 0 || frames == 0 { try passOn(into: &bytes) }
            monitor.access { $0.isComplete = true }
            membership?.wake()
            isComplete = true
        }
        if serial == nil {
            let (contents, isLast) = try take(isWaiting: true)
            try pack(contents, into: &bytes)
            if serial == nil {
                if isLast { packer.finish(to: &bytes) }
                return !isLast
            }
        }
        if let encoder = serial.take() {
            var rest: [UInt8] = []
            try encoder.finish(into: &rest)
            bytes += rest.dropFirst(missing)
        }
        return false
    }

    /// Hands the chunk to the threads, or to the one that began again, and packs what is ready.
    private mutating func passOn(into bytes: inout [UInt8]) throws(AudioError) {
        if var encoder = serial.take() {
            try chunk.encode(0..<chunk.frames, with: &encoder, into: &bytes)
            chunk.reset()
            serial = consume encoder
            return
        }
        let (full, most) = (chunk, rules.most)
        var spare: ParallelChunk??
        repeat {
            spare = monitor.access { state in
                guard state.produced - state.firstNeeded < most else { return nil }
                state.chunks[state.produced] = full
                state.produced += 1
                return .some(state.spares.popLast())
            }
            if spare != nil { membership?.wake() }
            let (contents, _) = try take(isWaiting: spare == nil)
            try pack(contents, into: &bytes)
        } while spare == nil
        if let spare = spare ?? nil {
            chunk = spare
        } else {
            if fresh.isEmpty { fresh = ParallelChunk.several(capacity: rules.chunkLength, channels: format.channels) }
            chunk = fresh.removeFirst()
        }
        chunk.reset()
    }

    /// The frames that are ready and come next, and whether they are the last ones.
    ///
    /// - Parameter isWaiting: until there are some, or room for another chunk.
    private mutating func take(isWaiting: Bool) throws(AudioError) -> ([MP3FrameContent], isLast: Bool) {
        let (first, most) = (current, rules.most)
        let (contents, isLast, last, failure) = monitor.wait { state in
            var current = first
            let (contents, isLast) = state.take(from: &current)
            let hasRoom = !state.isComplete && state.produced - state.firstNeeded < most
            guard !contents.isEmpty || isLast || !isWaiting || hasRoom || state.failure != nil else {
                return nil as ([MP3FrameContent], Bool, Int, AudioError?)?
            }
            return (contents, isLast, current, state.failure)
        }
        if let failure { throw failure }
        current = last
        return (contents, isLast)
    }

    private mutating func pack(_ contents: [MP3FrameContent], into bytes: inout [UInt8]) throws(AudioError) {
        let before = bytes.count
        for content in contents where !packer.add(content, to: &bytes) {
            handedOut += bytes.count - before
            try beginAgain(into: &bytes)
            return
        }
        handedOut += bytes.count - before
    }

    /// One thread encodes the whole signal again; what was handed out already is left out.
    private mutating func beginAgain(into bytes: inout [UInt8]) throws(AudioError) {
        // A constant rate never comes here, unless LAME does what no test has seen.
        guard rules.keepsAll else { throw .library(name: "LAME on several threads", code: 2) }
        let chunks = monitor.access { state in (0..<state.produced).compactMap { state.chunks[$0] } }
        // Its threads only read chunks, and soon see that they need not.
        membership = nil
        var encoder = try MP3Encoder(format: format, settings: settings)
        var all: [UInt8] = []
        for chunk in chunks { try chunk.encode(0..<chunk.frames, with: &encoder, into: &all) }
        bytes += all.dropFirst(handedOut)
        missing = max(0, handedOut - all.count)
        serial = consume encoder
        beganAgain = true
    }
}
