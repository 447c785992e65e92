internal import ChirpClips
internal import ChirpCore
internal import ChirpJournal

/// A folder of recordings made a folder of clips (W-8).
///
/// Every clip appears whole, by renaming, and is then written into the journal with what it was made of and how; what the
/// journal knows and the file system confirms is not made again. So a run that was killed is simply run again.
public struct BatchFlow: Sendable {
    let ports: BatchPorts

    public init(_ ports: BatchPorts) { self.ports = ports }

    /// Makes what is not made yet.
    ///
    /// - Returns: what was done; failed files are in there.
    /// - Throws: what prevents or ends the whole.
    public func run(_ request: BatchRequest) async throws(BatchFailure) -> BatchSummary {
        let begin = ports.uptime()
        let source = try SourceFolder(request.source)
        let target = try target(of: request, source: source)
        defer { target?.end() }
        var summary = try await pass(request, from: source, to: target)
        summary.seconds = (ports.uptime() - begin) / .seconds(1)
        return summary
    }

    /// The folder of the clips, held; nil for a dry run, which writes nothing.
    func target(of request: BatchRequest, source: SourceFolder) throws(BatchFailure) -> OutputFolder? {
        // Clips above the recordings could replace some, and those beside them would be recordings of the next run.
        let above = Set(source.identitiesUpwards)
        if let there = ExistingFolder(request.target).identity, above.contains(there) {
            throw .sameFolder(source: request.source, target: request.target)
        }
        return request.isDryRun ? nil : try OutputFolder(request.target)
    }

    /// One walk through the tree.
    ///
    /// - Parameter changes: when it is being watched.
    func pass(
        _ request: BatchRequest, from source: SourceFolder, to target: OutputFolder?, changes: BatchChanges? = nil
    ) async throws(BatchFailure) -> BatchSummary {
        let key = BatchKey(request.clip, keepsTags: request.keepsTags)
        let place = target?.path ?? canonical(request.target)
        let known = try await journaled { () async throws(JournalError) in try await ports.journal.batchClips(in: place)
        }
        let list = try await offPool { () throws(BatchFailure) in
            var leftOut = Set(source.identitiesUpwards.dropFirst())
            if let there = ExistingFolder(request.target).identity { leftOut.insert(there) }
            var walk = try FolderWalk(source.descriptor, leavingOut: leftOut)
            // What came into a folder before it was watched is seen by another walk.
            while let changes, try changes.watch.add(walk.folders) {
                walk = try FolderWalk(source.descriptor, leavingOut: leftOut)
            }
            changes?.begin(walk)
            for problem in walk.problems where !problem.isFailure {
                tell("left-out", "\(problem.path.text): \(problem.reason)")
            }
            let existing = ExistingFolder(place)
            return try WorkList(
                files: walk.files, problems: walk.problems, root: source.path, known: known, key: key,
                probe: { (file) throws(BatchFailure) in
                    if Task.isCancelled { throw .cancelled }
                    guard changes?.isReady(file) != false else { return .deferred }
                    return source.probe(file.path)
                },
                facts: { existing.facts($0) })
        }
        for path in list.keepingNames {
            tell("name-kept", "\(path.text): the clip keeps the whole name, since another would have the same")
        }
        let run = BatchRun(
            ports: ports, request: request, source: source, target: target, key: key, list: list)
        if let crew = ports.crew { return try await crew(run) }
        return try await run.run()
    }

    private func tell(_ code: String, _ text: String) {
        _ = ports.report(.note(Receipt.Note(code: code, text: text)))
    }
}

/// Turns the journal's failure into that of a batch.
func journaled<T>(
    _ body: () async throws(JournalError) -> T
) async throws(BatchFailure) -> T {
    do throws(JournalError) { return try await body() } catch { throw .journal(error) }
}
