public import ChirpAudio

/// What a preview of a track is: everybody may have it, so it is never what is sold.
public enum PreviewRules {
    /// Longer masters are refused.
    public static let longestMaster = Duration.seconds(20 * 60)
    /// Shorter ones too: there would be nothing left to judge.
    public static let shortestMaster = Duration.seconds(1)
    /// A preview is at most so long, and at most this part of its master; it ends in a fade.
    public static let longest = Duration.seconds(300)
    public static let share = 0.95
    public static let fade = Duration.seconds(2)
    /// All are equally loud, so that nobody wins by being louder.
    public static let target = LUFS(-14)
    public static let ceiling = Decibels(-1)
    /// The voice is as loud as the whole track is on average, and what it is heard over is this much softer than the voice, in LU, ...
    public static let prominence = 6.0
    /// ... as far as that takes no less and no more than these, in dB.
    public static let ducks = 3.0...15.0
    /// From the voice to the loudest second, in seconds.
    public static let distance = 2.0
    /// The most times that a voice is heard.
    public static let mostPlaces = 200
    /// Columns of the picture of a preview.
    public static let columns = 200

    /// The rate of a preview in kbps: always below three quarters of a coded master's own.
    ///
    /// - Parameter master: the average rate of the master's file in kbps.
    static func kbps(below master: Double) -> Int {
        [128, 96, 64, 48].first { Double($0) < 0.76 * master } ?? 32
    }

    /// How long the preview of a master is.
    package static func length(of seconds: Double) -> Duration { min(longest, .seconds(share * seconds)) }
}

/// What is wanted of a preview.
public struct PreviewWishes: Hashable, Sendable, Codable {
    /// The name of the work, as players show it; nothing of the master's own tags is kept.
    public var title: String?
    public var artist: String?
    /// Where a voice begins, in seconds, ascending; empty for none. Those that are too near to the loudest second, or would not end in time, are left
    /// out.
    public var places: [Double]

    public init(title: String? = nil, artist: String? = nil, places: [Double] = []) {
        (self.title, self.artist, self.places) = (title, artist, places)
    }
}

/// What a preview has become; levels are those of its decoded file.
public struct PreviewFacts: Hashable, Sendable, Codable {
    public var seconds: Double
    public var bytes: Int64
    public var sampleRate: Int
    public var channels: Int
    public var kbps: Int
    /// Nil when there was too little to measure.
    public var loudness: Double?
    /// In dBTP; nil for digital silence.
    public var truePeak: Double?
    /// Where the voice is heard, and how much the music gave way.
    public var voice: [VoiceOverlay.Place]
    /// The picture of its sound: the highest magnitude in each of ``PreviewRules/columns`` columns, 255 being full scale.
    public var peaks: [UInt8]

    /// Whether one could be of a master so long: another process is not believed.
    public func isPossible(masterSeconds: Double?) -> Bool {
        let longest = PreviewRules.longest / .seconds(1)
        return seconds > 0 && seconds <= (masterSeconds.map { min(longest, $0) } ?? longest) + 0.01
            && (1...2).contains(channels) && (8000...48_000).contains(sampleRate) && (32...128).contains(kbps)
            && bytes > 0 && bytes < Int64(longest * 128_000 / 8) + 100_000
            && [loudness, truePeak].allSatisfy { ($0 ?? 0) > -200 && ($0 ?? 0) < 20 }
            && voice.count <= PreviewRules.mostPlaces
            && voice.allSatisfy { (0...seconds).contains($0.seconds) && PreviewRules.ducks.contains($0.duck) }
            && peaks.count == PreviewRules.columns
    }
}
