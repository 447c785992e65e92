package import ChirpMusic

/// Makes what others hear of a track, and says what was found in it. The hub decodes nothing itself: who does is decided where it is put
/// together.
public struct TrackMaking: Sendable {
    /// What is wanted.
    package struct Order: Hashable, Sendable {
        /// Which one it is: the same for each try, another one for each track.
        package let id: String
        /// Where what was sent lies; it stays as it is.
        package let input: String
        /// What its sender calls it, as plain text; never a path.
        package let name: String
        /// Where the preview appears, whole: an MP3 of the loudness that all previews have, never the same as what was sent.
        package let preview: String
        /// Of the preview, as it stands in its tags.
        package let title: String
        /// Whose track it is, as a voice may say it.
        package let person: String
        /// The longest that is taken, in seconds; longer ones are refused.
        package let longest: Int

        package init(
            id: String, input: String, name: String, preview: String, title: String, person: String, longest: Int
        ) {
            self.id = id
            (self.input, self.name, self.preview, self.title) = (input, name, preview, title)
            (self.person, self.longest) = (person, longest)
        }
    }

    /// What has come of it.
    package struct Made: Hashable, Sendable {
        package let facts: TrackFacts
        /// How long the preview is, in seconds.
        package let seconds: Double
        /// The preview's outline: the highest level in each of some stretches of the same length, 0...255.
        package let peaks: [UInt8]

        package init(facts: TrackFacts, seconds: Double, peaks: [UInt8]) {
            (self.facts, self.seconds, self.peaks) = (facts, seconds, peaks)
        }
    }

    /// Why nothing has come of it.
    package enum Failure: Error, Hashable {
        /// What was sent is no sound, or cannot be taken: a sentence for its sender.
        case refused(String)
        /// What listened has died.
        case died
        /// It may go better later; or never, since a file can cause any fault while it is read.
        case notNow(String)
        /// This machine cannot now, whatever was sent: it waits for as long as that takes.
        case unable(String)
    }

    /// May be asked for the same again; then the same comes of it.
    package let make: @Sendable (Order) async throws(Failure) -> Made

    /// Says whether stems make up their mix, each a path; nil: nobody does here. May be asked for the same again.
    package let checkStems: StemChecking?

    /// Makes an MP3 of a whole master, as it sounds, for those who buy one; nil: nobody does here. May be asked for the same again.
    package let copy: Copying?

    /// - Parameters:
    ///   - master: a path; any bytes.
    ///   - goal: where it appears, whole.
    package typealias Copying = @Sendable (_ master: String, _ goal: String) async throws(Failure) -> Void

    /// Makes previews that differ from listener to listener; nil: nobody does here, as where no voice can be had.
    package let tagging: ListenerTagging?

    package typealias StemChecking = @Sendable (_ stems: [String], _ mix: String) async throws(Failure) -> StemFindings

    package init(
        checkStems: StemChecking? = nil, copy: Copying? = nil, tagging: ListenerTagging? = nil,
        _ make: @escaping @Sendable (Order) async throws(Failure) -> Made
    ) { (self.checkStems, self.copy, self.tagging, self.make) = (checkStems, copy, tagging, make) }
}

/// Which tracks a hub takes, as its owner allows.
public struct TrackLimits: Hashable, Sendable {
    /// The longest, in seconds.
    public var longest: Int
    /// The largest, in bytes.
    public var mostBytes: Int64

    /// What is taken when nobody has said anything: 15 minutes, and 1 GB.
    public init(longest: Int = 900, mostBytes: Int64 = 1_000_000_000) {
        (self.longest, self.mostBytes) = (longest, mostBytes)
    }
}
