internal import ChirpAudio
internal import ChirpCodecs
internal import ChirpCore
internal import ChirpFiles
internal import Glibc

/// A file whose name is no UTF-8, named on this command line.
///
/// Names on Linux are bytes, but arguments come as text in which U+FFFD stands for what is no UTF-8, and by that text the file
/// cannot be opened. So the bytes are looked up where the system has put them.
struct RawName {
    /// As the user's shell gave it, for messages.
    private let text: String
    private let bytes: [CChar]

    /// Nil for every argument whose text says all.
    init?(_ argument: String) {
        guard argument.unicodeScalars.contains("\u{FFFD}") else { return nil }
        let found = (0..<Int(CommandLine.argc)).lazy.compactMap { CommandLine.unsafeArgv[$0] }.first { word in
            String(validatingCString: word) == nil && String(cString: word) == argument
        }
        guard let found else { return nil }
        text = argument
        bytes = Array(UnsafeBufferPointer(start: found, count: strlen(found) + 1))
    }

    /// A copy under a name that can be written down.
    ///
    /// - Throws: as `takeInput`.
    func spooled(into folder: String, limit: ByteCount, lasts: Bool) throws(AudioError) -> SpooledInput {
        let descriptor = open(bytes, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw .missing(path: text, reason: .system(.current)) }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, [S_IFREG, S_IFIFO].contains(facts.st_mode & S_IFMT) else {
            throw .missing(path: text, reason: "it is not a regular file")
        }
        return try spool(from: descriptor, into: folder, limit: limit, name: text, lasts: lasts)
    }
}
