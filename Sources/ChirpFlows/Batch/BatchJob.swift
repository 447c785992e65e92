internal import ChirpAudio
package import ChirpClips
internal import ChirpCodecs
internal import ChirpCore
internal import ChirpFiles
internal import ChirpJournal

/// One recording made one clip: made aside, moved to its place, written into the journal.
struct BatchJob: Sendable {
    let index: Int
    /// For its encoder.
    let threads: Int
    let path: BatchPath
    let output: BatchPath
    let making: WorkList.Making
    let ports: BatchPorts
    let request: BatchRequest
    let source: SourceFolder
    let target: OutputFolder
    let key: BatchKey
    let meter: BatchMeter

    /// What making leaves.
    enum Made: Sendable {
        /// A clip beside its place.
        case draft(BatchClip, hasTags: Bool, sha256: String, facts: FileFacts)
        /// The clip of an earlier run, of the same recording.
        case earlier(BatchClipRecord)
    }

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

    /// The first half: all that keeps a processor busy.
    func make() async -> Result<Made, Failure> {
        meter.begin(index, seconds: making.seconds)
        let result: Result<Made?, Failure> = await half { () throws(AudioError) in try draft() }
        switch result {
        case .success(let made?): return .success(made)
        case .success(nil): return .failure(.batch(.halted(.clipMade)))
        case .failure(let failure):
            end(seconds: nil)
            return .failure(failure)
        }
    }

    /// The second half: onto the disk, to its place, into the journal. Mostly waiting.
    func place(_ made: Made) async -> Result<Done, Failure> {
        let result: Result<Done, Failure>
        do throws(Failure) {
            let done = try await half { () throws(AudioError) in try placed(made) }.get()
            if ports.fault(.clipPlaced) { throw .batch(.halted(.clipPlaced)) }
            do throws(JournalError) {
                try await ports.journal.record([done.record])
            } catch {
                throw .batch(.journal(error))
            }
            if ports.fault(.clipRecorded) { throw .batch(.halted(.clipRecorded)) }
            result = .success(done)
        } catch {
            result = .failure(error)
        }
        end(seconds: (try? result.get())?.record.sourceSeconds)
        return result
    }

    private func end(seconds: Double?) {
        meter.finish(index, seconds: seconds)
        _ = ports.report(.progress(meter.pace))
    }

    /// Runs what blocks, and says whom a failure concerns.
    private func half<T: Sendable>(_ body: @Sendable () throws(AudioError) -> T) async -> Result<T, Failure> {
        do throws(AudioError) {
            return .success(try await offPool(body))
        } catch {
            return .failure(failure(error))
        }
    }

    /// - Returns: nil when fault injection stops it.
    private func draft() throws(AudioError) -> Made? {
        let file = try source.file(path)
        guard let facts = file.facts else { throw .missing(path: path.text, reason: "it has gone") }
        do throws(AudioError) {
            let digest = try hashFile(file.path).sha256
            if var candidate = making.candidate, candidate.sourceSHA256 == digest {
                candidate.root = source.path
                candidate.sourceBytes = facts.bytes
                candidate.sourceModified = facts.modified
                return .earlier(candidate)
            }
            var clipOrder = request.clip
            clipOrder.source = ClipSource(path: file.path, name: path.text, sha256: digest)
            clipOrder.jobs = threads
            let making = Transcoding(request: clipOrder, keepsTags: request.keepsTags)
            let made = try making.run(to: target.stagedPath(index), by: ports.make) { step in
                _ = ports.report(.progress(meter.advance(index, step)))
            }
            if ports.fault(.clipMade) { return nil }
            guard file.facts.map({ isSame($0, facts) }) == true else { throw changed }
            return .draft(made.clip, hasTags: made.hasTags, sha256: digest, facts: facts)
        } catch {
            // A file that is being written may fail in any way.
            if error != .cancelled, let now = file.facts, !isSame(now, facts) { throw changed }
            throw named(error, source: file.path)
        }
    }

    private func placed(_ made: Made) throws(AudioError) -> Done {
        switch made {
        case .earlier(let record): return Done(outcome: .unchanged, isHashed: true, record: record)
        case .draft(let clip, let hasTags, let digest, let facts):
            do throws(AudioError) {
                let placed = try target.place(index, as: output, butNot: facts.identity)
                let record = BatchClipRecord(
                    clip, hasTags: hasTags, of: path, in: source, sha256: digest, facts: facts, as: output, in: target,
                    placed: placed, key: key)
                return Done(
                    outcome: .made(clip.receipt.ofBatch(request, output: output)), isHashed: true, record: record)
            } catch {
                throw named(error)
            }
        }
    }

    /// With the names of files that people know.
    ///
    /// - Parameter source: the path by which the recording was read.
    private func named(_ error: AudioError, source: String? = nil) -> AudioError {
        error.naming { name in
            if name == source { return path.text }
            return name.hasPrefix(target.staging) ? output.text : name
        }
    }

    private var changed: AudioError { .inputOutput(path: path.text, reason: "it changed while it was read") }

    private func isSame(_ a: FileFacts, _ b: FileFacts) -> Bool { a.bytes == b.bytes && a.modified == b.modified }

    /// Whom an error concerns: this file, or, when the disk is full or the run is interrupted, all.
    private func failure(_ error: AudioError) -> Failure {
        switch error {
        case .cancelled: .batch(.cancelled)
        case .inputOutput(_, let reason) where reason.isFull, .uncreatable(_, let reason) where reason.isFull:
            .batch(.full(path: request.target))
        default: .file(error)
        }
    }
}

extension AudioError {
    /// The same error with other names.
    fileprivate func naming(_ name: (String) -> String) -> AudioError {
        switch self {
        case .missing(let path, let reason): .missing(path: name(path), reason: reason)
        case .uncreatable(let path, let reason): .uncreatable(path: name(path), reason: reason)
        case .inputOutput(let path, let reason): .inputOutput(path: name(path), reason: reason)
        default: self
        }
    }
}

extension Receipt {
    /// As a line of a batch, with the places that the user knows.
    package func ofBatch(_ request: BatchRequest, output: BatchPath) -> Receipt {
        var receipt = self
        receipt.clip?.path = "\(request.target)/\(output.text)"
        return receipt
    }
}
