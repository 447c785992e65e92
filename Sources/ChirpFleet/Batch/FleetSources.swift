internal import ChirpAudio
internal import ChirpClips
internal import ChirpCodecs
internal import ChirpFiles
internal import ChirpFlows
internal import ChirpJournal
internal import FoundationEssentials
internal import Glibc

/// The recordings of a batch as workers get them: by their places below roots, or in messages.
struct FleetSources: Sendable {
    let source: SourceFolder
    let target: OutputFolder
    let roots: [FleetRoot]

    /// A recording that was read to name its job.
    struct Known: Hashable, Sendable {
        var sha256: String
        var facts: FileFacts
    }

    /// Reads a recording as a whole. Blocking.
    ///
    /// - Throws: what prevents that, or `missing` when no worker could get it.
    func known(_ path: BatchPath) throws(AudioError) -> Known {
        let file = try source.file(path)
        guard let facts = file.facts else { throw .missing(path: path.text, reason: "it has gone") }
        let digest: String
        do throws(AudioError) { digest = try hashFile(file.path).sha256 } catch {
            if error == .cancelled { throw error }
            throw .missing(path: path.text, reason: .words(error.whatHappened))
        }
        if facts.bytes > FleetJob.largestInline, place(of: file) == nil {
            throw .missing(
                path: path.text,
                reason: "no worker can: it is below no root of the fleet, and too large to travel in a message")
        }
        return Known(sha256: digest, facts: facts)
    }

    /// What the file system says about a recording now; nil for nothing.
    func facts(_ path: BatchPath) -> FileFacts? { (try? source.file(path))?.facts }

    /// The name of the job that makes this of that.
    static func id(_ known: Known, settings: String, output: BatchPath, batch: String) -> JobID {
        let lines = ["chirp job 1", batch, known.sha256, settings].map { "\($0)\n" }.joined()
        return JobID(rawValue: String(FileDigest.sha256(of: Array(lines.utf8) + output.bytes).prefix(32)))
    }

    /// The record of a job.
    func job(
        _ id: JobID, batch: String, path: BatchPath, known: Known, order: BatchRequest
    ) -> FleetJob {
        FleetJob(
            id: id, batch: batch, name: path.text, sha256: known.sha256, bytes: known.facts.bytes,
            source: place(of: path),
            target: draftPlace.map { .folder(root: $0.root, path: $0.path) } ?? .inline, order: order.clip,
            keepsTags: order.keepsTags)
    }

    private func place(of path: BatchPath) -> FleetJob.Source {
        // One that has gone meanwhile has another digest than the record says, which its worker finds out.
        guard let file = try? source.file(path) else { return .inline(Data()) }
        if let place = place(of: file) { return .file(root: place.root, path: place.path) }
        guard let facts = file.facts, facts.bytes <= FleetJob.largestInline else { return .inline(Data()) }
        return .inline(FileManager.default.contents(atPath: file.path) ?? Data())
    }

    /// Where an open file really lies, links resolved: workers go through none.
    private func place(of file: borrowing SourceFile) -> (root: String, path: FleetPath)? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(file.path, &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return place(of: buffer.prefix(count).map { UInt8(bitPattern: $0) })
    }

    private func place(of path: [UInt8]) -> (root: String, path: FleetPath)? {
        for root in roots {
            if let place = root.place(of: path) { return (root.name, place) }
        }
        return nil
    }

    /// The folder of drafts below a root; nil when clips travel in messages.
    private var draftPlace: (root: String, path: FleetPath)? {
        place(of: Array("\(target.path)/\(StagedName.folder)".utf8))
    }
}
