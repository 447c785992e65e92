internal import ChirpAudio
internal import ChirpCore

/// Decodes what telephones and old archives hold (AAC, ALAC, AMR, WMA and others) through the program `ffmpeg`, which runs in a
/// child of its own and writes 32-bit samples at the file's own rate into a pipe.
///
/// The length is what arrives, never what a header says. Going back begins anew.
struct FFmpegDecoder: SourceDecoder, ~Copyable {
    let stream: SourceStream
    private(set) var notes: [AudioNote] = []
    private let program: FFmpegProgram
    private let name: String
    private let frameBytes: Int
    private var bytes: [UInt8] = []

    /// - Parameter kind: what the file is, with its article, such as "an M4A file".
    /// - Throws: `programMissing`, `undecodable` when there is no sound in it.
    init(_ file: InputFile, kind: String) throws(AudioError) {
        let program = try FFmpegProgram(
            reading: file, kind: kind,
            [
                "-map", "0:a:0", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags", "+bitexact", "-c:a",
                "pcm_f32le",
                "-f", "wav", "pipe:1",
            ])
        guard let format = try Self.format(program, name: file.name) else {
            switch program.ending() {
            case .exited: throw .undecodable(name: file.name, reason: "it is \(kind), but no sound is found in it")
            case let ending: throw .crashed(name: file.name, reason: "ffmpeg \(ending)")
            }
        }
        let channels = Int(format.littleEndian16(at: 2))
        guard format.littleEndian16(at: 0) == 3 || format.count >= 40, channels > 0 else {
            throw .undecodable(name: file.name, reason: "it is \(kind), and ffmpeg makes nothing of it")
        }
        let mask = format.count >= 24 ? format.littleEndian32(at: 20) : 0
        frameBytes = channels * MemoryLayout<Float>.stride
        name = file.name
        stream = SourceStream(
            sampleRate: Int(format.littleEndian32(at: 4)), channels: channels,
            layout: mask == 0
                ? ChannelLayout(usualFor: channels, assumed: true) : ChannelLayout(mask: mask, channels: channels),
            format: kind.split(separator: " ").dropFirst().prefix { $0 != "file" }.joined(separator: " "))
        self.program = program
    }

    /// Reads up to the samples (RIFF, as WavHeader).
    ///
    /// - Returns: the format chunk; nil when the program ended before, or wrote something else.
    private static func format(_ program: borrowing FFmpegProgram, name: String) throws(AudioError) -> [UInt8]? {
        let start = try program.read(count: 12, name: name)
        guard start.count == 12, start.starts(with: "RIFF".utf8) else { return nil }
        var format: [UInt8]?
        for _ in 0..<16 {
            let head = try program.read(count: 8, name: name)
            guard head.count == 8 else { return nil }
            if head.starts(with: "data".utf8) { return format }
            let length = Int(head.littleEndian32(at: 4))
            guard length <= 4096 else { return nil }
            let body = try program.read(count: length + length & 1, name: name)
            if head.starts(with: "fmt ".utf8), body.count >= 16 { format = body }
        }
        return nil
    }

    mutating func decode(into samples: inout [Float], at offset: Int, frames: Int) throws(AudioError) -> Int {
        let wanted = frames * frameBytes
        if bytes.count < wanted { bytes = [UInt8](repeating: 0, count: wanted) }
        // Taken out, so that the closure may use the rest of this value.
        var buffer: [UInt8] = []
        swap(&buffer, &bytes)
        defer { swap(&buffer, &bytes) }
        let outcome = buffer.withUnsafeMutableBytes { buffer in
            Result { () throws(AudioError) in
                try program.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(wanted)), name: name)
            }
        }
        let filled = try outcome.get()
        if filled < wanted, case .killed = program.ending() {
            notes = [.damaged(places: 1)]
        }
        let count = filled / frameBytes
        buffer.withUnsafeBytes { source in
            samples.withUnsafeMutableBytes { all in
                let start = offset * frameBytes
                all[start..<start + count * frameBytes].copyBytes(from: source[..<(count * frameBytes)])
            }
        }
        return count
    }

    mutating func seek(toFrame frame: Int) -> Int? { nil }
}
