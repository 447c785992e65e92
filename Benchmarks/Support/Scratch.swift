internal import ChirpAudio
internal import ChirpCodecs
internal import Glibc

/// A folder for a benchmark's files, removed with it.
public final class Scratch: Sendable {
    public let path: String

    public init() {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        path = "\(folder)/chirp-benchmark-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        mkdir(path, 0o700)
    }

    deinit {
        for name in ["recording.wav", "clip.mp3"] { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a programme as a WAV and gives its path.
    public func recording(_ programme: Programme) throws -> String {
        let path = file("recording.wav")
        var writer = try TakeWriter(path: path, format: programme.format)
        try programme.forEachBlock { (block) throws(AudioError) in try writer.write(block) }
        try writer.finish()
        return path
    }
}
