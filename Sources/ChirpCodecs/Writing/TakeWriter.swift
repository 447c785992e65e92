public import ChirpAudio
internal import ChirpCore
internal import ChirpFiles
internal import Glibc

/// Writes a recording as it comes, into a WAV that can be read at any time, also after `kill -9` or a power cut.
///
/// The file is 32-bit Float (WAVE_FORMAT_IEEE_FLOAT, with its `fact` chunk): the microphone's samples exactly, so that a
/// quiet take can be raised by 40 dB without quantisation noise. The sizes in the header are put right after every block,
/// always after the samples they count, so that a reader finds whole frames whenever the writer dies; and once in two
/// seconds everything is flushed to the disk.
public struct TakeWriter: AudioWriter, ~Copyable {
    /// RIFF sizes are 32-bit: no more frames fit. 3 h of 48 kHz stereo, 6 h of mono.
    public static let maximumBytes = Int(UInt32.max) - Self.headerBytes

    private static let headerBytes = 58
    private static let flushInterval: Duration = .seconds(2)

    public let format: AudioFormat
    public let path: String
    /// Frames that are in the file.
    public private(set) var frames = 0
    private let file: TakeFile
    private var bytes: [UInt8] = []
    private let framesPerFlush: Int
    private var unflushed = 0

    /// Makes the file, which must not exist, readable by its owner alone. It is a valid WAV of no frames at once.
    ///
    /// - Throws: ``AudioError/uncreatable(path:reason:)``.
    public init(path: String, format: AudioFormat) throws(AudioError) {
        let file = try TakeFile(creating: path)
        do throws(AudioError) {
            try file.write(Self.header(format: format, frames: 0), at: 0, path: path)
            try file.flush(path: path)
        } catch {
            unlink(path)
            throw error
        }
        self.file = file
        self.path = path
        self.format = format
        framesPerFlush = format.frames(in: Self.flushInterval)
    }

    /// Whether so many more frames fit.
    public func hasRoom(forFrames count: Int) -> Bool {
        (frames + count) * format.channels * 4 <= Self.maximumBytes
    }

    public mutating func write(_ block: borrowing AudioBlock) throws(AudioError) {
        precondition(block.format == format)
        guard block.frames > 0 else { return }
        guard hasRoom(forFrames: block.frames) else {
            throw .inputOutput(path: path, reason: "a WAV cannot be larger than 4 GB")
        }
        interleave(block)
        try file.write(bytes, at: Self.headerBytes + frames * format.channels * 4, path: path)
        frames += block.frames
        // The samples are in the file before the header counts them.
        try file.write(Self.header(format: format, frames: frames), at: 0, path: path)
        unflushed += block.frames
        if unflushed >= framesPerFlush {
            unflushed = 0
            try file.flush(path: path)
        }
    }

    /// Flushes to the disk. The file stays where it is also without it.
    public consuming func finish() throws(AudioError) {
        try file.flush(path: path)
    }

    private mutating func interleave(_ block: borrowing AudioBlock) {
        let channels = format.channels
        let count = block.frames
        bytes.removeAll(keepingCapacity: true)
        bytes.reserveCapacity(count * channels * 4)
        bytes.append(contentsOf: repeatElement(0, count: count * channels * 4))
        for channel in 0..<channels {
            bytes.withUnsafeMutableBytes { target in
                block.withPlane(channel) { plane in
                    for index in 0..<plane.count {
                        target.storeBytes(
                            of: plane[index].bitPattern.littleEndian, toByteOffset: (index * channels + channel) * 4,
                            as: UInt32.self)
                    }
                }
            }
        }
    }

    /// RIFF, fmt with an empty extension, fact, data ("Multimedia Programming Interface and Data Specifications 1.0" and
    /// "New Multimedia Data Types and Data Techniques 3.0").
    private static func header(format: AudioFormat, frames: Int) -> [UInt8] {
        let frameBytes = format.channels * 4
        let data = frames * frameBytes
        var header: [UInt8] = []
        header.reserveCapacity(headerBytes)
        func text(_ value: StaticString) { value.withUTF8Buffer { header.append(contentsOf: $0) } }
        func word(_ value: Int) { for shift in [0, 8] { header.append(UInt8(truncatingIfNeeded: value >> shift)) } }
        func long(_ value: Int) {
            for shift in [0, 8, 16, 24] { header.append(UInt8(truncatingIfNeeded: value >> shift)) }
        }
        text("RIFF")
        long(headerBytes - 8 + data)
        text("WAVEfmt ")
        long(18)
        word(3)  // IEEE float
        word(format.channels)
        long(format.sampleRate)
        long(format.sampleRate * frameBytes)
        word(frameBytes)
        word(32)
        word(0)
        text("fact")
        long(4)
        long(frames)
        text("data")
        long(data)
        return header
    }
}

/// The open file of a take.
private struct TakeFile: ~Copyable {
    private let descriptor: Int32

    init(creating path: String) throws(AudioError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .uncreatable(path: path, reason: .system(.current)) }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    func write(_ bytes: [UInt8], at offset: Int, path: String) throws(AudioError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done, off_t(offset + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .inputOutput(path: path, reason: .system(.current)) }
            done += count
        }
    }

    func flush(path: String) throws(AudioError) {
        guard fdatasync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
            throw .inputOutput(path: path, reason: .system(.current))
        }
    }
}
