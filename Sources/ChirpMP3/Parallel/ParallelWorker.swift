internal import ChirpAudio

/// What the threads of a pool do for a ``ParallelMP3Encoder``.
struct ParallelWorker: Sendable {
    let monitor: Monitor<ParallelState>
    let rules: ParallelRules

    /// Frames that an encoder must have behind it before it follows another, once its threshold of hearing is the same
    /// (``MP3ThresholdMemory``): what else LAME remembers of more than a moment is what the last 19 frames asked for.
    static let rememberedFrames = 20
    /// The same when that cannot be told. The factor of the threshold then falls from 1 to 1/1600, the lowest there is,
    /// in 95 frames.
    static let mostRememberedFrames = 100

    /// The long work for an idle thread; nil when there is none now.
    func nextWork() -> (@Sendable () -> Void)? {
        guard let work = monitor.access(isChange: false, { $0.nextWork() }) else { return nil }
        return { run(work) }
    }

    private func run(_ work: ParallelWork) {
        do throws(AudioError) {
            switch work {
            case .preparation:
                let encoder = try MP3Encoder(format: rules.format, settings: rules.settings)
                let facts = encoder.facts
                let prepared = PreparedEncoder(encoder)
                monitor.access { state in
                    state.facts = facts
                    state.prepared.append(prepared)
                }
            case .segment(let index):
                if let encoder = monitor.access(isChange: false, { $0.prepared.popLast() })?.take() {
                    try encode(index, with: encoder)
                } else {
                    try encode(index, with: MP3Encoder(format: rules.format, settings: rules.settings))
                }
            }
        } catch {
            monitor.access { state in
                state.failure = state.failure ?? error
                state.isCancelled = true
            }
        }
    }

    /// Encodes a segment until another one can follow or the signal ends.
    private func encode(_ index: Int, with encoder: consuming MP3Encoder) throws(AudioError) {
        var encoder = encoder
        var follower = MP3FrameFollower(format: rules.format, settings: rules.settings)
        // The first one begins where one thread would.
        var memory =
            index > 0
            ? MP3ThresholdMemory(
                sampleRate: rules.format.sampleRate, channels: rules.format.channels, facts: encoder.facts) : nil
        var bytes: [UInt8] = []
        var contents: [MP3FrameContent] = []
        var seam = ParallelSeam()
        let start = monitor.access(isChange: false) { $0.segments[index].start }
        var position = start
        var frame = start * rules.chunkFrames
        let piece = 7 * rules.chunkLength / rules.chunkFrames
        while let chunk = chunk(position, for: index) {
            for offset in stride(from: 0, to: chunk.frames, by: piece) {
                let part = offset..<min(offset + piece, chunk.frames)
                try chunk.encode(part, with: &encoder, into: &bytes)
                watch(part, of: chunk, &memory, for: index)
                try follow(&follower, &bytes, &contents)
                let count = contents.count
                if deliver(&contents, from: frame, of: index, &seam) { return }
                frame += count
            }
            position += 1
        }
        guard !monitor.access(isChange: false, { $0.isCancelled }) else { return }
        try encoder.finish(into: &bytes)
        try follow(&follower, &bytes, &contents)
        if deliver(&contents, from: frame, of: index, &seam) { return }
        monitor.access { $0.segments[index].position = nil }
    }

    private func watch(
        _ part: Range<Int>, of chunk: ParallelChunk, _ memory: inout MP3ThresholdMemory?, for index: Int
    ) {
        guard var watching = memory.take() else { return }
        chunk.show(part, to: &watching)
        if let settled = watching.settledFrame {
            monitor.access { $0.segments[index].settledFrame = settled }
        } else {
            memory = watching
        }
    }

    private func follow(
        _ follower: inout MP3FrameFollower, _ bytes: inout [UInt8], _ contents: inout [MP3FrameContent]
    ) throws(AudioError) {
        // Rules that LAME does not keep: another version than those that were tested.
        guard follower.add(bytes.span, to: &contents) else { throw .library(name: "LAME on several threads", code: 1) }
        bytes.removeAll(keepingCapacity: true)
    }

    /// The chunk at a position, waiting for it; nil when the signal ends before it.
    private func chunk(_ position: Int, for index: Int) -> ParallelChunk? {
        monitor.wait { state -> ParallelChunk?? in
            state.segments[index].position = position
            state.release()
            if state.isCancelled { return .some(nil) }
            if let chunk = state.chunks[position] { return chunk }
            return state.isComplete ? .some(nil) : nil
        }
    }

    /// Hands over frames; true when another segment goes on from here.
    ///
    /// - Parameter frame: the number of the first one in the whole.
    private func deliver(
        _ contents: inout [MP3FrameContent], from frame: Int, of index: Int, _ seam: inout ParallelSeam
    ) -> Bool {
        defer { contents.removeAll(keepingCapacity: true) }
        // Frames that the next segment has too, one by one: it may have to catch up.
        for (offset, content) in contents.enumerated() {
            let isJoined = monitor.wait(isChange: false) { state -> Bool? in
                state.isCancelled ? true : seam.compare(content, frame + offset, of: index, in: state, rules)
            }
            guard isJoined else { continue }
            let (last, target) = (contents[...offset], seam.target)
            monitor.access { state in
                guard !state.isCancelled else { return }
                state.segments[index].contents += last
                state.segments[index].successor = target.map { ($0, frame + offset + 1) }
                state.segments[index].position = nil
                state.release()
            }
            return true
        }
        let all = contents
        monitor.access { $0.segments[index].contents += all }
        return false
    }
}

/// The search for the frame from which the next segment can go on.
struct ParallelSeam {
    /// The segment that is compared with.
    private(set) var target: Int?
    /// Consecutive frames that were the same.
    private var same = 0

    /// Compares a frame with the same one of the next segment.
    ///
    /// - Returns: whether enough were the same; nil when the other segment has not come that far.
    mutating func compare(
        _ content: MP3FrameContent, _ frame: Int, of index: Int, in state: ParallelState, _ rules: ParallelRules
    ) -> Bool? {
        var candidate = target ?? state.segments[index].next
        while let other = candidate {
            let offset = frame - state.segments[other].start * rules.chunkFrames
            guard offset >= 0 else { return false }
            if target != other {
                target = other
                same = 0
            }
            if offset < state.segments[other].contents.count {
                same = isSame(content, state.segments[other].contents[offset], rules) ? same + 1 : 0
                let settled = state.segments[other].settledFrame.map { $0 + ParallelWorker.rememberedFrames }
                let enough = min(settled ?? .max, ParallelWorker.mostRememberedFrames)
                return same >= rules.sameFrames && offset >= enough
            }
            if state.segments[other].position != nil { return nil }
            // Everything the other one has is passed without a match: the one after it is next.
            candidate = state.segments[other].successor?.segment ?? state.segments[other].next
            if candidate == nil { return false }
        }
        return false
    }

    /// At a constant rate what was saved before a frame shapes those to come, so it must be the same too. Otherwise
    /// `MP3FramePacker` sees to it.
    private func isSame(_ one: MP3FrameContent, _ other: MP3FrameContent, _ rules: ParallelRules) -> Bool {
        guard one.sounds(like: other) else { return false }
        guard case .constant = rules.settings.rate else { return true }
        return one.reservoir == other.reservoir && one.mainDataBegin == other.mainDataBegin
    }
}
