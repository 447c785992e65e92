internal import ChirpAudio
internal import ChirpClips
internal import Synchronization

/// What a run that watches knows from pass to pass: which files are ready, and what was told before.
final class BatchChanges: Sendable {
    private struct State {
        var isFirstPass = true
        var isSettling = false
        var facts: [BatchPath: FileFacts] = [:]
        var failed: [BatchPath: FileFacts] = [:]
        var told: Set<[String]> = []

        /// Takes that there is no clip of a recording; whether that was not told before of the same content.
        mutating func isNews(_ path: BatchPath, _ reason: String) -> Bool {
            failed[path] = facts[path]
            let time = facts[path]?.changed ?? 0
            return told.insert([path.text, reason, "\(time)"]).inserted
        }
    }

    let watch: FolderWatch
    private let settling: Int64
    private let now: @Sendable () -> Int64
    private let state = Mutex(State())

    /// - Parameter now: nanoseconds since 1970.
    init(watch: FolderWatch, settling: Duration, now: @escaping @Sendable () -> Int64) {
        self.watch = watch
        self.settling = Int64(settling / .nanoseconds(1))
        self.now = now
    }

    /// Takes the tree as it is now.
    func begin(_ walk: FolderWalk) {
        watch.catchUp()
        state.withLock { state in
            state.isSettling = false
            state.facts = Dictionary(walk.files.map { ($0.path, $0.facts) }, uniquingKeysWith: { first, _ in first })
        }
    }

    func endFirstPass() { state.withLock { $0.isFirstPass = false } }

    /// Whether a file is to be made now.
    func isReady(_ file: FolderWalk.File) -> Bool {
        // Events tell when somebody closes it, or changes one that has failed.
        // An empty one has just been made.
        if file.facts.bytes == 0 || watch.isBeingWritten(file.path)
            || state.withLock({ $0.failed[file.path] == file.facts })
        {
            return false
        }
        // A clock that was set back must not hold a file for ever.
        let (age, isFar) = now().subtractingReportingOverflow(file.facts.changed)
        guard !isFar, age.magnitude < settling.magnitude else { return true }
        state.withLock { $0.isSettling = true }
        return false
    }

    /// Whether one of the files becomes ready by waiting alone, without an event.
    var isSettling: Bool { state.withLock { $0.isSettling } }

    /// Whether an event is worth telling: after the first pass only what has happened since.
    func isNew(_ event: BatchEvent) -> Bool {
        state.withLock { state in
            switch event {
            case .listed(let pace): return state.isFirstPass || pace.files > 0
            case .note(let note): return state.told.insert([note.code, note.text]).inserted
            case .file(let result):
                switch result.outcome {
                case .made:
                    state.failed[result.path] = nil
                    return true
                case .failed(let error): return state.isNews(result.path, error.whatHappened)
                case .silent(let reason): return state.isNews(result.path, reason)
                case .unchanged, .ignored, .planned: return state.isFirstPass
                }
            case .progress, .watching: return true
            }
        }
    }
}
