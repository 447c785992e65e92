internal import CKernels

/// Which build of the loops in C is used.
package enum Kernels {
    /// The versions that this processor can run. All give the same bits; others than the fastest are for tests.
    package static let versions = 0..<Int(chirp_kernel_versions())
    package static let fastest = versions.count - 1
}

/// The largest magnitude among samples that are all finite; 0 for none.
public func peak(of samples: borrowing Span<Float>) -> Float {
    peak(of: samples, version: Kernels.fastest)
}

/// - Parameter version: of the loops, one of ``Kernels/versions``.
package func peak(of samples: borrowing Span<Float>, version: Int) -> Float {
    precondition(Kernels.versions.contains(version))
    return samples.withUnsafeBufferPointer { samples in
        guard let base = samples.baseAddress else { return 0 }
        return chirp_peak(Int32(version), base, samples.count)
    }
}

/// The sum of the products of two runs of as many samples; 0 for none.
package func product(of one: borrowing Span<Float>, and other: borrowing Span<Float>) -> Float {
    product(of: one, and: other, version: Kernels.fastest)
}

/// - Parameter version: of the loops, one of ``Kernels/versions``.
package func product(of one: borrowing Span<Float>, and other: borrowing Span<Float>, version: Int) -> Float {
    precondition(one.count == other.count && Kernels.versions.contains(version))
    return one.withUnsafeBufferPointer { one in
        other.withUnsafeBufferPointer { other in
            guard let one = one.baseAddress, let base = other.baseAddress else { return 0 }
            return chirp_product(Int32(version), one, base, other.count)
        }
    }
}
