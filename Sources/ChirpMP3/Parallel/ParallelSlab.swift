internal import Glibc

/// Memory for several ``ParallelChunk``s, in pages of 2 MiB where the system has them.
///
/// PCM is written once and read once, so that what it costs is mostly the first touch of its pages: 14 ms for 24 MiB in
/// pages of 4 KiB, 1.5 ms in large ones (measured), while the other threads wait for the signal.
final class ParallelSlab: @unchecked Sendable {  // Proof: hands out disjoint pieces and never touches them.
    private let base: UnsafeMutableRawPointer
    private let bytes: Int

    /// What one large page holds.
    private static let page = 2 << 20

    /// - Parameter pieces: the size of a piece in bytes; one slab holds two large pages of them, or one piece.
    init(pieces size: Int) {
        let count = max(1, 2 * Self.page / size)
        bytes = count * size
        var memory: UnsafeMutableRawPointer?
        guard posix_memalign(&memory, Self.page, bytes) == 0, let memory else {
            preconditionFailure("no memory for \(bytes) bytes of audio")
        }
        // Only advice: without large pages it is as slow as ordinary memory.
        madvise(memory, bytes, MADV_HUGEPAGE)
        base = memory
    }

    deinit { free(base) }

    /// The pieces, each of so many samples; not initialised.
    func pieces(of length: Int) -> [UnsafeMutablePointer<Float>] {
        let samples = base.bindMemory(to: Float.self, capacity: bytes / MemoryLayout<Float>.stride)
        return (0..<bytes / MemoryLayout<Float>.stride / length).map { samples + $0 * length }
    }
}
