internal import ChirpFiles
internal import FoundationEssentials
import Glibc

/// The file of tokens and passwords, one entry per service. It is readable by its owner alone and refused otherwise, appears
/// by renaming, and is changed under a lock that processes share.
public struct CredentialStore: Sendable {
    public let path: String
    private let patience: Duration

    /// More than any set of credentials; a larger file is some other file.
    private static let maximumBytes = 1 << 20

    /// - Parameters:
    ///   - path: of the file; missing folders are made, for their owner alone.
    ///   - patience: how long to wait for another process that changes it.
    public init(path: String, patience: Duration = .seconds(120)) {
        self.path = path
        self.patience = patience
    }

    /// Everything that is there, by the name of the service; empty without a file.
    ///
    /// - Throws: ``CredentialError/exposed(path:mode:)`` when group or others have any permission.
    public func all() throws(CredentialError) -> [String: Credential] {
        guard let bytes = try contents() else { return [:] }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        do {
            return try decoder.decode([String: Credential].self, from: Data(bytes))
        } catch {
            // The reason would quote what it found.
            throw .malformed(path: path, reason: "it is not the JSON that Chirp writes")
        }
    }

    public func credential(for service: String) throws(CredentialError) -> Credential? { try all()[service] }

    /// Changes the entry of a service; nil removes it.
    public func change(
        _ service: String, _ body: @Sendable (inout Credential?) -> Void
    ) async throws(CredentialError) {
        let lock = try await lock()
        var credential = try credential(for: service)
        body(&credential)
        try write(credential, for: service, under: lock)
    }

    /// The lock under which an entry is read, renewed and written.
    func lock() async throws(CredentialError) -> CredentialLock {
        try makeFolder()
        return try await CredentialLock.take(path + ".lock", patience: patience)
    }

    /// Writes the entry of a service; the rest of the file stays.
    func write(
        _ credential: Credential?, for service: String, under lock: borrowing CredentialLock
    ) throws(CredentialError) {
        var everything = try all()
        everything[service] = credential
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        let bytes: [UInt8]
        do { bytes = Array(try encoder.encode(everything)) } catch {
            throw .malformed(path: path, reason: "it cannot be encoded")
        }
        try replace(with: bytes + [0x0A])
    }

    private func contents() throws(CredentialError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure()
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw failure() }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .malformed(path: path, reason: "it is no file") }
        guard facts.st_mode & 0o077 == 0 else {
            throw .exposed(path: path, mode: String(facts.st_mode & 0o777, radix: 8))
        }
        guard facts.st_size <= Self.maximumBytes else { throw .malformed(path: path, reason: "it is too large") }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure() }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= Self.maximumBytes else { throw .malformed(path: path, reason: "it is too large") }
        }
    }

    /// A power cut leaves the old file or the new one.
    private func replace(with bytes: [UInt8]) throws(CredentialError) {
        do throws(FileError) { try AtomicFile.write(bytes, to: path) } catch {
            throw .inputOutput(path: path, reason: error.reason)
        }
    }

    private var folder: String { "/" + path.split(separator: "/").dropLast().joined(separator: "/") }

    private func makeFolder() throws(CredentialError) {
        var made = ""
        for part in folder.split(separator: "/") {
            made += "/" + part
            if mkdir(made, 0o700) != 0 && errno != EEXIST { throw failure() }
        }
    }

    private func failure() -> CredentialError {
        .inputOutput(path: path, reason: String(cString: strerror(errno)))
    }
}
