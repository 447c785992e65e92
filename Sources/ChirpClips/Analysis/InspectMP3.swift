internal import ChirpAudio
internal import ChirpCodecs
internal import ChirpFiles
internal import ChirpMP3
internal import Glibc

/// What the frames and the info tag of an MP3 file say; nil for a file without any frame.
func inspectFrames(path: String) throws(AudioError) -> Inspection.MP3? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .missing(path: path, reason: .system(.current)) }
    defer { close(descriptor) }
    var stream = MP3FrameStream()
    var buffer = [UInt8](repeating: 0, count: 65536)
    var ticker = BlockTicker()
    while true {
        try ticker.check()
        let count = read(descriptor, &buffer, buffer.count)
        guard count >= 0 else { throw .inputOutput(path: path, reason: .system(.current)) }
        if count == 0 { break }
        stream.push(buffer.span.extracting(0..<count))
    }
    stream.finish()
    guard stream.frames > 0 else { return nil }
    return Inspection.MP3(
        bitrateKbps: Int(stream.averageKbps.rounded()), vbr: stream.variesRate,
        encoderDelay: stream.infoTag?.encoderDelay, padding: stream.infoTag?.padding, frames: stream.frames)
}
