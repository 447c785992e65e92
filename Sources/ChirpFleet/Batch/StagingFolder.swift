internal import ChirpAudio
internal import ChirpCore
internal import ChirpFiles
internal import ChirpFlows

// In a debug build the fields of stat(2) belong to this module.
internal import CDispatch
internal import Glibc

/// The folder beside the clips in which workers leave what they have made, until the batch puts it into its place.
///
/// It is opened once, and everything in it is reached by the open folder: workers may write in it, and some may be strangers.
final class StagingFolder: Sendable {
    /// Without links.
    let path: String
    /// Open.
    let descriptor: Int32

    /// Makes it below the folder of the clips when it is not there.
    init(in target: String) throws(AudioError) {
        path = "\(target)/\(StagedName.folder)"
        // Workers may run under other accounts of the same group; the mask of the batch decides.
        if mkdir(path, 0o777) != 0 && errno != EEXIST { throw .uncreatable(path: path, reason: .system(.current)) }
        descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .uncreatable(path: path, reason: "it is no folder") }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// A draft, open for reading; nil when there is none, or it is a link or no regular file.
    ///
    /// - Parameter name: one that ``StagedName/isOne(_:of:)``.
    func draft(_ name: String) -> SourceFile? {
        let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return nil }
        return try? SourceFile(adoptingRegular: file, name: name)
    }

    func remove(_ name: String) { unlinkat(descriptor, name, 0) }

    /// Nothing is waited for any more: removes it with what dead workers have left in it.
    func removeAll() {
        let folder = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
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
