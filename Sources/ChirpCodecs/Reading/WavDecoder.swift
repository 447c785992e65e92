internal import ChirpAudio

/// Decodes the samples of a WAV, RF64 or BW64 file, in files and in spooled streams of any announced size.
///
/// Own code rather than libsndfile because that reads nothing from a stream that announces 0 bytes, shortens truncated
/// files silently and announces nonsense for streams.
struct WavDecoder: SourceDecoder, ~Copyable {
    let stream: SourceStream
    private(set) var notes: [AudioNote]
    private let file: InputFile
    private let samples: WavSampleFormat
    private let frameBytes: Int
    private var end: Int
    private let start: Int
    private var offset: Int
    private var buffer: [UInt8]

    init(_ file: InputFile, header: WavHeader, samples: WavSampleFormat) {
        self.file = file
        self.samples = samples
        frameBytes = header.frameBytes
        start = header.data.lowerBound
        end = start + header.frames * header.frameBytes
        offset = start
        stream = SourceStream(
            sampleRate: header.sampleRate, channels: header.channels, layout: header.layout,
            format: "\(header.container) \(samples.name)", certainFrames: header.frames,
            announcedFrames: header.frames + header.missingBytes / header.frameBytes, canBeInvalid: samples.isFloat)
        var notes: [AudioNote] = []
        if header.missingBytes > 0 {
            let frames = Double(header.missingBytes) / Double(header.frameBytes)
            let seconds = frames / Double(header.sampleRate)
            // Thirty years are no promise but a mistake.
            notes.append(.truncated(missingSeconds: seconds < 1e9 ? seconds : nil))
        }
        if let repair = header.repair { notes.append(.headerRepaired(repair)) }
        self.notes = notes
        // One read per block of usual size, and a bounded one for frames of any size.
        buffer = [UInt8](repeating: 0, count: max(1, 65_536 / header.frameBytes) * header.frameBytes)
    }

    mutating func decode(into samples: inout [Float], at first: Int, frames: Int) throws(AudioError) -> Int {
        let wanted = min(frames * frameBytes, end - offset, buffer.count)
        guard wanted > 0 else { return 0 }
        let file = file
        let offset = offset
        let outcome = buffer.withUnsafeMutableBytes { bytes in
            Result { () throws(AudioError) in
                try file.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(wanted)))
            }
        }
        let count = try outcome.get() / frameBytes
        if count == 0 {
            // The file has become shorter since it was opened.
            let missing = Double((end - offset) / frameBytes) / Double(stream.sampleRate)
            notes.append(.truncated(missingSeconds: missing))
            end = offset
            return 0
        }
        let (format, channels) = (self.samples, stream.channels)
        buffer.withUnsafeBytes { source in
            samples.withUnsafeMutableBufferPointer { all in
                let target = all[first * channels..<(first + count) * channels]
                format.convert(source, into: UnsafeMutableBufferPointer(rebasing: target))
            }
        }
        self.offset += count * frameBytes
        return count
    }

    mutating func seek(toFrame frame: Int) -> Int? {
        let target = min(frame, (end - start) / frameBytes)
        offset = start + target * frameBytes
        return target
    }
}
