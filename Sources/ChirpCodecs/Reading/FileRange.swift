internal import ChirpAudio
internal import Glibc

/// A part of a file that a C library reads through callbacks, with the position that such libraries keep outside.
///
/// A class because C holds a pointer to it; it moves bytes and nothing else. Used by one thread.
final class FileRange {
    let file: InputFile
    let range: Range<Int>
    /// From the start of the range.
    private(set) var position = 0
    /// What a callback could not throw across C; the caller throws it afterwards.
    private(set) var failure: AudioError?

    init(_ file: InputFile, range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= max(file.size, range.lowerBound))
        self.file = file
        self.range = range
    }

    /// Fills a buffer as far as the range goes; -1 after a failure, as POSIX read does.
    func read(into buffer: UnsafeMutableRawPointer?, count: Int) -> Int {
        let wanted = min(count, range.count - position)
        guard failure == nil else { return -1 }
        guard let buffer, wanted > 0 else { return 0 }
        do throws(AudioError) {
            let target = UnsafeMutableRawBufferPointer(start: buffer, count: wanted)
            let read = try file.read(at: range.lowerBound + position, into: target)
            position += read
            return read
        } catch {
            failure = error
            return -1
        }
    }

    /// As POSIX lseek; -1 when the target lies outside.
    func seek(offset: Int, whence: Int32) -> Int {
        let base = whence == SEEK_CUR ? position : whence == SEEK_END ? range.count : 0
        let (target, overflow) = base.addingReportingOverflow(offset)
        guard !overflow, (0...range.count).contains(target) else { return -1 }
        position = target
        return target
    }
}
