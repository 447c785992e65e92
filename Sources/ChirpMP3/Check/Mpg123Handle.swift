internal import CMpg123
internal import ChirpAudio

/// Owns one libmpg123 decoder.
struct Mpg123Handle: ~Copyable {
    let raw: OpaquePointer

    /// A decoder that gives 32-bit float in the stream's own rate, gapless where the stream says how.
    init() throws(AudioError) {
        // Needed by versions before 1.27 only, harmless afterwards; a static runs once and is thread-safe.
        _ = Self.library
        var code: Int32 = 0
        guard let raw = mpg123_new(nil, &code) else { throw .library(name: "libmpg123", code: Int(code)) }
        let flags = MPG123_QUIET.rawValue | MPG123_SKIP_ID3V2.rawValue | MPG123_GAPLESS.rawValue
        mpg123_param2(raw, Int32(MPG123_ADD_FLAGS.rawValue), Int(flags), 0)
        // Its resampler is coarse, and walks through as many frames as the stream announces: minutes for two billion.
        mpg123_param2(raw, Int32(MPG123_REMOVE_FLAGS.rawValue), Int(MPG123_AUTO_RESAMPLE.rawValue), 0)
        // Junk between frames is searched through to the end of the file: linear in its size.
        mpg123_param2(raw, Int32(MPG123_RESYNC_LIMIT.rawValue), -1, 0)
        self.raw = raw
    }

    deinit { mpg123_delete(raw) }

    /// Begins to read a part of a file. The library holds a reference to it until it is closed.
    borrowing func open(_ source: FileRange) -> Int32 {
        mpg123_replace_reader_handle(raw, mpegRead, mpegSeek, mpegClose)
        return mpg123_open_handle(raw, Unmanaged.passRetained(source).toOpaque())
    }

    private static let library = mpg123_init()
}

private func range(_ handle: UnsafeMutableRawPointer?) -> FileRange? {
    handle.map { Unmanaged<FileRange>.fromOpaque($0).takeUnretainedValue() }
}

private nonisolated func mpegRead(
    _ handle: UnsafeMutableRawPointer?, _ buffer: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
    range(handle)?.read(into: buffer, count: count) ?? -1
}

private nonisolated func mpegSeek(_ handle: UnsafeMutableRawPointer?, _ offset: Int, _ whence: Int32) -> Int {
    range(handle)?.seek(offset: offset, whence: whence) ?? -1
}

private nonisolated func mpegClose(_ handle: UnsafeMutableRawPointer?) {
    if let handle { Unmanaged<FileRange>.fromOpaque(handle).release() }
}
