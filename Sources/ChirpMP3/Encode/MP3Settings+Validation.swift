public import ChirpAudio

extension MP3Settings {
    /// The sample rates of MPEG-1, 2 (ISO 11172-3, 13818-3) and 2.5 in hertz, ascending. An MP3 has one of these.
    public static let sampleRates = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000]

    /// The sample rate in hertz that an MP3 of a recording should have: the recording's own where MP3 has it, else the
    /// highest that divides it evenly (96 kHz: 48 kHz), else the next higher one, never above 48 kHz.
    ///
    /// - Parameter recording: hertz, 1 or more.
    public static func sampleRate(for recording: Int) -> Int {
        if recording > 48000, let even = [48000, 44100, 32000].first(where: { recording % $0 == 0 }) { return even }
        return sampleRates.first { $0 >= recording } ?? 48000
    }

    /// The constant rates in kbps that a sample rate allows, ascending; empty when MP3 has no such sample rate.
    ///
    /// 32 to 320 for MPEG-1 and 8 to 160 for MPEG-2 (ISO 11172-3 2.4.2.3, 13818-3 2.4.2.3); for MPEG-2.5, which no
    /// standard defines, LAME stops at 64.
    public static func constantRates(at sampleRate: Int) -> [Int] {
        guard sampleRates.contains(sampleRate) else { return [] }
        if sampleRate >= 32000 { return MP3FrameHeader.kbpsOfMPEG1 }
        return sampleRate >= 16000 ? MP3FrameHeader.kbpsOfMPEG2 : MP3FrameHeader.kbpsOfMPEG2.filter { $0 <= 64 }
    }

    /// Checks that an MP3 of this format can be made with these settings.
    ///
    /// - Throws: ``AudioError/settings(_:)`` with what is allowed instead; ``AudioError/unsupported(name:reason:)`` for
    ///   a sample rate or channel count that no MP3 has.
    public func validate(for format: AudioFormat) throws(AudioError) {
        let rates = Self.constantRates(at: format.sampleRate)
        guard let lowest = rates.first, let highest = rates.last, (1...2).contains(format.channels) else {
            throw .unsupported(
                name: "\(format)", reason: "an MP3 has one or two channels at 8 to 48 kHz")
        }
        guard (0...9).contains(quality) else { throw .settings("quality \(quality) is not between 0 and 9") }
        switch rate {
        case .constant(let kbps) where !rates.contains(kbps):
            let allowed = rates.map(String.init).joined(separator: ", ")
            throw .settings("\(kbps) kbps does not exist at \(format.sampleRate) Hz; there is \(allowed)")
        case .average(let kbps) where !(lowest...highest).contains(kbps):
            throw .settings(
                "an average of \(kbps) kbps is not between \(lowest) and \(highest), the range at \(format.sampleRate) Hz"
            )
        case .variable(let quality) where !(0...9).contains(quality):
            throw .settings("variable quality \(quality) is not between 0 (best) and 9")
        default: break
        }
    }
}
