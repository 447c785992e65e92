internal import ChirpAudio
internal import ChirpCodecs
internal import ChirpFlows
internal import Foundation
internal import ChirpCore
// In a debug build the fields of stat(2) belong to this module.
internal import CDispatch
internal import Glibc

/// The folder beside the clips in which workers leave what they have made, until the batch puts it into its place.
final class DraftFolder: Sendable {
    /// Without links.
    let path: String

    /// Makes it below the folder of the clips when it is not there.
    init(in target: String) throws(AudioError) {
        path = "\(target)/\(DraftName.folder)"
        // Workers may run under other accounts of the same group; the mask of the batch decides.
        if mkdir(path, 0o777) != 0 && errno != EEXIST { throw .uncreatable(path: path, reason: systemWords(errno)) }
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
            throw .uncreatable(path: path, reason: "it is no folder")
        }
    }

    func path(of name: String) -> String { "\(path)/\(name)" }

    /// Writes a clip that came in a message.
    func write(_ data: Data, as name: String) throws(AudioError) {
        let path = path(of: name)
        do { try data.write(to: URL(filePath: path)) } catch {
            throw .inputOutput(path: path, reason: "it cannot be written")
        }
    }

    func remove(_ name: String) { unlink(path(of: name)) }

    /// Nothing is waited for any more: removes it with what dead workers have left in it.
    func removeAll() {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0, let directory = fdopendir(folder) else { return }
        while let entry = readdir(directory) {
            let name = entryName(entry)
            // Drafts, and what the audio path makes them of.
            guard name.suffix(4).elementsEqual(".mp3".utf8) || name.starts(with: ".chirp-".utf8) else { continue }
            _ = BatchPath(name).withCString { unlinkat(folder, $0, 0) }
        }
        closedir(directory)
        rmdir(path)
    }
}
