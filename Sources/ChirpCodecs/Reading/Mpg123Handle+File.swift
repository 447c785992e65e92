internal import CMpg123
internal import ChirpMP3

extension Mpg123Handle {
    /// Begins to read a part of a file. The library holds a reference to it until it is closed.
    borrowing func open(_ source: FileRange) -> Int32 {
        mpg123_replace_reader_handle(raw, mpegRead, mpegSeek, mpegClose)
        return mpg123_open_handle(raw, Unmanaged.passRetained(source).toOpaque())
    }
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
