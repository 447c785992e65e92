internal import ChirpAudio
internal import ChirpClips
internal import ChirpCodecs
internal import ChirpCore
internal import ChirpFlows
internal import ChirpJournal
internal import Glibc

/// Puts a clip that a worker has made into its place.
///
/// Only the batch does that, and it alone holds the folder: so a clip appears once and whole, whoever has made it and how often.
struct FleetPlacing: Sendable {
    let id: String
    let path: BatchPath
    let output: BatchPath
    let known: FleetSources.Known
    let run: BatchRun
    let target: OutputFolder
    let drafts: DraftFolder

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
            guard let clip = made.receipt.clip, made.isPlausible else { return .failed(wrong) }
            var name = made.draft ?? "\(id).inline.mp3"
            if let data = made.clip {
                name = "\(id).inline.mp3"
                try drafts.write(data, as: name)
            }
            guard DraftName.isOne(name, of: id) else { return .failed(wrong) }
            guard let now = try? run.source.file(path).facts, now.bytes == known.facts.bytes,
                now.modified == known.facts.modified
            else {
                drafts.remove(name)
                return .failed(.inputOutput(path: path.text, reason: "it changed while it was read"))
            }
            let draft = drafts.path(of: name)
            let placed: FileFacts
            if let found = try? hashFile(draft) {
                // What a network drive shows must be what the worker has written.
                guard found.sha256 == clip.sha256, found.size.bytes == clip.bytes else { return .failed(wrong) }
                placed = try target.place(draft: draft, as: output, butNot: now.identity)
            } else {
                // A run that died between placing and writing it down has left the clip.
                guard let facts = target.facts(output), facts.bytes == clip.bytes,
                    (try? hashFile("\(target.path)/\(output.text)"))?.sha256 == clip.sha256
                else { return .gone }
                placed = facts
            }
            let record = BatchClipRecord(
                BatchClip(receipt: made.receipt, unlimitedBytes: made.unlimitedBytes), hasTags: made.hasTags, of: path,
                in: run.source, sha256: known.sha256, facts: known.facts, as: output, in: target, placed: placed,
                key: run.key)
            return .placed(record, made.receipt.ofBatch(run.order, output: output))
        } catch {
            switch error {
            case .inputOutput(_, let reason) where [ENOSPC, EDQUOT].map(systemWords).contains(reason),
                .uncreatable(_, let reason) where [ENOSPC, EDQUOT].map(systemWords).contains(reason):
                return .full
            default: return .failed(error)
            }
        }
    }

    private var wrong: AudioError {
        .inputOutput(path: output.text, reason: "what lies there is not what its worker has made")
    }
}
