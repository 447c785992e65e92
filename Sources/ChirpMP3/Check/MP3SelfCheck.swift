internal import ChirpAudio
internal import Synchronization

/// Measures an MP3 while it is being made, piece by piece, on whichever threads of a pool are free.
struct MP3SelfCheck: Sendable {
    private let format: AudioFormat
    private var cutter: MP3PieceCutter
    private let findings = MP3Findings()
    private let pool: WorkerPool
    private let outline: MP3Outline?

    /// - Parameters: as ``MP3PieceCutter`` takes them; the pool for what is to be measured; and whether an outline is.
    init(format: AudioFormat, encoderDelay: Int, expectedFrames: Int?, pool: WorkerPool, outlines: Bool) {
        self.format = format
        self.pool = pool
        outline = outlines ? MP3Outline(sampleRate: format.sampleRate, expectedFrames: expectedFrames) : nil
        cutter = MP3PieceCutter(format: format, encoderDelay: encoderDelay, expectedFrames: expectedFrames)
    }

    /// Takes the next audio frame.
    mutating func add(_ header: MP3FrameHeader, _ frame: borrowing Span<UInt8>) {
        if let piece = cutter.add(header, frame) { measure(piece) }
    }

    /// The stream has ended and holds so many PCM frames: waits until all of it is measured.
    mutating func finish(frames: Int) {
        cutter.finish(frames: frames).forEach(measure)
        pool.finish()
    }

    private func measure(_ piece: MP3Piece) {
        let (findings, format, outline) = (findings, format, outline)
        pool.submit { _ in findings.add(piece, format, outline) }
    }

    /// What was found; after ``finish(frames:)``.
    ///
    /// - Parameter frames: PCM frames of the clip, by its MP3 frames.
    func result(frames: Int) throws(AudioError) -> MP3Measurement { try findings.result(frames: frames) }
}

/// What the work items of a check have found so far.
private final class MP3Findings: Sendable {
    private struct State {
        var pieces: [Int: MP3Piece.Result] = [:]
        var peak: Float = 0
        var seconds = 0.0
        var failure: AudioError?
    }

    private let state = Mutex(State())

    func add(_ piece: MP3Piece, _ format: AudioFormat, _ outline: MP3Outline?) {
        let begin = ContinuousClock.now
        let floor = state.withLock { $0.peak }
        let outcome = Result { () throws(AudioError) in try piece.measure(format, above: floor, outline: outline) }
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        state.withLock { state in
            state.seconds += seconds
            switch outcome {
            case .success(let result):
                state.pieces[piece.number] = result
                state.peak = max(state.peak, result.peak)
            case .failure(let error): state.failure = state.failure ?? error
            }
        }
    }

    func result(frames: Int) throws(AudioError) -> MP3Measurement {
        let state = state.withLock { $0 }
        if let failure = state.failure { throw failure }
        let pieces = state.pieces.sorted { $0.key < $1.key }.map(\.value)
        let mean = LUFS(energy: pieces.reduce(0) { $0 + $1.energy } / Double(max(1, frames)))
        var tenths: [Float] = []
        for piece in pieces { tenths += piece.tenths }
        let integrated = gatedLoudness(tenths: tenths.span)
        return MP3Measurement(
            frames: frames, integrated: integrated,
            ungated: mean > LUFS(-70) ? mean : nil, truePeak: Decibels(amplitude: Double(state.peak)),
            seconds: state.seconds, outline: pieces.flatMap(\.outline))
    }
}
