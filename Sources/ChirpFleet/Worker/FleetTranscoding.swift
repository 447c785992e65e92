internal import ChirpAudio
internal import ChirpClips
internal import ChirpCodecs
internal import ChirpFiles
internal import ChirpFlows
internal import ChirpMP3
internal import FoundationEssentials
internal import Glibc

/// One job made one clip, through roots or through messages.
struct FleetTranscoding: Sendable {
    let job: FleetJob
    let roots: [WorkerRoot]
    /// A folder of this worker's own, for recordings and clips on their way.
    let scratch: String
    /// What a draft is called.
    let draft: String
    let make: FleetWorker.Make

    /// Blocking, also while it waits for servers.
    ///
    /// - Throws: what is wrong with the recording, or with the way to it.
    func run() throws(AudioError) -> FleetResult.Made {
        switch job.source {
        case .inline(let data): return try made(of: try inlineFile(data))
        case .file(let root, let path):
            let file = try self.root(root).recording(path, bytes: job.bytes, scratch: scratch)
            return try made(of: file)
        }
    }

    private func root(_ name: String) throws(AudioError) -> WorkerRoot {
        guard let root = roots.first(where: { $0.name == name }) else {
            throw .missing(path: job.name, reason: "this worker was given no root '\(name)'")
        }
        return root
    }

    private func made(of source: borrowing SourceFile) throws(AudioError) -> FleetResult.Made {
        guard try hashFile(source.path).sha256 == job.sha256 else {
            throw .inputOutput(path: job.name, reason: "it changed while it was read")
        }
        var request = job.order
        request.source = ClipSource(path: source.path, name: job.name, sha256: job.sha256)
        request.jobs = 1
        request.tag.cover = job.cover.map { [UInt8]($0) }
        let transcoding = Transcoding(request: request, keepsTags: job.keepsTags)
        switch job.target {
        case .inline:
            let path = "\(scratch)/\(draft)"
            defer { unlink(path) }
            var result = made(try make(transcoding, path))
            guard let bytes = result.receipt.clip?.bytes, bytes <= FleetJob.largestInline,
                let data = FileManager.default.contents(atPath: path)
            else {
                throw .unsupported(
                    name: job.name,
                    reason: "its clip is too large for a message; batch and workers need a root that both reach")
            }
            result.clip = data
            return result
        case .folder(let name, let path):
            var result = try made(by: transcoding, in: try root(name), path)
            result.draft = draft
            return result
        }
    }

    /// Makes the draft in its folder, or beside and sends it there.
    private func made(
        by transcoding: Transcoding, in root: WorkerRoot, _ path: FleetPath
    ) throws(AudioError) -> FleetResult.Made {
        switch root {
        case .folder(let root):
            let folder = try root.folder(path)
            return made(try make(transcoding, "\(folder.path)/\(draft)"))
        case .collection(let root):
            let local = "\(scratch)/\(draft)"
            defer { unlink(local) }
            let result = made(try make(transcoding, local))
            guard let clip = result.receipt.clip else { throw .inputOutput(path: job.name, reason: "no clip was made") }
            try root.leave(clip, at: local, as: draft, in: path)
            return result
        }
    }

    private func made(_ made: Transcoding.Made) -> FleetResult.Made {
        var receipt = made.clip.receipt
        // The path on this machine means nothing elsewhere.
        receipt.clip?.path = nil
        return FleetResult.Made(
            receipt: receipt, unlimitedBytes: made.clip.unlimitedBytes, hasTags: made.hasTags)
    }

    /// A file without a name that holds the recording.
    private func inlineFile(_ data: Data) throws(AudioError) -> SourceFile {
        let path = "\(scratch)/\(draft).source"
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .uncreatable(path: path, reason: .system(.current)) }
        unlink(path)
        let file = SourceFile(adopting: descriptor)
        var written = 0
        while written < data.count {
            let count = data.withUnsafeBytes { bytes in
                write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            }
            guard count > 0 || errno == EINTR else { throw .inputOutput(path: path, reason: .system(.current)) }
            written += max(0, count)
        }
        return file
    }
}
