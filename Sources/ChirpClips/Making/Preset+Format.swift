public import ChirpAudio
internal import ChirpCodecs
public import ChirpMP3

extension Preset {
    /// The channels and the sample rate of a clip.
    ///
    /// The recording's own rate where MP3 has it, otherwise the nearest that suits. Low bit rates get a lower sample rate,
    /// where LAME would silently choose one itself (mono up to 56 kbps and stereo up to 96 have at most 32 kHz); high ones
    /// get a rate that allows them (above 160 kbps MPEG-1, at least 32 kHz; above 64 kbps at least 16 kHz).
    /// - Parameters:
    ///   - recording: mono or stereo.
    ///   - settings: of the clip.
    public func clipFormat(for recording: AudioFormat, settings: MP3Settings) -> AudioFormat {
        let channels = min(self.channels, recording.channels)
        var rate = MP3Settings.sampleRate(for: recording.sampleRate)
        var limit = self == .tiny ? 24000 : 48000
        switch settings.rate {
        case .constant(let kbps), .average(let kbps):
            limit = min(limit, Self.highestRate(kbps: kbps, channels: channels))
            let least = kbps > 160 ? 32000 : kbps > 64 ? 16000 : 0
            limit = max(limit, least)
            if rate < least { rate = Self.raised(rate, to: least) }
        case .variable: break
        }
        return AudioFormat(sampleRate: rate > limit ? Self.lowered(rate, to: limit) : rate, channels: channels)
    }

    /// The highest sample rate at which so few bits still sound better than a lower one would.
    private static func highestRate(kbps: Int, channels: Int) -> Int {
        // Joint stereo needs about 1.6 times what mono needs.
        let asMono = channels == 2 ? kbps * 5 / 8 : kbps
        return switch asMono {
        case ...12: 12000
        case ...20: 16000
        case ...40: 24000
        case ...56: 32000
        default: 48000
        }
    }

    /// The lowest rate from `least` on, if possible an even multiple.
    private static func raised(_ rate: Int, to least: Int) -> Int {
        let rates = MP3Settings.sampleRates.filter { $0 >= least }
        return rates.first { $0 % rate == 0 } ?? rates.first ?? rate
    }

    /// The highest rate up to `limit`; an even part of the rate if it is not much lower.
    private static func lowered(_ rate: Int, to limit: Int) -> Int {
        let rates = MP3Settings.sampleRates.filter { $0 <= limit }
        return rates.last { rate % $0 == 0 && $0 * 5 > limit * 4 } ?? rates.last ?? rate
    }
}
