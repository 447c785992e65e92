internal import CSndfile
internal import ChirpAudio
internal import Glibc

/// Owns one open libsndfile file.
struct SoundFileHandle: ~Copyable {
    let raw: OpaquePointer

    /// Opens a duplicate of the descriptor for reading; the library recognises the format by content.
    ///
    /// - Parameter info: filled in by the library.
    init(_ file: InputFile, info: inout SF_INFO) throws(AudioError) {
        // A stale field would be taken as a request for headerless audio.
        info = SF_INFO()
        // Only this library uses the offset that duplicates share; it takes the file to begin there.
        let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw .inputOutput(path: file.path, reason: systemReason(errno))
        }
        guard let raw = sf_open_fd(descriptor, Int32(SFM_READ), &info, Int32(SF_TRUE)) else {
            // On failure too the library closes the descriptor.
            let reason = String(cString: sf_strerror(nil))
            throw .undecodable(name: file.name, reason: SoundFileHandle.words(reason))
        }
        self.raw = raw
    }

    deinit { sf_close(raw) }

    /// The library's words as part of a sentence.
    static func words(_ reason: String) -> String {
        let trimmed = reason.last == "." ? String(reason.dropLast()) : reason
        return trimmed.isEmpty ? "its format is not recognised" : trimmed
    }
}
