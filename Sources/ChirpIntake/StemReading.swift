package import ChirpAudio
internal import ChirpClips
internal import ChirpCodecs
package import ChirpMusic

/// Reads a mix and its stems side by side.
package enum StemReading {
    /// By how much a stem may be shorter or longer than its mix, in seconds: silence stands for what is missing.
    static let slack = 5.0

    /// - Throws: ``AudioError``; `unsupported` for stems of another rate than the mix, or much longer or shorter, or a mix that is too long.
    package static func check(mix: String, stems: [String], name: String) throws(AudioError) -> StemFindings {
        let whole = try StemFile(opening: mix, name: name, shape: nil)
        let shape = whole.format
        var parts: [StemFile] = []
        for (index, stem) in stems.enumerated() {
            parts.append(try StemFile(opening: stem, name: "stem \(index + 1)", shape: shape))
        }
        var check = StemCheck(stems: stems.count, rate: shape.sampleRate)
        while true {
            guard !Task.isCancelled else { throw .cancelled }
            let piece = try whole.next()
            var others: [[[Float]]] = []
            for part in parts { others.append(try part.next()) }
            let frames = ([piece] + others).map { $0[0].count }.max() ?? 0
            guard frames > 0 else { break }
            check.add(mix: filled(piece, to: frames), stems: others.map { filled($0, to: frames) })
        }
        for part in parts where abs(part.frames - whole.frames) > Int(slack * Double(shape.sampleRate)) {
            throw .unsupported(
                name: part.name,
                reason:
                    "it is \(part.frames / shape.sampleRate) s long, and the mix \(whole.frames / shape.sampleRate) s")
        }
        return check.finish()
    }

    private static func filled(_ piece: [[Float]], to frames: Int) -> [[Float]] {
        piece.map { $0 + [Float](repeating: 0, count: frames - $0.count) }
    }
}

/// One file, read block by block in the channels of the mix.
private final class StemFile {
    let name: String
    /// As the mix is given: rate and channels.
    let format: AudioFormat
    private(set) var frames = 0
    private var file: AudioFile
    private var block: AudioBlock
    private var shaped: AudioBlock

    /// - Parameter shape: of the mix; nil for the mix itself.
    init(opening path: String, name: String, shape: AudioFormat?) throws(AudioError) {
        var limits = ReaderLimits.default
        limits.maximumLength = PreviewRules.longestMaster
        let file = try AudioFile(opening: path, name: name, limits: limits)
        if let shape, file.format.sampleRate != shape.sampleRate {
            throw .unsupported(
                name: name,
                reason: "it has \(file.format.sampleRate) samples a second, and the mix \(shape.sampleRate)")
        }
        self.name = name
        format = shape ?? file.format
        block = AudioBlock(format: file.format)
        shaped = AudioBlock(format: format)
        self.file = file
    }

    /// A piece of each channel; of no samples at the end.
    func next() throws(AudioError) -> [[Float]] {
        guard try file.read(into: &block) else { return Array(repeating: [], count: format.channels) }
        frames += block.frames
        mix(block, into: &shaped)
        return (0..<format.channels).map { channel in
            // Two channels of a mono mix are each other's equal, so nothing is lost by taking one of a stem.
            shaped.withPlane(channel) { plane in plane.withUnsafeBufferPointer { Array($0) } }
        }
    }
}
