/// Writes down what is said in clips. The hub neither decodes nor starts programs: who does is decided where it is put together.
public struct Transcribing: Sendable {
    /// What is wanted.
    public struct Order: Hashable, Sendable {
        /// Where the clip lies.
        public let path: String
        /// How long it is, as far as that is known.
        public let seconds: Double
    }

    /// What came of it. Reasons are for the log and tell nothing of the clip.
    public enum Answer: Hashable, Sendable {
        /// WebVTT or plain words; empty where nothing is said.
        case said(String)
        /// It will not be better later.
        case refused(why: String)
        /// It may go better later.
        case notNow(why: String)
    }

    /// Asked for one clip at a time; may be asked for the same again.
    public let transcribe: @Sendable (Order) async -> Answer

    public init(_ transcribe: @escaping @Sendable (Order) async -> Answer) { self.transcribe = transcribe }
}
