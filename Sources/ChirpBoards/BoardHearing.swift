package import ChirpMusic

/// Listens to what people have sent to boards. The hub decodes nothing itself: who does is decided where it is put together.
package struct BoardHearing: Sendable {
    /// Why nothing was found.
    package enum Failure: Error, Hashable {
        /// What listened has died, or has failed in a way that the file can cause.
        case died
        /// It may go better later.
        case notNow(String)
    }

    /// What is found in a file of sound; of what is none the findings say so. May be asked for the same again.
    package let find:
        @Sendable (_ path: String, _ question: SoundFindings.Question) async throws(Failure) -> SoundFindings

    package init(
        _ find:
            @escaping @Sendable (_ path: String, _ question: SoundFindings.Question) async throws(Failure) ->
            SoundFindings
    ) { self.find = find }
}

/// Reads short texts aloud.
package struct BoardVoice: Sendable {
    /// A WAV of a text in the first of some languages (BCP 47) that there is a voice for, as loud as other sounds of boards; nil: there is no
    /// voice for any.
    package let say: @Sendable (_ text: String, _ languages: [String]) async throws -> [UInt8]?

    package init(_ say: @escaping @Sendable (_ text: String, _ languages: [String]) async throws -> [UInt8]?) {
        self.say = say
    }
}

/// Puts together what is heard when something is announced: words where a voice is there, tones otherwise, and the end of a recording.
package struct BoardAnnouncing: Sendable {
    package struct Order: Hashable, Sendable {
        /// What is said, for a voice; nothing is said where there is none.
        package let words: String
        /// BCP 47, the first that there is a voice for.
        package let languages: [String]
        /// A file of sound of which the end is heard; nil: none.
        package let sound: String?
        /// Where in it the end is, in seconds; nil: where it ends.
        package let end: Double?

        package init(words: String, languages: [String], sound: String?, end: Double?) {
            (self.words, self.languages, self.sound, self.end) = (words, languages, sound, end)
        }
    }

    /// A file of sound, as a program that makes clips takes it; nil when there is nothing to be heard. May be asked for the same again.
    package let sound: @Sendable (Order) async throws -> [UInt8]?

    package init(_ sound: @escaping @Sendable (Order) async throws -> [UInt8]?) { self.sound = sound }
}
