package import ChirpAudio
internal import ChirpFiles
package import ChirpJournal

/// What is to be done with every file of a tree: pure but for two questions that it asks of the world.
package struct WorkList: Sendable {
    /// One file.
    package struct Item: Sendable {
        package var path: BatchPath
        /// Below the folder of the clips; nil for what has no clip.
        package var output: BatchPath?
        package var decision: Decision
    }

    package enum Decision: Sendable {
        /// The clip is there and would come out the same.
        case unchanged
        case make(Making)
        case ignored(String)
        case failed(AudioError)
    }

    /// A clip to be made.
    package struct Making: Hashable, Sendable {
        /// The length of the recording in seconds, by its header or its size.
        package var seconds: Double
        /// A clip that is good if the recording still holds the same: only size or time of the recording differ.
        package var candidate: BatchClipRecord?
    }

    /// What a file turned out to be when it was opened.
    package enum Probe: Sendable {
        /// With its length in seconds as the header promises it.
        case audio(seconds: Double?)
        case ignored(String)
        case failed(AudioError)
        /// Not to be looked at yet.
        case deferred
    }

    /// In the order of the names.
    package let items: [Item]
    /// Files that were opened.
    package let probed: Int
    /// Files that are left for later.
    package let deferred: Int
    /// Sources that keep their whole names, since others would give the same.
    package let keepingNames: [BatchPath]

    /// The length by which a file is weighed whose header does not tell: 128 kbps.
    private static let usualBytesPerSecond = 16000.0
    /// No header is believed more.
    private static let longest = 24.0 * 3600

    /// - Parameters:
    ///   - root: the folder of the files, without links.
    ///   - known: what earlier runs have made in the same folder.
    ///   - probe: opens a file to see what it is; asked only for files that are new or changed.
    ///   - facts: what is there under a clip's name; nil for nothing.
    package init(
        files: [FolderWalk.File], problems: [FolderWalk.Problem] = [], root: String, known: [BatchClipRecord],
        key: BatchKey,
        probe: (FolderWalk.File) throws(BatchFailure) -> Probe, facts: (BatchPath) -> FileFacts?
    ) throws(BatchFailure) {
        let known = Dictionary(known.map { (BatchPath($0.path), $0) }, uniquingKeysWith: { first, _ in first })
        var audio: [(file: FolderWalk.File, isSame: Bool, isDeferred: Bool, seconds: Double?)] = []
        var items: [Item] = problems.filter(\.isFailure).map { problem in
            Item(
                path: problem.path, decision: .failed(.missing(path: problem.path.text, reason: .words(problem.reason)))
            )
        }
        var (probed, deferred) = (0, 0)
        for file in files {
            if let row = known[file.path], row.root == root, row.sourceBytes == file.facts.bytes,
                row.sourceModified == file.facts.modified
            {
                audio.append((file, true, false, row.sourceSeconds))
                continue
            }
            probed += 1
            switch try probe(file) {
            case .audio(let seconds): audio.append((file, false, false, seconds))
            case .ignored(let reason): items.append(Item(path: file.path, decision: .ignored(reason)))
            case .failed(let error): items.append(Item(path: file.path, decision: .failed(error)))
            case .deferred:
                deferred += 1
                // Names must not change when it is ready.
                if file.path.promisesAudio { audio.append((file, false, true, nil)) }
            }
        }
        let names = OutputNames(audio.map(\.file.path))
        for (entry, output) in zip(audio, names.paths) where !entry.isDeferred {
            var good: BatchClipRecord?
            if let row = known[entry.file.path], row.output == output.bytes, row.settingsSHA256 == key.sha256(for: row),
                let facts = facts(output), facts.bytes == row.outputBytes, facts.modified == row.outputModified
            {
                good = row
            }
            if good != nil, entry.isSame {
                items.append(Item(path: entry.file.path, output: output, decision: .unchanged))
                continue
            }
            let promised = entry.seconds ?? Double(entry.file.facts.bytes) / Self.usualBytesPerSecond
            let task = Making(seconds: max(0.01, min(promised, Self.longest)), candidate: good)
            items.append(Item(path: entry.file.path, output: output, decision: .make(task)))
        }
        self.items = items.sorted { $0.path < $1.path }
        self.probed = probed - deferred
        self.deferred = deferred
        keepingNames = names.kept.map { audio[$0].file.path }
    }

    /// What is to be made, by its place in the list.
    package var tasks: [(index: Int, seconds: Double)] {
        items.enumerated().compactMap { index, item in
            if case .make(let task) = item.decision { (index, task.seconds) } else { nil }
        }
    }
}
