import ChirpAudio
import ChirpCodecs
import Glibc

/// libFuzzer's entry: any bytes as a file. Opening, reading all, tags, notes and a jump must end, in bounded memory, with
/// an error of the seam or with samples that LAME survives.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReader(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    guard ftruncate(scratch, 0) == 0, pwrite(scratch, data, size, 0) == size else { return -1 }
    // Enough for whole frames of every coding; a bomb is stopped soon.
    let limits = ReaderLimits(maximumLength: .seconds(20), maximumTagBytes: 1 << 20)
    do throws(AudioError) {
        var file = try AudioFile(opening: path, name: "fuzz", limits: limits)
        var block = AudioBlock(format: file.format, capacity: 1000)
        var frames = 0
        while try file.read(into: &block) {
            frames += block.frames
            for channel in 0..<file.format.channels {
                block.withPlane(channel) { plane in
                    // Eight channels of the largest sample, mixed, stay below this.
                    for index in plane.indices { precondition(abs(plane[index]) <= 8 * 65_536) }
                }
            }
        }
        let isMore = try file.read(into: &block)
        precondition(file.position == frames && !isMore)
        _ = file.sourceTags
        for note in file.notes { precondition(!note.text.isEmpty) }
        try file.seek(toFrame: frames / 2)
        while try file.read(into: &block) {}
    } catch {
        precondition(!error.whatHappened.isEmpty)
    }
    return 0
}

/// A file in memory, rewritten for each input, and a path that opens it anew.
private let scratch: Int32 = {
    var template = Array("/dev/shm/chirp-fuzz-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    unlink(template)
    return descriptor
}()
private let path = "/proc/self/fd/\(scratch)"
