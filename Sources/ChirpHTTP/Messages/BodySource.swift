internal import ChirpFiles
import Glibc

/// Reads an ``HTTPBody`` while it is sent: any number of bytes at a time, from any offset again.
struct BodySource: ~Copyable {
    private let body: HTTPBody
    private var segment = 0
    /// How far into the segment.
    private var position: Int64 = 0
    private var file: OpenFile?

    init(_ body: HTTPBody) {
        self.body = body
    }

    /// Fills the buffer as far as one segment goes; 0 at the end.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(HTTPError) -> Int {
        while segment < body.segments.count {
            let left = body.segments[segment].count - position
            if left <= 0 {
                segment += 1
                position = 0
                file = nil
                continue
            }
            let wanted = Int(min(left, Int64(buffer.count)))
            let got: Int
            switch body.segments[segment] {
            case .bytes(let bytes):
                let start = Int(position)
                buffer.copyBytes(from: bytes[start..<start + wanted])
                got = wanted
            case .file(let path, let offset, _):
                got = try readFile(path, into: buffer, wanted: wanted, at: offset + position)
            }
            position += Int64(got)
            return got
        }
        return 0
    }

    /// Goes to a byte of the whole body, as when it must be sent again.
    mutating func seek(to offset: Int64) {
        file = nil
        segment = 0
        position = offset
        while segment < body.segments.count, position >= body.segments[segment].count {
            position -= body.segments[segment].count
            segment += 1
        }
    }

    private mutating func readFile(
        _ path: String, into buffer: UnsafeMutableRawBufferPointer, wanted: Int, at offset: Int64
    ) throws(HTTPError) -> Int {
        if file == nil {
            do throws(FileError) { file = try OpenFile(path, flags: O_RDONLY) } catch { throw HTTPError(error) }
        }
        let raw = file?.raw ?? -1
        var got = -1
        repeat { got = pread(raw, buffer.baseAddress, wanted, off_t(offset)) } while got < 0 && errno == EINTR
        guard got >= 0 else { throw HTTPError(FileError(path: path)) }
        guard got > 0 else { throw .inputOutput(path: path, reason: "it became shorter while it was sent") }
        return got
    }
}
