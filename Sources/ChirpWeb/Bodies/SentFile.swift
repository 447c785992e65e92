internal import ChirpCore
package import ChirpFiles
internal import Glibc
package import NIOCore
internal import Synchronization

/// A file that came with a request: it lies on the disk without a name until its last reference is gone, so a killed process leaves nothing.
package final class SentFile: Sendable {
    private enum Content: Sendable {
        case memory([UInt8])
        case disk(Descriptor, ByteBudget.Lease)
    }

    /// Whose file it is, and the budget that ``withBytes(_:)`` asks.
    private struct Owner: Sendable {
        let memory: ByteBudget
        let holder: AddressShares.Holder
    }

    private let content: Content
    private let owner: Owner?
    /// In errors: it has no path.
    private static let name = "a file that was sent"
    /// Bytes.
    package let count: Int
    /// Lower-case hexadecimal.
    package let sha256: String

    package var isEmpty: Bool { count == 0 }

    /// What this server has made itself.
    package init(_ bytes: [UInt8]) {
        (content, owner, count) = (.memory(bytes), nil, bytes.count)
        sha256 = FileDigest.sha256(of: bytes)
    }

    private init(_ file: Descriptor, _ lease: ByteBudget.Lease, _ owner: Owner, _ digest: FileDigest) {
        (content, self.owner) = (.disk(file, lease), owner)
        (count, sha256) = (Int(digest.bytes), digest.sha256)
    }

    /// Its beginning.
    ///
    /// - Parameter most: bytes.
    /// - Throws: ``FileError``.
    package func prefix(_ most: Int) throws(FileError) -> [UInt8] { try read(at: 0, most) }

    /// Lends all of it, in memory: for decoders that need it whole. Charged to the memory of whoever sent it meanwhile.
    ///
    /// - Throws: ``FileError``; what ``ByteBudget/Lease/charge(_:)`` throws; what `body` throws.
    package func withBytes<T>(_ body: ([UInt8]) async throws -> T) async throws -> T {
        if case .memory(let bytes) = content { return try await body(bytes) }
        let lease = owner.map { $0.memory.lease(for: $0.holder) }
        try lease?.charge(count)
        let bytes = try await offPool { () throws(FileError) in try self.read(at: 0, self.count) }
        let result = try await body(bytes)
        withExtendedLifetime(lease) {}
        return result
    }

    /// Hands it on piece by piece.
    ///
    /// - Throws: ``FileError``; what `take` throws.
    package func pieces(of size: Int = 1 << 20, _ take: (ByteBuffer) async throws -> Void) async throws {
        var offset = 0
        while offset < count {
            let (start, most) = (offset, min(size, count - offset))
            let bytes = try await offPool { () throws(FileError) in try self.read(at: start, most) }
            guard !bytes.isEmpty else { throw FileError(path: Self.name, number: EIO) }
            try await take(ByteBuffer(bytes: bytes))
            offset += bytes.count
        }
    }

    /// Writes it into a new file, which others may know by its name from then on.
    ///
    /// - Throws: ``FileError``.
    package func write(to path: String) async throws(FileError) {
        try await offPool { () throws(FileError) in
            let file = try AtomicFile.create(at: path)
            var offset = 0
            while offset < self.count {
                let bytes = try self.read(at: offset, 1 << 20)
                guard !bytes.isEmpty else { throw FileError(path: Self.name, number: EIO) }
                try file.write(bytes)
                offset += bytes.count
            }
            try file.commit()
        }
    }

    private func read(at offset: Int, _ most: Int) throws(FileError) -> [UInt8] {
        switch content {
        case .memory(let bytes): return Array(bytes.dropFirst(offset).prefix(most))
        case .disk(let file, _):
            let wanted = max(0, min(most, count - offset))
            var failure: FileError?
            let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { bytes, filled in
                while filled < wanted, let base = bytes.baseAddress {
                    let got = pread(file.file.raw, base + filled, wanted - filled, off_t(offset + filled))
                    if got < 0, errno == EINTR { continue }
                    if got < 0 { failure = FileError(path: Self.name) }
                    guard got > 0 else { return }
                    filled += got
                }
            }
            if let failure { throw failure }
            return bytes
        }
    }

    /// The owner of a descriptor, in a reference.
    fileprivate final class Descriptor: Sendable {
        let file: OpenFile
        init(_ file: consuming OpenFile) { self.file = file }
    }

    /// A file that is coming.
    package final class Writing {
        private let descriptor: Descriptor
        private let lease: ByteBudget.Lease
        private let owner: Owner
        private var running = FileDigest.Running()
        private var waiting = ByteBuffer()
        /// Bytes so far.
        package private(set) var count = 0

        /// So much is gathered before it is written.
        private static let batch = 64 << 10

        init(in folder: String, _ store: BodyStore, for holder: AddressShares.Holder) throws(FileError) {
            // Without a name where the file system can do that; elsewhere the name goes at once.
            let path = "\(folder)/.chirp-tmp-sent-\(RandomName(length: 16))"
            let file = try OpenFile(path, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
            unlink(path)
            descriptor = Descriptor(file)
            lease = store.disk.lease(for: holder)
            owner = Owner(memory: store.memory, holder: holder)
        }

        /// Adds what has come.
        ///
        /// - Throws: ``FileError``; what ``ByteBudget/Lease/charge(_:)`` throws.
        package func append(_ piece: ByteBuffer) async throws {
            try lease.charge(piece.readableBytes)
            count += piece.readableBytes
            waiting.writeImmutableBuffer(piece)
            if waiting.readableBytes >= Self.batch { try await flush() }
        }

        /// - Throws: ``FileError``.
        package func finish() async throws -> SentFile {
            if waiting.readableBytes > 0 { try await flush() }
            return SentFile(descriptor, lease, owner, running.digest)
        }

        private func flush() async throws {
            let (piece, file, before) = (waiting, descriptor, running)
            running = try await offPool { () throws(FileError) in
                var running = before
                let failure = piece.withUnsafeReadableBytes { bytes -> FileError? in
                    running.add(bytes)
                    do throws(FileError) { try file.file.write(bytes, name: SentFile.name) } catch { return error }
                    return nil
                }
                if let failure { throw failure }
                return running
            }
            waiting.clear()
        }
    }
}
