package import ChirpAudio
internal import ChirpFiles
package import ChirpFlows
// In a debug build the fields of stat(2) belong to this module.
internal import CDispatch
internal import Glibc

/// A folder that all machines of a fleet reach, each under a path of its own, by a name that they share.
public struct FleetRoot: Hashable, Sendable {
    public let name: String
    /// Without links.
    public let path: String

    /// From `NAME=/path`; a path alone is called `shared`.
    ///
    /// - Throws: `badRoot`.
    public init(_ text: String) throws(FleetError) { try self.init(RootText(text)) }

    init(_ root: RootText) throws(FleetError) {
        guard !root.isAddress else {
            throw .badRoot(
                root.shown,
                reason:
                    "a batch moves files in its roots and needs the folder that the server shows; workers can use it")
        }
        name = root.name
        let text = root.place
        guard let real = realpath(text, nil) else { throw .badRoot(text, reason: SystemError.current.description) }
        defer { free(real) }
        self.path = String(cString: real)
        var facts = stat()
        guard stat(self.path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
            throw .badRoot(text, reason: "it is no folder")
        }
    }

    /// Where something lies below it; nil for what does not.
    ///
    /// - Parameter bytes: an absolute path without links.
    package func place(of bytes: [UInt8]) -> FleetPath? {
        let prefix = path == "/" ? [UInt8(ascii: "/")] : Array(path.utf8) + [UInt8(ascii: "/")]
        return bytes.starts(with: prefix) ? FleetPath(Array(bytes.dropFirst(prefix.count))) : nil
    }

    /// Opens a regular file below it, through no link.
    ///
    /// - Throws: `missing`.
    package func file(_ path: FleetPath) throws(AudioError) -> SourceFile {
        let descriptor = try open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        return try SourceFile(adoptingRegular: descriptor, name: path.text)
    }

    /// Opens a folder below it, through no link.
    ///
    /// - Throws: `missing`.
    package func folder(_ path: FleetPath) throws(AudioError) -> SourceFile {
        SourceFile(adopting: try open(path, O_RDONLY | O_DIRECTORY))
    }

    /// Part by part, so that no link on the way leads out.
    private func open(_ path: FleetPath, _ flags: Int32) throws(AudioError) -> Int32 {
        var folder = Glibc.open(self.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .missing(path: self.path, reason: .system(.current)) }
        let parts = path.parts
        for (index, part) in parts.enumerated() {
            let last = index == parts.count - 1
            let next = BatchPath(part).withCString {
                openat(folder, $0, (last ? flags : O_RDONLY | O_DIRECTORY) | O_NOFOLLOW | O_CLOEXEC)
            }
            let number = errno
            close(folder)
            guard next >= 0 else {
                let reason: FailureReason =
                    number == ELOOP ? "a link is in its path" : .system(SystemError(code: number))
                throw .missing(path: "\(name):\(path.text)", reason: reason)
            }
            folder = next
        }
        return folder
    }
}
