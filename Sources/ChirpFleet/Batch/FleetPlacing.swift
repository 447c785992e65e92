internal import ChirpAudio
internal import ChirpClips
internal import ChirpCodecs
internal import ChirpCore
internal import ChirpFiles
internal import ChirpFlows
internal import ChirpJournal
internal import ChirpStores

/// Puts a clip that a worker has made into its place.
///
/// Only the batch does that, and it alone holds the folder: so a clip appears once and whole, whoever has made it and how often.
struct FleetPlacing: Sendable {
    let id: JobID
    let path: BatchPath
    let output: BatchPath
    let known: FleetSources.Known
    let run: BatchRun
    let target: OutputFolder
    let drafts: StagingFolder

    enum Outcome: Sendable {
        case placed(BatchClipRecord, Receipt)
        case failed(AudioError)
        /// No draft is there, and no clip: it has to be made again.
        case gone
        /// The disk is.
        case full
    }

    /// Blocking.
    func place(_ made: FleetResult.Made) -> Outcome {
        do throws(AudioError) {
            guard let clip = made.receipt.clip else { return .failed(wrong) }
            let source: FileFacts
            if let now = try? run.source.file(path).facts, now.bytes == known.facts.bytes,
                now.modified == known.facts.modified
            {
                source = now
            } else {
                if let name = made.draft, StagedName.isOne(name, of: id) { drafts.remove(name) }
                return .failed(.inputOutput(path: path.text, reason: "it changed while it was read"))
            }
            let placed: FileFacts
            if let data = made.clip {
                // Before anything of it is written.
                guard Int64(data.count) == clip.bytes, FileDigest.sha256(of: [UInt8](data)) == clip.sha256 else {
                    return .failed(wrong)
                }
                placed = try target.place([UInt8](data), as: output, butNot: source.identity)
            } else {
                guard let name = made.draft, StagedName.isOne(name, of: id) else { return .failed(wrong) }
                guard let facts = try place(name, clip, butNot: source.identity) else { return .gone }
                placed = facts
            }
            let record = BatchClipRecord(
                BatchClip(receipt: made.receipt, unlimitedBytes: made.unlimitedBytes), hasTags: made.hasTags, of: path,
                in: run.source, sha256: known.sha256, facts: known.facts, as: output, in: target, placed: placed,
                key: run.key)
            return .placed(record, made.receipt.ofBatch(run.request, output: output))
        } catch {
            switch error {
            case .inputOutput(_, let reason) where reason.isFull, .uncreatable(_, let reason) where reason.isFull:
                return .full
            default: return .failed(error)
            }
        }
    }

    /// Moves a draft to its place.
    ///
    /// - Returns: nil when there is neither the draft nor the clip.
    private func place(
        _ name: String, _ clip: Receipt.Clip, butNot source: FileFacts.Identity
    ) throws(AudioError) -> FileFacts? {
        guard let draft = drafts.draft(name) else {
            // A run that died between placing and writing it down has left the clip.
            guard let there = try? target.clip(output), isWhole(there, clip) else { return nil }
            return there.facts
        }
        // What a network drive shows must be what the worker has written.
        guard isWhole(draft, clip) else { throw wrong }
        let placed = try target.place(draft: name, in: drafts.descriptor, as: output, butNot: source)
        if placed.identity == draft.facts?.identity { return placed }
        // Whoever may write in the folder of drafts may have put something else there meanwhile. Where the file system numbers
        // its files anew when they are moved, it is the same all the same.
        guard let there = try? target.clip(output), isWhole(there, clip) else {
            target.remove(output)
            throw wrong
        }
        return there.facts
    }

    private func isWhole(_ file: borrowing SourceFile, _ clip: Receipt.Clip) -> Bool {
        // Also when the run is being ended: what is made is kept.
        guard let found = try? hashFile(file.path, isUnwanted: { false }) else { return false }
        return found.sha256 == clip.sha256 && found.size.bytes == clip.bytes
    }

    private var wrong: AudioError {
        .inputOutput(path: output.text, reason: "what lies there is not what its worker has made")
    }
}
