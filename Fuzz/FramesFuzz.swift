import ChirpCodecs
import ChirpMP3

/// libFuzzer's entry: any bytes as an MP3 stream, in pieces whose sizes the first bytes decide. The parser must count the
/// same as when it gets everything at once, and account for every byte.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFrames(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    var whole = MP3FrameStream()
    whole.push(bytes.span)
    whole.finish()

    var pieces = MP3FrameStream()
    var frames = 0
    var start = 0
    while start < bytes.count {
        let end = min(bytes.count, start + 1 + Int(bytes[start % 16 % bytes.count]) * 7)
        pieces.push(bytes.span.extracting(start..<end)) { header, frame in
            precondition(frame.count == header.byteCount)
            frames += 1
        }
        start = end
    }
    pieces.finish { _, _ in frames += 1 }
    precondition(frames == whole.frames && pieces.frames == whole.frames)
    precondition(pieces.audioBytes == whole.audioBytes && pieces.strayBytes == whole.strayBytes)
    precondition(pieces.infoTag == whole.infoTag)
    precondition(
        whole.infoFrameBytes + whole.audioBytes + whole.strayBytes + whole.tagBytes == bytes.count, "bytes are missing")
    _ = (whole.averageKbps, whole.decodedFrames)
    return 0
}
