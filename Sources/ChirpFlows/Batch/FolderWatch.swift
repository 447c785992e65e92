internal import ChirpFiles
internal import Glibc
internal import Synchronization

/// Notices changes below a folder (`inotify(7)`), and which files somebody is writing to.
final class FolderWatch: Sendable {
    private struct State {
        /// By the system's number for a watched folder; nil is the top.
        var folders: [Int32: BatchPath?] = [:]
        var known: Set<BatchPath?> = []
        var writing: Set<BatchPath> = []
        /// Something has happened that no walk has seen for certain.
        var hasNews = false
    }

    private let descriptor: Int32
    private let source: SourceFolder
    private let state = Mutex(State())

    private static let mask = [
        IN_CLOSE_WRITE, IN_MOVED_TO, IN_MOVED_FROM, IN_CREATE, IN_DELETE, IN_MODIFY,
    ].reduce(UInt32(IN_ONLYDIR)) { $0 | UInt32($1) }

    init(_ source: SourceFolder) throws(BatchFailure) {
        self.source = source
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { throw .unwatchable(path: source.path, reason: SystemError.current.description) }
    }

    deinit { close(descriptor) }

    /// Whether somebody has written to a file since it is watched, and has not closed it.
    func isBeingWritten(_ path: BatchPath) -> Bool { state.withLock { $0.writing.contains(path) } }

    /// Watches folders.
    ///
    /// - Returns: whether one of them is new: something may have happened in it before it was watched.
    func add(_ folders: [BatchPath?]) throws(BatchFailure) -> Bool {
        var isNew = false
        for folder in folders {
            guard !state.withLock({ $0.known.contains(folder) }) else { continue }
            // By the open folder, and as bytes: the name may be no text.
            let path = Array("/proc/self/fd/\(source.descriptor)/".utf8) + (folder?.bytes ?? [UInt8(ascii: ".")]) + [0]
            let number = inotify_add_watch(descriptor, path.map { CChar(bitPattern: $0) }, Self.mask)
            guard number >= 0 else {
                // It may have gone, which the folder above tells, or be closed to us, which the walk tells.
                if errno == ENOENT || errno == EACCES || errno == ENOTDIR { continue }
                throw .unwatchable(path: folder?.text ?? source.path, reason: SystemError.current.description)
            }
            isNew = true
            state.withLock { state in
                state.folders[number] = .some(folder)
                state.known.insert(folder)
            }
        }
        return isNew
    }

    /// Takes what has happened until now: when a walk has just seen a file, then also whether it is being written.
    func catchUp() {
        // Somebody may write without a pause.
        for _ in 0..<100 {
            guard let isWorth = readEvents() else { return }
            if isWorth { state.withLock { $0.hasNews = true } }
        }
    }

    /// Waits until something has changed and then nothing for a while. Blocking; looks at `Task.isCancelled` five times a
    /// second.
    ///
    /// - Parameters:
    ///   - quiet: how long nothing must have happened.
    ///   - limit: the longest wait for the first change; nil for ever.
    func wait(quiet: Duration, limit: Duration?) throws(BatchFailure) {
        let clock = ContinuousClock()
        let begin = clock.now
        var first = state.withLock { $0.hasNews } ? begin : nil
        state.withLock { $0.hasNews = false }
        var last = begin
        while true {
            if Task.isCancelled { throw .cancelled }
            let now = clock.now
            if let first {
                // A folder that is never quiet is looked at now and then all the same.
                if now - last >= quiet || now - first >= quiet * 10 { return }
            } else if let limit, now - begin >= limit {
                return
            }
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 200) > 0 else { continue }
            if readEvents() == true {
                last = clock.now
                first = first ?? last
            }
        }
    }

    /// Takes what the system has to tell.
    ///
    /// - Returns: whether it is worth looking at the tree; nil when there is nothing.
    private func readEvents() -> Bool? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { return nil }
        var isWorth = false
        buffer.withUnsafeBytes { bytes in
            // Number, mask, cookie and length of the name, 4 bytes each; then the name, filled up with zeros.
            var offset = 0
            while offset + 16 <= count {
                let number = bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)
                let mask = Int(bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self))
                let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
                let name = Array(bytes[(offset + 16)..<min(offset + 16 + length, count)].prefix { $0 != 0 })
                if take(number, mask, name) { isWorth = true }
                offset += 16 + length
            }
        }
        return isWorth
    }

    private func take(_ number: Int32, _ mask: Int, _ name: [UInt8]) -> Bool {
        state.withLock { state in
            if mask & Int(IN_IGNORED) != 0 {
                // The folder has gone.
                if let folder = state.folders.removeValue(forKey: number) { state.known.remove(folder) }
                return false
            }
            guard mask & Int(IN_Q_OVERFLOW) == 0 else {
                // Some events were lost, so nothing is known about who is writing.
                state.writing = []
                return true
            }
            guard let folder = state.folders[number], !name.isEmpty, name[0] != UInt8(ascii: ".") else { return false }
            let path = BatchPath.name(name, in: folder)
            if mask & Int(IN_ISDIR) != 0, mask & (Int(IN_MOVED_FROM) | Int(IN_DELETE)) != 0 {
                // Its watch goes with it, to wherever it is now.
                state.known = state.known.filter { $0 != path && $0?.folders.contains(path) != true }
            }
            if mask & Int(IN_MODIFY) != 0 {
                state.writing.insert(path)
                return false
            }
            if mask & Int(IN_CREATE) == 0 { state.writing.remove(path) }
            return true
        }
    }
}
