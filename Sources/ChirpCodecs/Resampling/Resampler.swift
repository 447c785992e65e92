internal import CSoxr
public import ChirpAudio

/// Changes the sample rate by libsoxr's high quality (linear phase, 20 bits, flat to 0.91 of half the lower rate).
///
/// The result has exactly the nearest whole number of frames for the input's length, and no delay.
public struct Resampler: ~Copyable {
    private let handle: SoxrHandle
    private let inputRate: Int
    private let outputRate: Int
    private let channels: Int
    /// Interleaved frames on their way in, of which those from `pendingStart` on are not yet taken, and out.
    private var pending: [Float] = []
    private var pendingFrames = 0
    private var pendingStart = 0
    private var output: [Float] = []
    private var framesIn = 0
    private var framesOut = 0
    /// The first sample of each channel, which is taken away from the input and given back to the output: so what came before
    /// and comes after the signal is no silence but this, and an offset does not become a thump. Empty when all are 0.
    private var offsets: [Float] = []

    /// - Parameters:
    ///   - format: of the input.
    ///   - sampleRate: of the output, in hertz.
    public init(from format: AudioFormat, to sampleRate: Int) throws(AudioError) {
        handle = try SoxrHandle(from: format.sampleRate, to: sampleRate, channels: format.channels)
        inputRate = format.sampleRate
        outputRate = sampleRate
        channels = format.channels
    }

    /// Takes a block; ask ``take(into:)`` for results until there are none before giving the next.
    public mutating func add(_ block: borrowing AudioBlock) {
        precondition(pendingStart == pendingFrames)
        let count = block.frames * channels
        if pending.count < count { pending.append(contentsOf: repeatElement(0, count: count - pending.count)) }
        var span = pending.mutableSpan
        interleave(block, into: &span)
        if framesIn == 0, count > 0, pending.prefix(channels).contains(where: { $0 != 0 }) {
            offsets = Array(pending.prefix(channels))
        }
        shift(&pending, by: offsets, sign: -1, frames: block.frames)
        pendingFrames = block.frames
        pendingStart = 0
        framesIn += block.frames
    }

    /// Gives frames that are ready, as many as fit.
    ///
    /// - Returns: false when none are (the block is then empty): add more, or drain.
    public mutating func take(into block: inout AudioBlock) throws(AudioError) -> Bool {
        prepareOutput(frames: block.capacity)
        // It may take frames without giving any yet.
        while true {
            let (taken, given) = try pass(pendingFrames - pendingStart, wanted: block.capacity)
            pendingStart += taken
            framesOut += given
            if given > 0 || taken == 0 {
                shift(&output, by: offsets, sign: 1, frames: given)
                deinterleave(output.span, frames: given, into: &block)
                return given > 0
            }
        }
    }

    /// One call of the library with frames from `pending`, which is never empty here: no address would mean the end.
    private mutating func pass(_ available: Int, wanted: Int) throws(AudioError) -> (taken: Int, given: Int) {
        guard available > 0 else { return (0, 0) }
        var taken = 0
        var given = 0
        let start = pendingStart * channels
        let raw = handle.raw
        let status = pending.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                soxr_process(
                    raw, input.baseAddress.map { $0 + start }, available, &taken, output.baseAddress, wanted, &given)
            }
        }
        guard status == nil else { throw .library(name: "libsoxr", code: 2) }
        return (taken, given)
    }

    /// The input has ended: gives what is still inside, block by block.
    ///
    /// - Returns: false when nothing was left (the block is then empty).
    public mutating func drain(into block: inout AudioBlock) throws(AudioError) -> Bool {
        let wanted = min(Self.frames(framesIn, from: inputRate, to: outputRate) - framesOut, block.capacity)
        guard wanted > 0 else {
            block.resize(toFrames: 0)
            return false
        }
        prepareOutput(frames: wanted)
        var given = 0
        let raw = handle.raw
        let channels = channels
        while given < wanted {
            var some = 0
            let status = output.withUnsafeMutableBufferPointer { output in
                soxr_process(raw, nil, 0, nil, output.baseAddress.map { $0 + given * channels }, wanted - given, &some)
            }
            guard status == nil else { throw .library(name: "libsoxr", code: 2) }
            guard some > 0 else { break }
            given += some
        }
        // Should the library end a frame early, silence takes its place: the length was promised.
        for index in (given * channels)..<(wanted * channels) { output[index] = 0 }
        framesOut += wanted
        shift(&output, by: offsets, sign: 1, frames: wanted)
        deinterleave(output.span, frames: wanted, into: &block)
        return true
    }

    /// How many frames come out of so many: the nearest whole number.
    public static func frames(_ count: Int, from inputRate: Int, to outputRate: Int) -> Int {
        let (quotient, remainder) = inputRate.dividingFullWidth(count.multipliedFullWidth(by: outputRate))
        return remainder * 2 >= inputRate ? quotient + 1 : quotient
    }

    private mutating func prepareOutput(frames: Int) {
        let missing = frames * channels - output.count
        if missing > 0 { output.append(contentsOf: repeatElement(0, count: missing)) }
    }
}

/// Adds an offset to each channel of interleaved frames, with that sign; none for no offsets.
private func shift(_ samples: inout [Float], by offsets: [Float], sign: Float, frames: Int) {
    var span = samples.mutableSpan
    for (channel, offset) in offsets.enumerated() {
        var index = channel
        for _ in 0..<frames {
            span[index] += sign * offset
            index += offsets.count
        }
    }
}

/// Owns a libsoxr resampler (`soxr_t`) of interleaved floats.
struct SoxrHandle: ~Copyable {
    let raw: soxr_t

    init(from input: Int, to output: Int, channels: Int) throws(AudioError) {
        var problem: soxr_error_t?
        var io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
        var quality = soxr_quality_spec(UInt(SOXR_HQ), 0)
        guard let raw = soxr_create(Double(input), Double(output), UInt32(channels), &problem, &io, &quality, nil),
            problem == nil
        else { throw .library(name: "libsoxr", code: 1) }
        self.raw = raw
    }

    deinit { soxr_delete(raw) }
}
