public import ChirpAudio
internal import Glibc

/// A short voice that is heard over a recording, again and again; the recording gives way to it.
public struct VoiceOverlay: Hashable, Sendable, Codable {
    /// Where it is heard once.
    public struct Place: Hashable, Sendable, Codable {
        /// When the voice begins, in seconds of the recording.
        public var seconds: Double
        /// How much quieter the recording is meanwhile, in dB, 0 or more.
        public var duck: Double

        public init(seconds: Double, duck: Double) { (self.seconds, self.duck) = (seconds, duck) }
    }

    /// A file of at most ``longest``; what is behind that is not heard.
    public var path: String
    /// For errors.
    public var name: String
    /// Of the voice.
    public var gain: Decibels
    /// In the order of time.
    public var places: [Place]

    public static let longest = Duration.seconds(10)

    public init(path: String, name: String, gain: Decibels, places: [Place]) {
        self.path = path
        self.name = name
        self.gain = gain
        self.places = places
    }
}

/// Lays a ``VoiceOverlay`` over a recording as it passes.
struct VoiceMixer: ~Copyable, AudioStage {
    /// The recording gives way within 80 ms before the voice and comes back within 300 ms behind it, along straight lines in decibels.
    static let attack = 0.080
    static let release = 0.300

    /// The frame that comes next.
    var position = 0
    private let voice: [Float]
    private let attackFrames: Int
    private let releaseFrames: Int
    private let places: [(start: Int, duck: Float)]

    init(_ overlay: VoiceOverlay, sampleRate: Int) throws(AudioError) {
        let voice = try VoiceSamples(path: overlay.path, name: overlay.name, sampleRate: sampleRate)
        let gain = Float(overlay.gain.amplitude)
        self.voice = voice.samples.map { gain * $0 }
        attackFrames = Int(Self.attack * Double(sampleRate))
        releaseFrames = Int(Self.release * Double(sampleRate))
        places = overlay.places.map { (Int(($0.seconds * Double(sampleRate)).rounded()), Float($0.duck)) }
    }

    mutating func process(_ block: inout AudioBlock) {
        let (first, end) = (position, position + block.frames)
        position = end
        for (index, place) in places.enumerated() {
            // A voice that begins before the last one's release is over takes it from there.
            let next = index + 1 < places.count ? places[index + 1].start - attackFrames : .max
            let from = max(first, place.start - attackFrames)
            let to = min(end, place.start + voice.count + releaseFrames, max(next, place.start + voice.count))
            guard from < to else { continue }
            for channel in 0..<block.format.channels {
                block.withMutablePlane(channel) { plane in
                    lay(voice, over: &plane, from - first..<to - first, at: place.start - first, place.duck)
                }
            }
        }
    }

    private func lay(
        _ voice: [Float], over plane: inout MutableSpan<Float>, _ range: Range<Int>, at start: Int, _ duck: Float
    ) {
        let voice = voice.span
        let held = powf(10, -duck / 20)
        for index in range {
            let place = index - start
            if place >= 0, place < voice.count {
                plane[index] = plane[index] * held + voice[place]
            } else {
                let way =
                    place < 0
                    ? 1 + Float(place) / Float(attackFrames) : 1 - Float(place - voice.count) / Float(releaseFrames)
                plane[index] *= powf(10, -duck * way / 20)
            }
        }
    }
}
