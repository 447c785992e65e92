public import ChirpAudio
internal import Glibc

/// A stranger's clip as samples: decoded by a child, which dies alone if it dies.
///
/// The child is not trusted either: its samples are made numbers near full scale, whatever it sends. Dropping the reader ends it.
public struct IntakeReader: ~Copyable, AudioReader, Sendable {
    public let format: AudioFormat
    /// Nobody knows before the end.
    public var length: Int? { nil }

    private let child: IntakeProcess
    private let work: IntakeWork
    private let pipe: PipeEnd
    private let longestFrames: Int
    private var position = 0
    private var scratch: [Float] = []
    private var isOver = false

    /// Full scale is 1; a decoder's overshoot is far below this, and what is above it is no sound.
    private static let largestSample: Float = 16

    init(_ work: IntakeWork, of file: Int32, longest: Duration, child: IntakeProcess) throws(AudioError) {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else {
            throw .inputOutput(path: work.name, reason: String(cString: strerror(errno)))
        }
        pipe = PipeEnd(adopting: ends[0])
        let theirs = PipeEnd(adopting: ends[1])
        try child.begin(work, descriptors: [file, theirs.descriptor])
        _ = consume theirs  // or this end would never see the end
        guard case .opened(let sampleRate, let channels) = try child.reply(to: work),
            (4000...384_000).contains(sampleRate), (1...2).contains(channels)
        else { throw child.nonsense(work) }
        format = AudioFormat(sampleRate: sampleRate, channels: channels)
        longestFrames = format.frames(in: longest)
        self.child = child
        self.work = work
    }

    public mutating func read(into block: inout AudioBlock) throws(AudioError) -> Bool {
        precondition(block.format == format)
        let wanted = block.capacity * format.channels
        if scratch.count < wanted { scratch = [Float](repeating: 0, count: wanted) }
        let frames = try fill(samples: wanted) / format.channels
        deinterleave(scratch.span, frames: frames, into: &block)
        position += frames
        guard position <= longestFrames else { throw child.nonsense(work) }
        return frames > 0
    }

    /// Reads samples from the pipe.
    ///
    /// - Returns: how many there are; less than asked for only at the end.
    private mutating func fill(samples wanted: Int) throws(AudioError) -> Int {
        guard !isOver else { return 0 }
        let size = wanted * MemoryLayout<Float>.stride
        var filled = 0
        while filled < size {
            guard !Task.isCancelled else { throw .cancelled }
            var ready = pollfd(fd: pipe.descriptor, events: Int16(POLLIN), revents: 0)
            let events = poll(&ready, 1, 100)
            if events == 0 || events < 0 && errno == EINTR { continue }
            let count = scratch.withUnsafeMutableBytes { buffer in
                Glibc.read(pipe.descriptor, buffer.baseAddress.map { $0 + filled }, size - filled)
            }
            if count > 0 {
                filled += count
            } else if count == 0 {
                isOver = true
                guard case .decoded = try child.reply(to: work) else { throw child.nonsense(work) }
                break
            } else if errno != EINTR {
                throw .inputOutput(path: work.name, reason: String(cString: strerror(errno)))
            }
        }
        let samples = filled / MemoryLayout<Float>.stride
        for index in 0..<samples where !(abs(scratch[index]) <= Self.largestSample) { scratch[index] = 0 }
        return samples
    }
}

/// One end of a pipe.
private struct PipeEnd: ~Copyable, Sendable {
    let descriptor: Int32

    init(adopting descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
}
