/// Reads text aloud by a program of this machine. The hub starts none itself: who does is decided where it is put together.
public struct FrameSpeech: Sendable {
    /// Why nothing is said; a sentence without its full stop.
    public struct Refusal: Error, Hashable {
        public let reason: String
        public init(_ reason: String) { self.reason = reason }
    }

    /// Gives a WAV of text in the first of some languages (BCP 47) that there is a voice for. Its loudness is as it comes.
    public typealias Saying =
        @Sendable (_ text: String, _ languages: [String]) async throws(Refusal) -> [UInt8]

    let say: Saying

    public init(_ say: @escaping Saying) { self.say = say }
}
