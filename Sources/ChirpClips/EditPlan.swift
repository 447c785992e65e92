public import ChirpAudio

/// What will be done to a recording: a pure function of the facts and the user's wishes.
public struct EditPlan: Hashable, Sendable {
    /// The part that is kept, in frames of the analysis.
    public var frames: Range<Int>
    /// The gain in front of the limiter.
    public var gain: Decibels
    /// What the user should know about the decisions.
    public var notes: [Receipt.Note]

    public init(_ analysis: ClipAnalysis, policy: EditPolicy) {
        frames = 0..<analysis.frames
        gain = .zero
        notes = []
    }
}
