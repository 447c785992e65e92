internal import ChirpAudio
internal import ChirpFiles
internal import Glibc

/// Where a clip is made, and how it gets from there to where it belongs. Dropped before ``deliver()``, nothing is left.
struct ClipDelivery: ~Copyable {
    /// The path under which the clip is made.
    let temporary: String
    private let destination: ClipDestination

    /// - Throws: `uncreatable` when the destination is a folder, a device or cannot be written.
    init(_ destination: ClipDestination) throws(AudioError) {
        self.destination = destination
        var generator = SystemRandomNumberGenerator()
        let name = ".chirp-\(String(generator.next(), radix: 16)).mp3"
        if case .open(let descriptor) = destination {
            temporary = "/proc/self/fd/\(descriptor)"
            return
        }
        guard let path = destination.path else {
            temporary = "/tmp/" + name
            return
        }
        // The same folder, since only there a rename is one step.
        temporary = Self.folder(of: path) + name
        var facts = stat()
        guard stat(path, &facts) == 0 else { return }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .uncreatable(path: path, reason: "it is a folder")
        default: throw .uncreatable(path: path, reason: "it is no regular file; use - for standard output")
        }
    }

    deinit {
        if case .open = destination { return }
        unlink(temporary)
    }

    /// Puts the finished clip in its place.
    func deliver() throws(AudioError) {
        switch destination {
        case .file(let path): try move(to: path, flushing: true)
        case .draft(let path): try move(to: path, flushing: false)
        case .open: break
        case .descriptor(let descriptor): try copy(to: descriptor)
        }
    }

    private func move(to path: String, flushing: Bool) throws(AudioError) {
        do throws(FileError) { try AtomicFile.move(temporary, to: path, flushing: flushing) } catch {
            throw .uncreatable(path: path, reason: .system(error.error))
        }
    }

    /// With its slash; empty for the current one.
    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    private func copy(to descriptor: Int32) throws(AudioError) {
        let source = open(temporary, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw .inputOutput(path: temporary, reason: .system(.current)) }
        defer { close(source) }
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(source, &buffer, buffer.count)
            guard count >= 0 else { throw .inputOutput(path: temporary, reason: .system(.current)) }
            if count == 0 { return }
            var written = 0
            while written < count {
                if Task.isCancelled { throw .cancelled }
                let result = buffer.withUnsafeBytes {
                    write(descriptor, $0.baseAddress.map { $0 + written }, count - written)
                }
                if result < 0 && errno == EINTR { continue }
                guard result > 0 else { throw .inputOutput(path: "standard output", reason: .system(.current)) }
                written += result
            }
        }
    }
}
