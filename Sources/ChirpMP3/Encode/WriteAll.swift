internal import ChirpAudio
internal import ChirpFiles
internal import Glibc

/// Writes all bytes to an open file.
///
/// - Parameter name: for the error.
func writeAll(_ bytes: borrowing Span<UInt8>, to descriptor: Int32, name: String) throws(AudioError) {
    do throws(FileError) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(FileError) in
            try OpenFile.write(UnsafeRawBufferPointer(bytes), to: descriptor, name: name)
        }
    } catch {
        throw AudioError(error)
    }
}

/// Writes all bytes at a place of a regular file; its position stays.
func writeAll(
    _ bytes: borrowing Span<UInt8>, at offset: Int, to descriptor: Int32, name: String
) throws(AudioError) {
    var done = 0
    while done < bytes.count {
        let count = bytes.extracting(done..<bytes.count).withUnsafeBufferPointer { rest in
            pwrite(descriptor, rest.baseAddress, rest.count, offset + done)
        }
        let code = errno
        if count >= 0 {
            done += count
        } else if code != EINTR {
            throw .inputOutput(path: name, reason: .system(SystemError(code: code)))
        }
    }
}
