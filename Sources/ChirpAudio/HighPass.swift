internal import CKernels

/// Removes what lies below a corner frequency, DC included: 12 dB per octave, Butterworth. In double precision: at 48 kHz a
/// corner of 20 Hz needs it.
public struct HighPass: AudioStage, ~Copyable {
    private let filter: chirp_high_pass
    private let gain: Double
    private let version: Int32
    private var memories: [chirp_high_pass_memory]

    /// - Parameter frequency: the corner in hertz, 3 dB down.
    public init(format: AudioFormat, frequency: Double) {
        self.init(format: format, frequency: frequency, version: Kernels.fastest)
    }

    /// - Parameter version: of the loops, one of ``Kernels/versions``.
    package init(format: AudioFormat, frequency: Double, version: Int) {
        precondition(Kernels.versions.contains(version))
        let biquad = Biquad.highPass(frequency: frequency, sampleRate: format.sampleRate)
        filter = chirp_high_pass(biquad)
        gain = biquad.b0
        self.version = Int32(version)
        memories = Array(repeating: chirp_high_pass_memory(), count: format.channels)
    }

    public mutating func process(_ block: inout AudioBlock) {
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
