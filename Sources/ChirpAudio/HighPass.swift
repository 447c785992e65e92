internal import CKernels

/// Removes what lies below a corner frequency, DC included: 12 dB per octave, Butterworth. In double precision: at 48 kHz a
/// corner of 20 Hz needs it.
public struct HighPass: AudioStage, ~Copyable {
    private let filter: chirp_high_pass
    private let gain: Double
    private let version: Int32
    private var memories: [chirp_high_pass_memory]
    private var isSettled: Bool

    /// - Parameters:
    ///   - frequency: the corner in hertz, 3 dB down.
    ///   - settled: takes the first sample for what came before it, instead of silence, so that an offset is gone from the
    ///     beginning and does not become a thump.
    public init(format: AudioFormat, frequency: Double, settled: Bool = false) {
        self.init(format: format, frequency: frequency, settled: settled, version: Kernels.fastest)
    }

    /// - Parameter version: of the loops, one of ``Kernels/versions``.
    package init(format: AudioFormat, frequency: Double, settled: Bool = false, version: Int) {
        precondition(Kernels.versions.contains(version))
        let biquad = Biquad.highPass(frequency: frequency, sampleRate: format.sampleRate)
        filter = chirp_high_pass(biquad)
        gain = biquad.b0
        self.version = Int32(version)
        isSettled = !settled
        memories = Array(repeating: chirp_high_pass_memory(), count: format.channels)
    }

    public mutating func process(_ block: inout AudioBlock) {
        if !isSettled, block.frames > 0 {
            for channel in memories.indices { memories[channel].below = block.withPlane(channel) { Double($0[0]) } }
            isSettled = true
        }
        for channel in memories.indices {
            block.withMutablePlane(channel) { plane in
                plane.withUnsafeMutableBufferPointer { samples in
                    guard let base = samples.baseAddress else { return }
                    chirp_high_pass_filter(version, filter, gain, &memories[channel], base, samples.count)
                }
            }
        }
    }
}
