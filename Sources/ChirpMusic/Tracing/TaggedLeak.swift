/// What is heard in a recording that may be somebody's preview of a track: from where in the track it comes, how fast it plays, and when a voice speaks in it.
/// Who listened is not in it: ``ListenerNaming`` tells, with the patterns at hand.
///
/// The recording may be coded again, cut, louder or softer, and up to 1 % slower or faster.
package struct TaggedLeak: Hashable, Sendable, Codable {
    /// Samples a second of what is compared.
    package static let rate = 8000
    /// What is behind that is not looked at, in seconds; previews are no longer.
    package static let longest = 330.0
    /// Shorter ones tell nothing, in seconds.
    package static let shortest = 5.0

    /// One way in which the recording may be a part of the track; music repeats itself, so there may be several.
    package struct Fit: Hashable, Sendable, Codable {
        /// The part, in seconds of the track.
        package var from: Double
        package var to: Double
        /// Seconds of the track in one of the recording.
        package var speed: Double
        /// The share of it whose sound is that of the track, 0 to 1; less where the voice speaks.
        package var likeness: Double
        package var tags: [Tag]

        package init(from: Double, to: Double, speed: Double, likeness: Double, tags: [Tag]) {
            (self.from, self.to, self.speed, self.likeness, self.tags) = (from, to, speed, likeness, tags)
        }
    }

    /// The voice, once.
    package struct Tag: Hashable, Sendable, Codable {
        /// When it begins, in seconds of the track.
        package var seconds: Double
        /// How much of what is heard there it is, 0 to 1.
        package var match: Double

        package init(seconds: Double, match: Double) { (self.seconds, self.match) = (seconds, match) }
    }

    /// The most likely first; empty when it does not come from the track.
    package let fits: [Fit]
    /// How long the voice is, in seconds.
    package let voice: Double

    /// - Parameters:
    ///   - leak: one channel at ``rate``, as are the others.
    ///   - track: as its preview is without a voice, from its beginning.
    ///   - voice: what is said in previews.
    package init(_ leak: [Float], of track: [Float], voice: [Float]) {
        self.voice = Double(voice.count) / Double(Self.rate)
        let (leak, track) = (Self.flattened(leak), Self.flattened(track))
        guard Double(leak.count) >= Self.shortest * Double(Self.rate), track.count >= leak.count / 20 else {
            fits = []
            return
        }
        // Half a minute is enough to find the place, and a wrong speed does not blur it.
        let half = min(leak.count / 2, 15 * Self.rate)
        let middle = leak.count / 2 - half
        let places = OutlineSearch.places(
            of: SoundOutline(of: Array(leak[middle..<middle + 2 * half])), in: SoundOutline(of: track))
        let search = VoiceSearch(Self.flattened(voice))
        let sinc = SincTable()
        var found: [Fit] = []
        for var place in places {
            place.start -= place.speed * Double(middle) / Double(Self.rate)
            guard let line = LeakAlignment(of: leak, in: track, near: place, sinc),
                found.allSatisfy({ abs($0.from - max(0, line.start)) > 0.01 || abs($0.speed - line.speed) > 0.001 })
            else { continue }
            found.append(Self.fit(line, leak, track, search, sinc))
        }
        // What only resembles the part is told from what repeats it.
        let least = Self.leastOfBest * (found.map(\.likeness).max() ?? 0)
        fits = found.filter { $0.likeness >= least }.sorted { $0.likeness > $1.likeness }
    }

    /// As like the track as the best fit must another one be.
    private static let leastOfBest = 0.75

    private static func fit(
        _ line: LeakAlignment, _ leak: [Float], _ track: [Float], _ search: VoiceSearch, _ sinc: SincTable
    ) -> Fit {
        let rate = Double(Self.rate)
        let from = max(0, line.start)
        let to = min(Double(track.count), line.start * rate + line.speed * Double(leak.count)) / rate
        let samples = sinc.samples(
            of: leak, from: (from - line.start) / line.speed * rate, step: 1 / line.speed,
            count: Int(min(1.1 * longest, to - from) * rate))
        let tags = search.places(in: samples).prefix(mostTags).map { found in
            Tag(seconds: from + found.place / rate, match: Double(found.match))
        }
        return Fit(from: from, to: to, speed: line.speed, likeness: line.likeness, tags: tags)
    }

    /// As many as there can be in a preview, and some.
    fileprivate static let mostTags = 300

    /// Bass, which music has most of and says least, made softer; nothing but numbers.
    private static func flattened(_ samples: [Float]) -> [Float] {
        var last: Float = 0
        return samples.prefix(Int(longest * Double(rate))).map { sample in
            let sample = sample.isFinite && abs(sample) < 100 ? sample : 0
            defer { last = sample }
            return sample - 0.9 * last
        }
    }

    /// What another process has found.
    package init(fits: [Fit], voice: Double) { (self.fits, self.voice) = (fits, voice) }

    /// Whether this could have been found: another process is not believed.
    package var isPossible: Bool {
        fits.count <= OutlineSearch.mostPlaces && (0...Self.longest).contains(voice) && fits.allSatisfy(\.isPossible)
    }
}

extension TaggedLeak.Fit {
    package var isPossible: Bool {
        let seconds = -TaggedLeak.longest...2 * TaggedLeak.longest
        return seconds.contains(from) && seconds.contains(to) && (0.98...1.02).contains(speed)
            && (0...1).contains(likeness) && tags.count <= TaggedLeak.mostTags
            && tags.allSatisfy { seconds.contains($0.seconds) && (0...1).contains($0.match) }
    }
}
