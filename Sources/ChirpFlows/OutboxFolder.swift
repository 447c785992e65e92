public import ChirpAudio
public import ChirpClips
public import ChirpCore
internal import ChirpStores
internal import FoundationEssentials
internal import Glibc

/// Where clips wait until they are published, and what came through a pipe until it is a clip.
public struct OutboxFolder: Hashable, Sendable {
    public let path: String

    /// - Parameter path: absolute; made when it does not exist, readable by its owner alone.
    public init(path: String) { self.path = path }

    /// Where the clip of a publication lies until it is done.
    func clip(of id: String) -> String { "\(path)/\(id).mp3" }

    /// A file of the user's as a source: hashed once from start to end. Blocking.
    ///
    /// - Throws: `missing` for what is not a readable file.
    public static func source(path: String, name: String) throws(AudioError) -> ClipSource {
        do throws(SystemFault) {
            let digest = try FileDigest.reading(path)
            return ClipSource(path: path, name: name, sha256: digest.sha256)
        } catch {
            switch error.number {
            case ECANCELED: throw .cancelled
            case EINVAL, EISDIR: throw .missing(path: path, reason: "it is not a regular file")
            case EIO: throw .inputOutput(path: path, reason: error.reason)
            default: throw .missing(path: path, reason: error.reason)
            }
        }
    }

    /// Copies what comes through a pipe into the folder, hashing it on the way. Blocking.
    ///
    /// - Parameters:
    ///   - descriptor: read to its end, not closed.
    ///   - limit: the most bytes taken; more is refused as `unsupported`.
    /// - Returns: a source to be published with ``PublishOrder/inputIsSpooled``.
    public func spool(
        descriptor: Int32, name: String = "standard input", limit: ByteCount = ByteCount(Int64(16_000_000_000))
    ) throws(AudioError) -> ClipSource {
        do throws(SystemFault) {
            try make()
            let file = try AtomicFile.create(in: path)
            let digest = try FileDigest.reading(descriptor: descriptor, name: name, limit: limit.bytes) {
                (piece) throws(SystemFault) in try file.write(piece)
            }
            let spooled = "\(RandomName(length: 12)).input"
            try file.commit(as: spooled, replacing: false)
            return ClipSource(path: "\(path)/\(spooled)", name: name, sha256: digest.sha256)
        } catch {
            switch error.number {
            case ECANCELED: throw .cancelled
            case EFBIG: throw .unsupported(name: name, reason: "more than \(limit) came through the pipe")
            default: throw .inputOutput(path: error.path, reason: error.reason)
            }
        }
    }

    /// Makes the folder.
    func make() throws(SystemFault) {
        var made = ""
        for part in path.split(separator: "/") {
            made += (made.isEmpty && !path.hasPrefix("/") ? "" : "/") + part
            if mkdir(made, 0o700) != 0 && errno != EEXIST { throw SystemFault(path: made) }
        }
    }

    /// Removes a file of this folder, if it is one and is there; a user's own file is never touched.
    func remove(_ file: String?) {
        guard let file, file.hasPrefix(path + "/"), !file.dropFirst(path.count + 1).contains("/") else { return }
        unlink(file)
    }

    /// Removes what no publication knows and what dead processes left half written.
    ///
    /// - Parameters:
    ///   - known: paths that rows of the journal name.
    ///   - age: younger files are left alone: their row may be about to be written.
    /// - Returns: how many files were removed.
    func removeStrays(known: Set<String>, now: Date, age: Duration = .seconds(3600)) -> Int {
        var removed = AtomicFile.removeStrays(in: path)
        guard let names = try? FolderListing(path).names else { return removed }
        for name in names where name.hasSuffix(".mp3") || name.hasSuffix(".input") {
            let file = "\(path)/\(name)"
            var facts = stat()
            guard !known.contains(file), stat(file, &facts) == 0 else { continue }
            let old = now.timeIntervalSince1970 - Double(facts.st_mtim.tv_sec)
            if old >= Double(age.components.seconds), unlink(file) == 0 { removed += 1 }
        }
        return removed
    }
}
