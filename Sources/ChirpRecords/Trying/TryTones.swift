internal import ChirpMusic

/// What is played while somebody records, as a WAV (RIFF, PCM of 16 bits, mono). The same code gives the same bytes.
enum TryTones: String, CaseIterable {
    case start, stop

    /// In hertz: the tones end at 3.2 kHz, and everything plays it.
    static let rate = 16_000

    func wav(_ code: AttemptCode) -> [UInt8] {
        let samples =
            self == .start
            ? StartSignal.samples(code: code, rate: Self.rate) : StartSignal.stopSamples(rate: Self.rate)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(44 + samples.count * 2)
        func append(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
        bytes += "RIFF".utf8
        append(UInt32(36 + samples.count * 2))
        bytes += "WAVEfmt ".utf8
        append(UInt32(16))
        append(UInt16(1))
        append(UInt16(1))
        append(UInt32(Self.rate))
        append(UInt32(Self.rate * 2))
        append(UInt16(2))
        append(UInt16(16))
        bytes += "data".utf8
        append(UInt32(samples.count * 2))
        for sample in samples { append(Int16((min(max(sample, -1), 1) * 32_767).rounded())) }
        return bytes
    }
}
