internal import ChirpAudio
internal import Glibc

/// A part of a file, or several read as one, that a C library reads through callbacks, with the position that such libraries
/// keep outside.
///
/// A class because C holds a pointer to it; it moves bytes and nothing else. Used by one thread.
final class FileRange {
    let file: InputFile
    /// The part, or the whole file when there are several.
    let range: Range<Int>
    private let pieces: FilePieces?
    /// From the start of the range.
    private(set) var position = 0
    /// What a callback could not throw across C; the caller throws it afterwards.
    private(set) var failure: AudioError?

    init(_ file: InputFile, range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= max(file.size, range.lowerBound))
        self.file = file
        self.range = range
        pieces = nil
    }

    init(_ file: InputFile, pieces: FilePieces) {
        self.file = file
        range = 0..<file.size
        self.pieces = pieces
    }

    /// In bytes.
    var count: Int { pieces?.count ?? range.count }

    /// Fills a buffer as far as the range goes; -1 after a failure, as POSIX read does.
    func read(into buffer: UnsafeMutableRawPointer?, count: Int) -> Int {
        guard failure == nil else { return -1 }
        guard let buffer else { return 0 }
        let wanted = min(count, self.count - position)
        var done = 0
        do throws(AudioError) {
            while done < wanted {
                let (offset, run) = pieces?.place(of: position) ?? (range.lowerBound + position, range.count - position)
                let step = min(wanted - done, run)
                let read = try file.read(
                    at: offset, into: UnsafeMutableRawBufferPointer(start: buffer + done, count: step))
                position += read
                done += read
                if read < step { break }
            }
            return done
        } catch {
            failure = error
            return -1
        }
    }

    /// As POSIX lseek; -1 when the target lies outside.
    func seek(offset: Int, whence: Int32) -> Int {
        let base = whence == SEEK_CUR ? position : whence == SEEK_END ? count : 0
        let (target, overflow) = base.addingReportingOverflow(offset)
        guard !overflow, (0...count).contains(target) else { return -1 }
        position = target
        return target
    }
}
