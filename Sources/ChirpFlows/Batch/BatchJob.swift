internal import ChirpAudio
internal import ChirpClips
internal import ChirpCodecs
internal import ChirpCore
internal import ChirpJournal
internal import Glibc

/// One recording made one clip: made aside, moved to its place, written into the journal.
struct BatchJob: Sendable {
    let index: Int
    /// For its encoder.
    let threads: Int
    let path: BatchPath
    let output: BatchPath
    let making: WorkList.Making
    let ports: BatchPorts
    let order: BatchOrder
    let source: SourceFolder
    let target: OutputFolder
    let key: BatchKey
    let meter: BatchMeter

    struct Done: Sendable {
        var outcome: BatchResult.Outcome
        /// The source was read to compare it.
        var isHashed: Bool
        var record: BatchClipRecord
    }

    enum Failure: Error {
        /// Of this file; the others go on.
        case file(AudioError)
        /// Of the whole.
        case batch(BatchFailure)
    }

    func run() async -> Result<Done, Failure> {
        meter.begin(index, seconds: making.seconds)
        let result: Result<Done, Failure>
        do throws(Failure) {
            result = .success(try await finished())
        } catch {
            result = .failure(error)
        }
        meter.finish(index, seconds: (try? result.get())?.record.sourceSeconds)
        _ = ports.report(.progress(meter.pace))
        return result
    }

    private func finished() async throws(Failure) -> Done {
        let done: Done?
        do throws(AudioError) {
            done = try await offPool { () throws(AudioError) in try work() }
        } catch {
            throw failure(error)
        }
        guard let done else { throw .batch(.halted(.clipMade)) }
        if ports.fault(.clipPlaced) { throw .batch(.halted(.clipPlaced)) }
        do throws(JournalError) {
            try await ports.journal.record([done.record])
        } catch {
            throw .batch(.journal(error))
        }
        if ports.fault(.clipRecorded) { throw .batch(.halted(.clipRecorded)) }
        return done
    }

    /// What blocks.
    ///
    /// - Returns: nil when fault injection stops it.
    private func work() throws(AudioError) -> Done? {
        let file = try source.file(path)
        guard let facts = file.facts else { throw .missing(path: path.text, reason: "it has gone") }
        do throws(AudioError) {
            let digest = try hashFile(file.path).sha256
            if var candidate = making.candidate, candidate.sourceSHA256 == digest {
                candidate.root = source.path
                candidate.sourceBytes = facts.bytes
                candidate.sourceModified = facts.modified
                return Done(outcome: .unchanged, isHashed: true, record: candidate)
            }
            var clipOrder = order.clip
            clipOrder.source = ClipSource(path: file.path, name: path.text, sha256: digest)
            clipOrder.jobs = threads
            let making = BatchMaking(order: clipOrder, keepsTags: order.keepsTags)
            let (clip, hasTags) = try making.run(to: target.stagedPath(index), by: ports.make) { step in
                _ = ports.report(.progress(meter.advance(index, step)))
            }
            if ports.fault(.clipMade) { return nil }
            guard file.facts.map({ isSame($0, facts) }) == true else { throw changed }
            let placed = try target.place(index, as: output, butNot: facts.identity)
            let record = BatchClipRecord(
                clip, hasTags: hasTags, of: path, in: source, sha256: digest, facts: facts, as: output, in: target,
                placed: placed, key: key)
            return Done(
                outcome: .made(clip.receipt.ofBatch(order, output: output)), isHashed: true, record: record)
        } catch {
            // A file that is being written may fail in any way.
            if error != .cancelled, let now = file.facts, !isSame(now, facts) { throw changed }
            throw error.naming { name in
                if name == file.path { return path.text }
                return name.hasPrefix(target.staging) ? output.text : name
            }
        }
    }

    private var changed: AudioError { .inputOutput(path: path.text, reason: "it changed while it was read") }

    private func isSame(_ a: FileFacts, _ b: FileFacts) -> Bool { a.bytes == b.bytes && a.modified == b.modified }

    /// Whom an error concerns: this file, or, when the disk is full or the run is interrupted, all.
    private func failure(_ error: AudioError) -> Failure {
        switch error {
        case .cancelled: .batch(.cancelled)
        case .inputOutput(_, let reason) where [ENOSPC, EDQUOT].map(systemWords).contains(reason),
            .uncreatable(_, let reason) where [ENOSPC, EDQUOT].map(systemWords).contains(reason):
            .batch(.full(path: order.target))
        default: .file(error)
        }
    }
}

extension AudioError {
    /// The same error, with names of files that people know.
    fileprivate func naming(_ name: (String) -> String) -> AudioError {
        switch self {
        case .missing(let path, let reason): .missing(path: name(path), reason: reason)
        case .uncreatable(let path, let reason): .uncreatable(path: name(path), reason: reason)
        case .inputOutput(let path, let reason): .inputOutput(path: name(path), reason: reason)
        default: self
        }
    }
}
