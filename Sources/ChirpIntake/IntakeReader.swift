public import ChirpAudio
internal import ChirpCore
internal import ChirpFiles
internal import Glibc

/// A stranger's clip as samples: decoded by a child, which dies alone if it dies.
///
/// After a first death another child goes on at the same frame, unheard; a second one ends the reading. The child is not trusted
/// either: its samples are made numbers near full scale, whatever it sends. Dropping the reader ends it.
public struct IntakeReader: ~Copyable, AudioReader, Sendable {
    public let format: AudioFormat
    /// Nobody knows before the end.
    public var length: Int? { nil }

    private let file: OpenedFile
    private let work: IntakeWork
    private let longestFrames: Int
    /// For how long its samples and answers are waited for, in all.
    private let patience: Duration
    private var waited = Duration.zero
    private let start: @Sendable () throws(AudioError) -> IntakeProcess
    private var stream: Stream
    private var hasDied: Bool
    private var position = 0
    private var scratch: [Float] = []
    private var isOver = false

    /// Full scale is 1; a decoder's overshoot is far below this, and what is above it is no sound.
    private static let largestSample: Float = 16

    /// A child at work, and where its samples come from.
    private struct Stream: ~Copyable, Sendable {
        let child: IntakeProcess
        let format: AudioFormat
        let pipe: Int32

        init(_ work: IntakeWork, of file: Int32, child: IntakeProcess, patience: Duration) throws(AudioError) {
            let ends: PipeEnds
            do throws(SystemError) { ends = try PipeEnds() } catch {
                throw .inputOutput(path: work.name, reason: .system(error))
            }
            let outcome = Result { () throws(AudioError) -> AudioFormat in
                // Or this end would never see the end.
                defer { close(ends.writing) }
                try child.begin(work, descriptors: [file, ends.writing])
                guard case .opened(let sampleRate, let channels) = try child.reply(to: work, patience: patience),
                    (4000...384_000).contains(sampleRate), (1...2).contains(channels)
                else { throw child.nonsense(work) }
                return AudioFormat(sampleRate: sampleRate, channels: channels)
            }
            if case .failure = outcome { close(ends.reading) }
            self.format = try outcome.get()
            self.child = child
            pipe = ends.reading
        }

        deinit { close(pipe) }
    }

    /// - Parameter start: gives a child that waits for work; asked again when one has died.
    init(
        _ work: IntakeWork, of file: consuming OpenedFile, longest: Duration, patience: Duration,
        start: @escaping @Sendable () throws(AudioError) -> IntakeProcess
    ) throws(AudioError) {
        var hasDied = false
        let stream: Stream
        do throws(AudioError) {
            stream = try Stream(work, of: file.descriptor, child: try start(), patience: patience)
        } catch .crashed {
            hasDied = true
            stream = try Stream(work, of: file.descriptor, child: try start(), patience: patience)
        }
        format = stream.format
        longestFrames = format.frames(in: longest)
        self.patience = patience
        self.hasDied = hasDied
        self.stream = stream
        self.file = file
        self.work = work
        self.start = start
    }

    public mutating func read(into block: inout AudioBlock) throws(AudioError) -> Bool {
        precondition(block.format == format)
        let wanted = block.capacity * format.channels
        if scratch.count < wanted { scratch = [Float](repeating: 0, count: wanted) }
        let frames = try fill(frames: block.capacity)
        deinterleave(scratch.span, frames: frames, into: &block)
        return frames > 0
    }

    /// Reads frames into the scratch.
    ///
    /// - Returns: how many there are; less than asked for only at the end.
    private mutating func fill(frames wanted: Int) throws(AudioError) -> Int {
        let frameBytes = format.channels * MemoryLayout<Float>.stride
        var frames = 0
        while frames < wanted, !isOver {
            let bytes = try take(bytes: (wanted - frames) * frameBytes, at: frames * frameBytes)
            frames += bytes / frameBytes
            position += bytes / frameBytes
            guard position <= longestFrames else { throw stream.child.nonsense(work) }
            guard frames < wanted else { break }
            do throws(AudioError) {
                guard case .decoded = try stream.child.reply(to: work, patience: patience) else {
                    throw stream.child.nonsense(work)
                }
                isOver = true
            } catch {
                guard case .crashed = error, !hasDied else { throw error }
                hasDied = true
                try goOn()
            }
        }
        let samples = frames * format.channels
        for index in 0..<samples where !(abs(scratch[index]) <= Self.largestSample) { scratch[index] = 0 }
        return frames
    }

    /// Has another child decode up to where the last one died.
    private mutating func goOn() throws(AudioError) {
        let next = try Stream(work, of: file.descriptor, child: try start(), patience: patience)
        guard next.format == format else { throw next.child.nonsense(work) }
        stream = next
        let kept = scratch
        var left = position * format.channels * MemoryLayout<Float>.stride
        while left > 0 {
            let count = try take(bytes: min(left, scratch.count * MemoryLayout<Float>.stride), at: 0)
            guard count > 0 else { throw stream.child.nonsense(work) }
            left -= count
        }
        scratch = kept
    }

    /// Reads from the pipe until that many bytes have come or it ends.
    private mutating func take(bytes: Int, at offset: Int) throws(AudioError) -> Int {
        let (pipe, begin) = (stream.pipe, ContinuousClock.now)
        defer { waited += ContinuousClock.now - begin }
        var filled = 0
        while filled < bytes {
            guard !Task.isCancelled else { throw .cancelled }
            var ready = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            let events = poll(&ready, 1, 100)
            guard waited + (ContinuousClock.now - begin) <= patience else { throw stream.child.overdue(work) }
            if events == 0 || events < 0 && errno == EINTR { continue }
            let count = scratch.withUnsafeMutableBytes { buffer in
                Glibc.read(pipe, buffer.baseAddress.map { $0 + offset + filled }, bytes - filled)
            }
            if count > 0 {
                filled += count
            } else if count == 0 {
                break
            } else if errno != EINTR {
                throw .inputOutput(path: work.name, reason: .system(.current))
            }
        }
        return filled
    }
}
