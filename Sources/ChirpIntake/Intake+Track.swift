package import ChirpAudio
package import ChirpClips
internal import ChirpCore
internal import ChirpFiles
package import ChirpMusic

/// Tracks that are sold. Everything may be repeated, and is done in a child that holds nothing; the child is not believed.
extension Intake {
    private static let trackPatience = Duration.seconds(400)

    /// What is heard in a master. Blocking.
    ///
    /// - Parameters:
    ///   - path: of what was sent; any bytes.
    ///   - name: for errors.
    /// - Throws: ``AudioError``: `undecodable`, `unsupported` (longer than ``PreviewRules/longestMaster``), `nothingToHear`, `crashed`, ...
    package func master(of path: String, name: String) throws(AudioError) -> MasterFacts {
        let file = try SentFile(path, name: name)
        let work = IntakeWork.hearMaster(name: name)
        return try twice { () throws(AudioError) in
            let child = try child(for: name)
            try child.begin(work, descriptors: [file.descriptor])
            guard case .heardMaster(let facts) = try child.reply(to: work, patience: Self.trackPatience),
                facts.isPossible
            else { throw child.nonsense(work) }
            return facts
        }
    }

    /// Makes the preview of a master: ``makePreview(of:_:voice:to:)``. It appears whole and on the disk. Blocking.
    ///
    /// - Parameters:
    ///   - voice: the path of a short clip that is laid over it at the places that are wished for; nil for none.
    ///   - goal: where it appears, replacing what is there.
    /// - Throws: ``AudioError``: what ``master(of:name:)`` throws, and `uncreatable`.
    package func preview(
        of path: String, _ wishes: PreviewWishes, voice: String? = nil, to goal: String, name: String
    ) throws(AudioError) -> PreviewFacts {
        let file = try SentFile(path, name: name)
        var files = [file]
        if let voice { files.append(try SentFile(voice, name: "the voice")) }
        let work = IntakeWork.preview(name: name, wishes: wishes)
        return try twice { () throws(AudioError) in
            let made = try Self.create(goal)
            let child = try previewChild(for: name)
            try child.begin(
                work, descriptors: [file.descriptor, made.file.raw] + files.dropFirst().map(\.descriptor))
            let reply = try child.reply(to: work, patience: Self.trackPatience)
            // Or it could still write to what is looked at and shown.
            child.finish()
            guard case .previewed(let facts) = reply, facts.isPossible(masterSeconds: nil),
                try Self.isPreview(made.temporaryPath, bytes: facts.bytes)
            else { throw child.nonsense(work) }
            do throws(FileError) { try made.commit() } catch { throw AudioError(error) }
            return facts
        }
    }

    /// Whether stems make up their mix: ``StemCheck``. Blocking.
    ///
    /// - Parameters:
    ///   - mix: a path.
    ///   - stems: 1 to ``StemCheck/mostStems`` paths.
    /// - Throws: ``AudioError``: `unsupported` for too many stems, and for one of another rate or length, which its number names.
    package func stems(_ stems: [String], of mix: String, name: String) throws(AudioError) -> StemFindings {
        guard (1...StemCheck.mostStems).contains(stems.count) else {
            throw .unsupported(name: name, reason: "a mix has 1 to \(StemCheck.mostStems) stems")
        }
        var files = [try SentFile(mix, name: name)]
        for (index, stem) in stems.enumerated() { files.append(try SentFile(stem, name: "stem \(index + 1)")) }
        let work = IntakeWork.checkStems(name: name)
        return try twice { () throws(AudioError) in
            let child = try child(for: name)
            try child.begin(work, descriptors: files.map(\.descriptor))
            guard case .checkedStems(let found) = try child.reply(to: work, patience: Self.trackPatience),
                found.isPossible(stems: stems.count)
            else { throw child.nonsense(work) }
            return found
        }
    }

    /// Where a recording lies in a track, and when the voice of its previews speaks in it: ``TaggedLeak``. Blocking.
    ///
    /// - Parameters:
    ///   - copy: a path; any bytes.
    ///   - master: a path, as is `voice`, what is said in previews.
    ///   - name: of the copy, for errors.
    /// - Throws: ``AudioError``: `undecodable`, `crashed`, ...
    package func trace(
        _ copy: String, in master: String, voice: String, name: String
    ) throws(AudioError) -> TaggedLeak {
        let files = [
            try SentFile(copy, name: name), try SentFile(master, name: "the master"),
            try SentFile(voice, name: "the voice"),
        ]
        let work = IntakeWork.trace(name: name)
        return try twice { () throws(AudioError) in
            let child = try child(for: name)
            try child.begin(work, descriptors: files.map(\.descriptor))
            guard case .traced(let found) = try child.reply(to: work, patience: Self.trackPatience), found.isPossible
            else { throw child.nonsense(work) }
            return found
        }
    }

    /// A child may have been killed for reasons of its own; two are the file's.
    private func twice<T>(_ body: () throws(AudioError) -> T) throws(AudioError) -> T {
        do throws(AudioError) { return try body() } catch .crashed { return try body() }
    }

    private func previewChild(for name: String) throws(AudioError) -> IntakeProcess {
        do throws(SystemError) { return try previewProcess() } catch {
            throw .uncreatable(path: "a process for \(name)", reason: .system(error))
        }
    }

    private static func create(_ path: String) throws(AudioError) -> AtomicFile {
        do throws(FileError) { return try AtomicFile.create(at: path) } catch {
            throw .uncreatable(path: path, reason: .system(error.error))
        }
    }

    /// Whether a file has the size that was told and begins as ours do: a tag of ID3 version 2.4, then a frame of MPEG layer III.
    private static func isPreview(_ path: String, bytes: Int64) throws(AudioError) -> Bool {
        var content: [UInt8] = []
        do throws(FileError) {
            try FileContent.read(path) { (piece) throws(FileError) in
                if content.count <= Int(mostPreviewBytes) { content.append(contentsOf: piece) }
            }
        } catch {
            throw AudioError(error)
        }
        guard content.count == Int(bytes), content.starts(with: [0x49, 0x44, 0x33, 4, 0]), content.count > 14,
            content[6..<10].allSatisfy({ $0 < 0x80 })
        else { return false }
        let frame = 10 + content[6..<10].reduce(0) { $0 << 7 | Int($1) }
        return frame + 2 <= content.count && content[frame] == 0xFF && content[frame + 1] & 0xE6 == 0xE2
    }
}

/// One of several files that are opened to be handed to a child.
private final class SentFile: Sendable {
    private let file: OpenedFile

    init(_ path: String, name: String) throws(AudioError) { file = try OpenedFile(path, name: name) }

    var descriptor: Int32 { file.descriptor }
}
