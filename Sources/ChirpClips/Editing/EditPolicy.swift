public import ChirpAudio

/// What the user wants done to a recording. ``EditPlan`` turns it and the facts into what will be done.
public struct EditPolicy: Hashable, Sendable, Codable {
    /// Remove silence before and after. Default true.
    public var trims: Bool = true
    /// Bring to ``target``. Default true; otherwise the gain is 0 dB and only the ceiling is kept.
    public var normalises: Bool = true
    /// Default -16 LUFS, mono measured as dual mono.
    public var target: LUFS = LUFS(-16)
    /// No true peak of the decoded clip above this. Default -1 dBTP.
    public var ceiling: Decibels = Decibels(-1)
    /// The longest clip; nil for no cap.
    public var maximumLength: Duration? = nil
    /// The fade at the cap. Default 30 ms.
    public var fade: Duration = .milliseconds(30)
    /// Kept before the first and after the last voiced frame. Defaults 100 and 150 ms.
    public var preRoll: Duration = .milliseconds(100)
    public var postRoll: Duration = .milliseconds(150)
    /// Where the clip begins and ends in the recording, to 10 ms; nil leaves that end to ``trims``. Default nil. What is not said is
    /// not written either, so that requests of earlier releases stay the same text.
    public var begin: Duration? = nil
    public var end: Duration? = nil

    public init() {}
}
