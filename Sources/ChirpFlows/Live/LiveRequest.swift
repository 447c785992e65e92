/// What a listener can ask for while live (CH-8, CH-12).
public enum LiveRequest: Hashable, Sendable {
    /// Falls silent, or goes on where it was.
    case togglePause
    /// Ends the clip that is heard.
    case skip
    /// Plays a clip again, after the one that is heard; nil is the one that was heard last, or is being heard.
    case replay(Int64?)
    /// Moves the end of the time frame.
    case extend(Duration)
    /// Another time frame.
    case window(LiveWindow)
    /// Other accounts, by network; what they posted before is not looked for.
    case accounts([LiveAccount])
    /// Ends listening: at once, also in the middle of a clip.
    case stop
}
