/// What a file is and how it sounds, in numbers: the machine-readable answer of `inspect --json`.
///
/// Names and units are public and only ever added to. A value that does not exist is written as `null`, never left out.
/// Levels follow EBU Tech 3341 and 3342 (2016, 2011).
public struct Inspection: Codable, Hashable, Sendable {
    public var v = 1
    public var input: Receipt.Input
    public var level: Level
    public var silence: Silence
    public var tags: Tags
    /// Nil for a file that is not an MP3.
    public var mp3: MP3?
    public var notes: [Receipt.Note] = []

    public init(
        input: Receipt.Input, level: Level, silence: Silence, tags: Tags, mp3: MP3? = nil, notes: [Receipt.Note] = []
    ) {
        self.input = input
        self.level = level
        self.silence = silence
        self.tags = tags
        self.mp3 = mp3
        self.notes = notes
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(v, forKey: .v)
        try container.encode(input, forKey: .input)
        try container.encode(level, forKey: .level)
        try container.encode(silence, forKey: .silence)
        try container.encode(tags, forKey: .tags)
        try container.encode(mp3, forKey: .mp3)
        try container.encode(notes, forKey: .notes)
    }

    /// Loudness and peaks; nil where there is none, as in silence or a file that is too short.
    public struct Level: Codable, Hashable, Sendable {
        /// Gated loudness of the whole file, ITU-R BS.1770-4.
        public var integratedLUFS: Double?
        /// The loudest 3 s.
        public var shortTermMaxLUFS: Double?
        /// The loudest 400 ms.
        public var momentaryMaxLUFS: Double?
        /// Loudness range, EBU Tech 3342.
        public var rangeLU: Double?
        /// What the channels were measured as: `mono`, `stereo`, `5.1` and the like; nil when their places are not known.
        public var layout: String?
        /// Of the loudest of the file's own channels, by oversampling four times, BS.1770-4 annex 2.
        public var truePeakDBTP: Double?
        public var samplePeakDBFS: Double?
        /// Samples in runs of two or more at or beyond full scale.
        public var clippedSamples: Int
        /// The mean of all samples, full scale 1; of the channel where it is largest.
        public var dcOffset: Double

        public init(
            integratedLUFS: Double? = nil, shortTermMaxLUFS: Double? = nil, momentaryMaxLUFS: Double? = nil,
            rangeLU: Double? = nil, layout: String? = nil, truePeakDBTP: Double? = nil, samplePeakDBFS: Double? = nil,
            clippedSamples: Int, dcOffset: Double
        ) {
            self.integratedLUFS = integratedLUFS
            self.shortTermMaxLUFS = shortTermMaxLUFS
            self.momentaryMaxLUFS = momentaryMaxLUFS
            self.rangeLU = rangeLU
            self.layout = layout
            self.truePeakDBTP = truePeakDBTP
            self.samplePeakDBFS = samplePeakDBFS
            self.clippedSamples = clippedSamples
            self.dcOffset = dcOffset
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(integratedLUFS, forKey: .integratedLUFS)
            try container.encode(shortTermMaxLUFS, forKey: .shortTermMaxLUFS)
            try container.encode(momentaryMaxLUFS, forKey: .momentaryMaxLUFS)
            try container.encode(rangeLU, forKey: .rangeLU)
            try container.encode(layout, forKey: .layout)
            try container.encode(truePeakDBTP, forKey: .truePeakDBTP)
            try container.encode(samplePeakDBFS, forKey: .samplePeakDBFS)
            try container.encode(clippedSamples, forKey: .clippedSamples)
            try container.encode(dcOffset, forKey: .dcOffset)
        }
    }

    /// What trimming would find.
    public struct Silence: Codable, Hashable, Sendable {
        /// Before the first voiced window.
        public var headSeconds: Double
        /// After the last one.
        public var tailSeconds: Double
        /// The level of the pauses: the 10th percentile of 10 ms RMS above 80 Hz; nil for digital silence.
        public var noiseFloorDBFS: Double?

        public init(
            headSeconds: Double, tailSeconds: Double, noiseFloorDBFS: Double? = nil
        ) {
            self.headSeconds = headSeconds
            self.tailSeconds = tailSeconds
            self.noiseFloorDBFS = noiseFloorDBFS
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(headSeconds, forKey: .headSeconds)
            try container.encode(tailSeconds, forKey: .tailSeconds)
            try container.encode(noiseFloorDBFS, forKey: .noiseFloorDBFS)
        }
    }

    /// What the file says about itself, made safe to show.
    public struct Tags: Codable, Hashable, Sendable {
        public var title: String?
        public var artist: String?
        public var comment: String?
        public var hasCover: Bool

        public init(
            title: String? = nil, artist: String? = nil, comment: String? = nil, hasCover: Bool
        ) {
            self.title = title
            self.artist = artist
            self.comment = comment
            self.hasCover = hasCover
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(title, forKey: .title)
            try container.encode(artist, forKey: .artist)
            try container.encode(comment, forKey: .comment)
            try container.encode(hasCover, forKey: .hasCover)
        }
    }

    /// What an MP3's frames and info tag say.
    public struct MP3: Codable, Hashable, Sendable {
        /// The constant rate, or the mean rounded to whole kbps.
        public var bitrateKbps: Int
        /// The rate is not constant.
        public var vbr: Bool
        /// Samples before the first of the recording, from the info tag; nil without one.
        public var encoderDelay: Int?
        /// Samples after the last one, likewise.
        public var padding: Int?
        /// MPEG frames, the info frame not counted.
        public var frames: Int

        public init(
            bitrateKbps: Int, vbr: Bool, encoderDelay: Int? = nil, padding: Int? = nil, frames: Int
        ) {
            self.bitrateKbps = bitrateKbps
            self.vbr = vbr
            self.encoderDelay = encoderDelay
            self.padding = padding
            self.frames = frames
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(bitrateKbps, forKey: .bitrateKbps)
            try container.encode(vbr, forKey: .vbr)
            try container.encode(encoderDelay, forKey: .encoderDelay)
            try container.encode(padding, forKey: .padding)
            try container.encode(frames, forKey: .frames)
        }
    }
}
