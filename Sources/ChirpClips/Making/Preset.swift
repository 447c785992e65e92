internal import ChirpCodecs
public import ChirpMP3

/// A named choice of format and bit rate.
public enum Preset: String, Hashable, Sendable, Codable, CaseIterable {
    /// Speech: mono, constant 64 kbps, rumble below 20 Hz removed.
    case voice
    /// Music: stereo kept, constant 192 kbps, flat.
    case music
    /// The smallest that is still understood: mono, constant 32 kbps at 22.05 or 24 kHz.
    case tiny

    /// The most channels of the clip; more are mixed down.
    public var channels: Int { self == .music ? 2 : 1 }

    public var settings: MP3Settings {
        switch self {
        case .voice: MP3Settings(rate: .constant(kbps: 64))
        case .music: MP3Settings(rate: .constant(kbps: 192))
        case .tiny: MP3Settings(rate: .constant(kbps: 32))
        }
    }
}
