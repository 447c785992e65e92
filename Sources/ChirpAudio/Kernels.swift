internal import CKernels

/// Which build of the loops in C is used.
package enum Kernels {
    /// The versions that this processor can run. All give the same bits; others than the fastest are for tests.
    package static let versions = 0..<Int(chirp_kernel_versions())
    package static let fastest = versions.count - 1
}
