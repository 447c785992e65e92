internal import ChirpCore
internal import ChirpFiles
internal import Glibc

/// Where a hub puts its letters when no mail server is configured: a folder, one `.eml` file a letter (RFC 5322), which another
/// program sends or a person reads. A letter that is put there twice, because the hub was killed in between, is one file.
package struct LetterFolder: LetterPost {
    /// Made for its owner alone.
    let path: String

    package init(path: String) { self.path = path }

    package var isAtHand: Bool { true }

    package func send(_ message: LetterMessage) async throws(PostFailure) {
        let path = path
        try await offPool { () throws(PostFailure) in
            do throws(FileError) {
                guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileError(path: path) }
                try AtomicFile.write(message.bytes, to: "\(path)/\(message.id).eml", mode: 0o600)
            } catch {
                throw .later(error.description)
            }
        }
    }
}
