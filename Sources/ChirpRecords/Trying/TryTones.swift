internal import ChirpAudio
internal import ChirpMusic

/// What is played while somebody records, as a WAV. The same code gives the same bytes.
enum TryTones: String, CaseIterable {
    case start, stop

    /// In hertz: the tones end at 3.2 kHz, and everything plays it.
    static let rate = 16_000

    func wav(_ code: AttemptCode) -> [UInt8] {
        let samples =
            self == .start
            ? StartSignal.samples(code: code, rate: Self.rate) : StartSignal.stopSamples(rate: Self.rate)
        return MonoWAV.file(samples, rate: Self.rate)
    }
}
