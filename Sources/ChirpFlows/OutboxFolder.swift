public import ChirpAudio
public import ChirpClips
internal import ChirpCodecs
public import ChirpCore
internal import ChirpFiles
internal import ChirpStores
internal import FoundationEssentials
internal import Glibc

/// Where clips wait until they are published, and what came through a pipe until it is a clip.
public struct OutboxFolder: Hashable, Sendable {
    public let path: String

    /// - Parameter path: absolute; made when it is needed, readable by its owner alone.
    public init(path: String) { self.path = path }

    /// Makes any path a source that can be read again after a crash: a regular file stays where it is, a named pipe or
    /// `/dev/stdin` is copied into the folder. Blocking; hashes the whole input.
    ///
    /// - Parameter limit: the most bytes that are copied.
    /// - Returns: the source, and what ``PublishRequest/inputIsSpooled`` must be.
    /// - Throws: as `takeInput` of the codecs.
    public func take(
        path input: String, name: String, limit: ByteCount = defaultLimit
    ) throws(AudioError) -> (source: ClipSource, isSpooled: Bool) {
        try make()
        let taken = try takeInput(at: input, spoolingInto: path, limit: limit, lasts: true)
        return (ClipSource(path: taken.path, name: name, sha256: taken.sha256), taken.isTemporary)
    }

    /// The same for an open descriptor such as standard input, which is read to its end and stays open.
    public func take(
        descriptor: Int32, name: String = "standard input", limit: ByteCount = defaultLimit
    ) throws(AudioError) -> (source: ClipSource, isSpooled: Bool) {
        try make()
        let taken = try spool(from: descriptor, into: path, limit: limit, name: name, lasts: true)
        return (ClipSource(path: taken.path, name: name, sha256: taken.sha256), taken.isTemporary)
    }

    /// About ten hours of eight channels at 192 kHz; no recording comes close.
    public static let defaultLimit = ByteCount(Int64(64_000_000_000))

    /// Where the clip of a publication lies until it is done.
    func clip(of id: String) -> String { "\(path)/\(id).mp3" }

    /// Makes the folder and what is missing above it.
    func make() throws(AudioError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .uncreatable(path: path, reason: "\(error)")
        }
    }

    /// Removes a file of this folder, if it is one and is there; a user's own file is never touched.
    func remove(_ file: String?) {
        guard let file, file.hasPrefix(path + "/"), !file.dropFirst(path.count + 1).contains("/") else { return }
        unlink(file)
    }

    /// Removes what no publication knows, half-written files of dead processes included.
    ///
    /// - Parameters:
    ///   - known: paths that rows of the journal name.
    ///   - age: younger files are left alone: somebody may be writing them, or about to write their row.
    /// - Returns: how many files were removed.
    func removeStrays(known: Set<String>, now: Date, age: Duration = .seconds(86_400)) -> Int {
        guard let names = try? FolderListing(path).names else { return 0 }
        var removed = 0
        for name in names {
            let file = "\(path)/\(name)"
            var facts = stat()
            guard !known.contains(file), lstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { continue }
            let seconds = now.timeIntervalSince1970 - Double(facts.st_mtim.tv_sec)
            if seconds >= Double(age.components.seconds), unlink(file) == 0 { removed += 1 }
        }
        return removed
    }
}
