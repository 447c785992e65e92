internal import ChirpFiles
public import ChirpJournal
internal import Foundation
internal import Glibc

/// The folder of fetched clips. What the journal does not know is not kept, and what it knows is kept by ``Retention``.
public struct ClipCache: Hashable, Sendable {
    public let path: String

    /// - Parameter path: absolute; made when it is needed, readable by its owner alone.
    public init(path: String) { self.path = path }

    /// Where a clip is, or will be when it is whole.
    public func file(of id: PlayID) -> String { "\(path)/\(name(of: id))" }

    func name(of id: PlayID) -> String { "\(id).clip" }

    /// Where it lies while it is being fetched.
    func part(of id: PlayID) -> String { "\(path)/\(id).part" }

    func make() throws(LiveFailure) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw .cache(path: path, reason: error.localizedDescription) }
    }

    /// The whole clip appears at its place.
    func keep(_ id: PlayID) throws(LiveFailure) {
        do throws(FileError) { try AtomicFile.move(part(of: id), to: file(of: id), flushing: false) } catch {
            throw .cache(path: error.path, reason: error.reason)
        }
    }

    func remove(_ id: PlayID) {
        unlink(part(of: id))
        // Beside a part: by what it can be gone on with.
        unlink(part(of: id) + ".from")
        unlink(file(of: id))
    }

    /// Removes what no row names; parts of clips that are still to be fetched stay, since only the rest is asked for.
    func removeStrays(held: Set<PlayID>, open: Set<PlayID>) {
        guard let names = try? FolderListing(path).names else { return }
        for name in names {
            let parts = name.split(separator: ".")
            let id = parts.first.flatMap { Int64($0) }.map { PlayID(rawValue: $0) }
            let isKnown =
                switch (parts.count, parts.last) {
                case (2, "clip"): id.map(held.contains) ?? false
                case (2, "part"), (3, "from"): id.map(open.contains) ?? false
                default: false
                }
            if !isKnown { unlink("\(path)/\(name)") }
        }
    }
}
