internal import ChirpAudio
internal import ChirpCodecs
internal import ChirpCore
internal import ChirpFiles
internal import Glibc

/// A clip as programs that recognise speech want it: WAV, 16 kHz, one channel, 16 bits. The file has no name.
enum HearingFile {
    static let format = AudioFormat(sampleRate: 16_000, channels: 1)
    private static let headBytes = 44

    /// - Returns: open for reading alone, at its beginning.
    static func written(
        _ reader: consuming IntakeReader, in folder: String
    ) throws(AudioError) -> OpenFile {
        let path = "\(folder)/hearing-\(RandomName(length: 20))"
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .uncreatable(path: path, reason: .system(.current)) }
        unlink(path)
        let file = OpenFile(adopting: descriptor)
        var count = 0
        try write([UInt8](repeating: 0, count: headBytes), to: file)
        var block = AudioBlock(format: reader.format)
        var mono = AudioBlock(format: AudioFormat(sampleRate: reader.format.sampleRate, channels: 1))
        var out = AudioBlock(format: format)
        var resampler: Resampler? =
            reader.format.sampleRate == format.sampleRate
            ? nil : try Resampler(from: mono.format, to: format.sampleRate)
        while try reader.read(into: &block) {
            guard !Task.isCancelled else { throw .cancelled }
            mix(block, into: &mono)
            if resampler == nil {
                count += try write(samples(mono), to: file)
            } else {
                resampler?.add(mono)
                while try resampler?.take(into: &out) ?? false { count += try write(samples(out), to: file) }
            }
        }
        while try resampler?.drain(into: &out) ?? false { count += try write(samples(out), to: file) }
        guard lseek(file.raw, 0, SEEK_SET) == 0 else { throw .inputOutput(path: path, reason: .system(.current)) }
        try write(head(bytes: count), to: file)
        let readable = open("/proc/self/fd/\(file.raw)", O_RDONLY | O_CLOEXEC)
        guard readable >= 0 else { throw .inputOutput(path: path, reason: .system(.current)) }
        return OpenFile(adopting: readable)
    }

    private static func mix(_ block: borrowing AudioBlock, into mono: inout AudioBlock) {
        var mixed = [Float](repeating: 0, count: block.frames)
        let share = 1 / Float(block.format.channels)
        for channel in 0..<block.format.channels {
            block.withPlane(channel) { plane in
                for index in plane.indices { mixed[index] += share * plane[index] }
            }
        }
        mono.resize(toFrames: mixed.count)
        mono.withMutablePlane(0) { plane in
            for index in plane.indices { plane[index] = mixed[index] }
        }
    }

    private static func samples(_ block: borrowing AudioBlock) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * block.frames)
        block.withPlane(0) { plane in
            for index in plane.indices {
                let sample = Int16((min(max(plane[index], -1), 1) * 32767).rounded())
                bytes.append(UInt8(truncatingIfNeeded: sample))
                bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
            }
        }
        return bytes
    }

    /// RIFF, as Microsoft describes PCM of 16 bits.
    private static func head(bytes: Int) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        var head = Array("RIFF".utf8) + number(headBytes - 8 + bytes, 4) + Array("WAVEfmt ".utf8)
        head += number(16, 4) + number(1, 2) + number(1, 2) + number(format.sampleRate, 4)
        head += number(2 * format.sampleRate, 4) + number(2, 2) + number(16, 2)
        return head + Array("data".utf8) + number(bytes, 4)
    }

    @discardableResult
    private static func write(_ bytes: [UInt8], to file: borrowing OpenFile) throws(AudioError) -> Int {
        let raw = file.raw
        let outcome = bytes.withUnsafeBytes { bytes in
            Result { () throws(FileError) in try OpenFile.write(bytes, to: raw, name: "a sound for a program") }
        }
        do { try outcome.get() } catch { throw AudioError(error) }
        return bytes.count
    }
}
