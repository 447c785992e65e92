package import ChirpAudio
internal import ChirpCodecs
internal import ChirpFiles
internal import Glibc

/// The folder with the recordings. Files in it are opened by the bytes of their names.
package final class SourceFolder: Sendable {
    /// Without links.
    package let path: String
    let descriptor: Int32

    /// - Throws: `missing` when it is not there, is no folder or may not be read.
    init(_ path: String) throws(BatchFailure) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .missing(path: path, reason: SystemError.current.description) }
        self.path = canonical(path)
    }

    deinit { close(descriptor) }

    /// The folders above it and itself: a link to one of them would lead round, or out to everything.
    var identitiesUpwards: [FileFacts.Identity] {
        var found: [FileFacts.Identity] = []
        var path = "."
        for _ in 0..<1000 {
            var facts = stat()
            guard fstatat(descriptor, path, &facts, 0) == 0 else { break }
            let identity = FileFacts(facts).identity
            if found.last == identity { break }
            found.append(identity)
            path = path == "." ? ".." : path + "/.."
        }
        return found
    }

    /// A recording, open for reading.
    ///
    /// - Throws: `missing`.
    package func file(_ path: BatchPath) throws(AudioError) -> SourceFile {
        // Without O_NONBLOCK, a named pipe that has taken the place of a file would wait for its writer.
        let file = path.withCString { openat(descriptor, $0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
        guard file >= 0 else { throw .missing(path: path.text, reason: .system(.current)) }
        return try SourceFile(adoptingRegular: file, name: path.text)
    }
}

/// A recording as one open file, whatever becomes of its name: it is hashed, measured and rendered from the same content.
package struct SourceFile: ~Copyable {
    private let descriptor: Int32

    package init(adopting descriptor: Int32) { self.descriptor = descriptor }

    /// Takes over a descriptor of whatever lay under a name: a pipe, a socket or a device may have come there since it was listed.
    ///
    /// - Throws: `missing` for what is no regular file.
    package init(adoptingRegular descriptor: Int32, name: String) throws(AudioError) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .missing(path: name, reason: "it is no regular file")
        }
        self.init(adopting: descriptor)
    }

    deinit { close(descriptor) }

    /// A name for the open file that is plain text even when its own is not (`proc(5)`).
    package var path: String { "/proc/self/fd/\(descriptor)" }

    /// As it is now; nil when even that cannot be said.
    package var facts: FileFacts? {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 ? FileFacts(facts) : nil
    }
}

/// The path of a folder that exists, without links; as it is when the system does not tell.
package func canonical(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
}

extension SourceFolder {
    /// Opens a file to see what it is.
    func probe(_ path: BatchPath) -> WorkList.Probe {
        do throws(AudioError) {
            let source = try file(path)
            let audio = try AudioFile(opening: source.path, name: path.text)
            return .audio(seconds: audio.announcedLength.map { audio.format.seconds(ofFrames: $0) })
        } catch {
            if case .undecodable(_, let reason, _) = error, !path.promisesAudio { return .ignored(reason) }
            return .failed(error)
        }
    }
}
