internal import ChirpAudio
internal import ChirpCodecs
internal import ChirpCore
internal import ChirpFiles
internal import Glibc

/// A clip as programs that recognise speech want it: WAV, 16 kHz, one channel, 16 bits. The file has no name.
enum HearingFile {
    static let format = AudioFormat(sampleRate: 16_000, channels: 1)

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
        try write([UInt8](repeating: 0, count: MonoWAV.headBytes), to: file)
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
        try write(MonoWAV.head(frames: count / 2, rate: format.sampleRate), to: file)
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
            for index in plane.indices { MonoWAV.append(plane[index], to: &bytes) }
        }
        return bytes
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
