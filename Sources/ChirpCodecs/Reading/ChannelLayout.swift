/// Where a channel belongs. Raw values are the bits of the speaker mask of WAVEFORMATEXTENSIBLE (Microsoft,
/// "Enhanced Audio Formats for Multi-Channel Configuration and Bit Depth").
enum Speaker: Int, Hashable, Sendable {
    case frontLeft = 0
    case frontRight = 1
    case frontCentre = 2
    case lowFrequency = 3
    case backLeft = 4
    case backRight = 5
    case frontLeftOfCentre = 6
    case frontRightOfCentre = 7
    case backCentre = 8
    case sideLeft = 9
    case sideRight = 10
    case topCentre = 11
    case topFrontLeft = 12
    case topFrontCentre = 13
    case topFrontRight = 14
    case topBackLeft = 15
    case topBackCentre = 16
    case topBackRight = 17

    /// Above the listener.
    var isTop: Bool { rawValue >= Speaker.topCentre.rawValue }
}

/// The places of all channels of an input, in their order.
struct ChannelLayout: Hashable, Sendable {
    let speakers: [Speaker]
    /// The input did not say it; it is what that many channels usually are.
    let assumed: Bool

    /// Nil when a speaker occurs twice: such a layout has no meaning.
    init?(_ speakers: [Speaker], assumed: Bool = false) {
        guard Set(speakers).count == speakers.count else { return nil }
        self.speakers = speakers
        self.assumed = assumed
    }

    /// From a speaker mask. Surplus bits are ignored from the top, as the format's description demands.
    ///
    /// - Returns: nil when the mask names fewer speakers than there are channels, or one that nobody has defined.
    init?(mask: UInt32, channels: Int) {
        var speakers: [Speaker] = []
        for bit in 0..<32 where mask & (1 << UInt32(bit)) != 0 && speakers.count < channels {
            guard let speaker = Speaker(rawValue: bit) else { return nil }
            speakers.append(speaker)
        }
        guard speakers.count == channels else { return nil }
        self.init(speakers)
    }

    /// What 3 to 8 channels without names are taken for: the order of RFC 9639 (FLAC), section 9.1.3, which is that of
    /// SMPTE and of WAV practice. Nil for other counts.
    init?(usualFor channels: Int, assumed: Bool) {
        let speakers: [Speaker]
        switch channels {
        case 3: speakers = [.frontLeft, .frontRight, .frontCentre]
        case 4: speakers = [.frontLeft, .frontRight, .backLeft, .backRight]
        case 5: speakers = [.frontLeft, .frontRight, .frontCentre, .backLeft, .backRight]
        case 6: speakers = [.frontLeft, .frontRight, .frontCentre, .lowFrequency, .backLeft, .backRight]
        case 7:
            speakers = [.frontLeft, .frontRight, .frontCentre, .lowFrequency, .backCentre, .sideLeft, .sideRight]
        case 8:
            speakers = [
                .frontLeft, .frontRight, .frontCentre, .lowFrequency, .backLeft, .backRight, .sideLeft, .sideRight,
            ]
        default: return nil
        }
        self.init(speakers, assumed: assumed)
    }

    /// The order that Ogg Vorbis and Opus define for 3 to 8 channels ("Vorbis I specification", section 4.3.9, and
    /// RFC 7845, section 5.1.1.2). Nil for other counts.
    init?(vorbisFor channels: Int) {
        let speakers: [Speaker]
        switch channels {
        case 3: speakers = [.frontLeft, .frontCentre, .frontRight]
        case 4: speakers = [.frontLeft, .frontRight, .backLeft, .backRight]
        case 5: speakers = [.frontLeft, .frontCentre, .frontRight, .backLeft, .backRight]
        case 6: speakers = [.frontLeft, .frontCentre, .frontRight, .backLeft, .backRight, .lowFrequency]
        case 7:
            speakers = [.frontLeft, .frontCentre, .frontRight, .sideLeft, .sideRight, .backCentre, .lowFrequency]
        case 8:
            speakers = [
                .frontLeft, .frontCentre, .frontRight, .sideLeft, .sideRight, .backLeft, .backRight, .lowFrequency,
            ]
        default: return nil
        }
        self.init(speakers)
    }

    /// For people: `5.1`, `quadraphonic`, or the counts: in a plane, low-frequency effects, above.
    var name: String {
        let low = speakers.contains(.lowFrequency) ? 1 : 0
        let top = speakers.count { $0.isTop }
        let around = speakers.count - low - top
        guard top == 0 else { return "\(around).\(low).\(top)" }
        return switch (around, low) {
        case (3, 0): "3.0"
        case (4, 0): speakers.contains(.frontCentre) ? "4.0" : "quadraphonic"
        default: "\(around).\(low)"
        }
    }

    /// How much of each channel goes to the left and to the right: ITU-R BS.775-3, annex 4, table 2. Centre and
    /// surrounds at -3 dB; a single back channel is first shared by both surrounds at -3 dB each; low-frequency effects
    /// are left out, as the recommendation allows and receivers do. Nil with channels above the listener, for which there is no
    /// such rule.
    var stereoWeights: (left: [Float], right: [Float])? {
        let half = Float(0.5).squareRoot()
        var left: [Float] = []
        var right: [Float] = []
        for speaker in speakers {
            let (l, r): (Float, Float) =
                switch speaker {
                case .frontLeft: (1, 0)
                case .frontRight: (0, 1)
                case .frontCentre: (half, half)
                case .lowFrequency: (0, 0)
                case .backLeft, .sideLeft: (half, 0)
                case .backRight, .sideRight: (0, half)
                // Between a front and the centre speaker: 7/8 of the way is not in the table; constant power at 22.5°.
                case .frontLeftOfCentre: (0.9239, 0.3827)
                case .frontRightOfCentre: (0.3827, 0.9239)
                case .backCentre: (0.5, 0.5)
                case .topCentre, .topFrontLeft, .topFrontCentre, .topFrontRight, .topBackLeft, .topBackCentre,
                    .topBackRight:
                    (.nan, .nan)
                }
            guard !l.isNaN else { return nil }
            left.append(l)
            right.append(r)
        }
        return (left, right)
    }

    /// What the energy of each channel counts for in loudness: ITU-R BS.1770-4, annex 3, table 4. Between 60° and 120° to the
    /// side it is 1.41 (+1.5 dB), everywhere else 1, low-frequency effects are left out. Back channels are the surrounds at
    /// 110° (BS.775) unless there are side channels too; then they stand behind, at 135°.
    var loudnessWeights: [Double] {
        let hasSides = speakers.contains(.sideLeft) || speakers.contains(.sideRight)
        return speakers.map { speaker in
            switch speaker {
            case .lowFrequency: 0
            case .sideLeft, .sideRight: 1.41
            case .backLeft, .backRight: hasSides ? 1 : 1.41
            default: 1
            }
        }
    }
}
