internal import CKissFFT

/// A complex number of a spectrum.
package struct Complex: Hashable, Sendable {
    package var re: Float
    package var im: Float

    package init(_ re: Float = 0, _ im: Float = 0) {
        self.re = re
        self.im = im
    }

    /// Its square, without a phase.
    package var power: Float { re * re + im * im }
}

/// The discrete Fourier transform of real samples and its inverse, of one size.
///
/// By kissfft (BSD-3-Clause). Debian's package has it as a shared library for floats with the transform of real samples in it, so
/// nothing of our own is needed.
package struct RealTransform: ~Copyable {
    /// How many samples are transformed; the spectrum has half as many numbers and one more.
    package let size: Int
    private let forward: Plan
    private let inverse: Plan

    /// - Parameter size: even, at least 2; quick when 2, 3 and 5 are its only prime factors.
    package init(size: Int) {
        precondition(size >= 2 && size.isMultiple(of: 2) && size <= Int(Int32.max))
        self.size = size
        forward = Plan(size: size, isInverse: false)
        inverse = Plan(size: size, isInverse: true)
    }

    /// Numbers of a spectrum, from DC to half the rate.
    package var bins: Int { size / 2 + 1 }

    /// - Parameters:
    ///   - samples: `size` of them.
    ///   - spectrum: room for `bins` numbers; those of a sine of amplitude 1 have a magnitude of half the size.
    package mutating func transform(_ samples: [Float], into spectrum: inout [Complex]) {
        precondition(samples.count == size && spectrum.count == bins)
        samples.withUnsafeBufferPointer { source in
            spectrum.withUnsafeMutableBufferPointer { target in
                // Both are two floats in a row.
                target.withMemoryRebound(to: kiss_fft_cpx.self) { target in
                    kiss_fftr(forward.state, source.baseAddress, target.baseAddress)
                }
            }
        }
    }

    /// The samples of a spectrum; what was transformed comes back as it was.
    package mutating func invert(_ spectrum: [Complex], into samples: inout [Float]) {
        precondition(samples.count == size && spectrum.count == bins)
        spectrum.withUnsafeBufferPointer { source in
            samples.withUnsafeMutableBufferPointer { target in
                source.withMemoryRebound(to: kiss_fft_cpx.self) { source in
                    kiss_fftri(inverse.state, source.baseAddress, target.baseAddress)
                }
            }
        }
        let scale = 1 / Float(size)
        for index in samples.indices { samples[index] *= scale }
    }

    /// The library's tables and scratch for one direction, in memory that belongs to this.
    private final class Plan {
        let state: OpaquePointer
        private let memory: UnsafeMutableRawPointer

        init(size: Int, isInverse: Bool) {
            // Without memory it says how much it needs; with enough it cannot fail.
            var bytes = 0
            _ = kiss_fftr_alloc(Int32(size), isInverse ? 1 : 0, nil, &bytes)
            memory = .allocate(byteCount: bytes, alignment: 16)
            guard let state = kiss_fftr_alloc(Int32(size), isInverse ? 1 : 0, memory, &bytes) else {
                preconditionFailure("kissfft takes no size of \(size)")
            }
            self.state = state
        }

        deinit { memory.deallocate() }
    }
}
