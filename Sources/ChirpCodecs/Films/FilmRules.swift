/// What a film may be, and what is made of one.
package enum FilmRules {
    /// A larger file is not looked at, in bytes.
    package static let mostSourceBytes: Int64 = 100_000_000
    /// A longer one is refused.
    package static let longest = Duration.seconds(180)
    /// The same of sound alone: five minutes, and what is recorded around them.
    package static let longestSound = Duration.seconds(330)
    /// The shown copy: its longer and its shorter side, in pixels.
    package static let longerSide = 1280
    package static let shorterSide = 720
    /// The most pictures a second in it.
    package static let mostRate = 30.0
    /// The largest file that is made, in bytes: the shown copy of three minutes at its highest rate has 95 MB.
    package static let mostMadeBytes: Int64 = 128_000_000
    /// The preview: silent, at most so long and so large.
    package static let previewLength = Duration.seconds(4)
    package static let mostPreviewBytes: Int64 = 400_000
    /// The poster, in pixels of its longer side and in bytes.
    package static let posterSide = 960
    package static let mostPosterBytes: Int64 = 600_000
    /// A picture of the source may not have more; what phones record as 4K has 8.8 million at most.
    package static let mostSourcePixels = 4096 * 2304
    /// So long may it take that something comes of it, and so many times the length of what has come of it in addition, with two processors.
    /// A machine that is busy with other things gets five times as long, but no more of a processor.
    package static let patience = Duration.seconds(10)
    package static let patiencePerLength = 3.0
    static let processors = 2
    static let patienceWhenBusy = 5

    /// What it may be kept in, as ffmpeg calls them: MP4, MOV and WebM, and what sound alone is kept in beside them. None of these is a list of
    /// other files.
    static let containers = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,wav,flac,ogg,mp3"
    /// What pictures may be coded as: the name of the coding, and of the decoder.
    static let pictureDecoders = [
        "h264": "h264", "hevc": "hevc", "vp8": "vp8", "vp9": "vp9", "av1": "libdav1d", "mpeg4": "mpeg4", "h263": "h263",
    ]
    /// The same of sound.
    static let soundDecoders = [
        "aac": "aac", "opus": "opus", "vorbis": "vorbis", "mp3": "mp3float", "alac": "alac", "pcm_s16le": "pcm_s16le",
        "pcm_s16be": "pcm_s16be", "pcm_u8": "pcm_u8", "pcm_s24le": "pcm_s24le", "pcm_s32le": "pcm_s32le",
        "pcm_f32le": "pcm_f32le", "flac": "flac", "amr_nb": "amrnb",
    ]
    static var decoders: String {
        (pictureDecoders.values.sorted() + soundDecoders.values.sorted()).joined(separator: ",")
    }
}

/// What has become of a film.
package struct FilmFacts: Codable, Hashable, Sendable {
    /// How long the shown copy is, in ms.
    package var milliseconds: Int
    /// Of the shown copy, in pixels; 0 of sound alone.
    package var width, height: Int
    package var hasSound: Bool
    /// Whether a timer is in the shown copy. There is none where the font for it is not installed.
    package var hasTimer: Bool

    package init(milliseconds: Int, width: Int, height: Int, hasSound: Bool, hasTimer: Bool) {
        self.milliseconds = milliseconds
        (self.width, self.height) = (width, height)
        (self.hasSound, self.hasTimer) = (hasSound, hasTimer)
    }

    /// Whether there is more in it than sound.
    package var hasPictures: Bool { width != 0 || height != 0 }

    /// Whether this program could have made such a one: another process is not believed.
    package var isPossible: Bool {
        guard hasPictures else {
            return (1...Int(FilmRules.longestSound / .milliseconds(1)) + 500).contains(milliseconds) && hasSound
                && !hasTimer
        }
        return (1...Int(FilmRules.longest / .milliseconds(1)) + 500).contains(milliseconds)
            && [width, height].allSatisfy { (2...FilmRules.longerSide).contains($0) && $0 % 2 == 0 }
    }
}
