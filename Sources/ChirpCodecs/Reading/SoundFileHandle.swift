internal import CSndfile
internal import ChirpAudio
internal import ChirpFiles
internal import Glibc

/// Owns one open libsndfile file.
struct SoundFileHandle: ~Copyable {
    let raw: OpaquePointer
    /// What the library reads through callbacks, with a reference of its own; nil when it reads a descriptor.
    private let source: Unmanaged<FileRange>?

    /// Opens a duplicate of the descriptor for reading; the library recognises the format by content.
    ///
    /// - Parameter info: filled in by the library.
    init(_ file: InputFile, info: inout SF_INFO) throws(AudioError) {
        // A stale field would be taken as a request for headerless audio.
        info = SF_INFO()
        // Only this library uses the offset that duplicates share; it takes the file to begin there.
        let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw .inputOutput(path: file.path, reason: .system(.current))
        }
        guard let raw = sf_open_fd(descriptor, Int32(SFM_READ), &info, Int32(SF_TRUE)) else {
            // On failure too the library closes the descriptor.
            throw Self.refusal(of: file)
        }
        self.raw = raw
        source = nil
    }

    /// Opens a part of a file for reading.
    ///
    /// - Parameter info: filled in by the library.
    init(_ range: FileRange, info: inout SF_INFO) throws(AudioError) {
        info = SF_INFO()
        var calls = SF_VIRTUAL_IO(
            get_filelen: soundLength, seek: soundSeek, read: soundRead, write: nil, tell: soundPosition)
        let source = Unmanaged.passRetained(range)
        // The library copies the table.
        guard let raw = sf_open_virtual(&calls, Int32(SFM_READ), &info, source.toOpaque()) else {
            source.release()
            if let failure = range.failure { throw failure }
            throw Self.refusal(of: range.file)
        }
        self.raw = raw
        self.source = source
    }

    deinit {
        sf_close(raw)
        source?.release()
    }

    /// The error for the call that failed just now.
    private static func refusal(of file: InputFile) -> AudioError {
        let words = String(cString: sf_strerror(nil))
        let head = (try? file.bytes(at: 0, count: 32)) ?? []
        return .undecodable(
            name: file.name, reason: DecoderRefusal.soundFile(words, head: head), detail: "libsndfile: \(words)")
    }
}

private func range(_ client: UnsafeMutableRawPointer?) -> FileRange? {
    client.map { Unmanaged<FileRange>.fromOpaque($0).takeUnretainedValue() }
}

private nonisolated func soundLength(_ client: UnsafeMutableRawPointer?) -> sf_count_t {
    sf_count_t(range(client)?.count ?? 0)
}

private nonisolated func soundSeek(_ offset: sf_count_t, _ whence: Int32, _ client: UnsafeMutableRawPointer?)
    -> sf_count_t
{
    sf_count_t(range(client)?.seek(offset: Int(offset), whence: whence) ?? -1)
}

private nonisolated func soundRead(
    _ buffer: UnsafeMutableRawPointer?, _ count: sf_count_t, _ client: UnsafeMutableRawPointer?
) -> sf_count_t {
    // Of a failure, which the range keeps, the library sees the end.
    sf_count_t(max(0, range(client)?.read(into: buffer, count: Int(count)) ?? 0))
}

private nonisolated func soundPosition(_ client: UnsafeMutableRawPointer?) -> sf_count_t {
    sf_count_t(range(client)?.position ?? 0)
}
