/// How far a batch has come. What counts is audio: a file of an hour is not a file of a second.
public struct BatchProgress: Hashable, Sendable {
    /// To be made in this run; files and seconds of audio, the latter by what headers promise until a file is done.
    public var files: Int
    public var seconds: Double
    /// Done of these; of the seconds also what is half done.
    public var filesDone: Int
    public var secondsDone: Double
    /// Since the run began to make clips.
    public var elapsed: Duration
    /// Machines that have spoken lately; nil without a fleet.
    public var workers: Int?

    public init(
        files: Int, seconds: Double, filesDone: Int = 0, secondsDone: Double = 0, elapsed: Duration = .zero
    ) {
        self.files = files
        self.seconds = seconds
        self.filesDone = filesDone
        self.secondsDone = secondsDone
        self.elapsed = elapsed
    }

    /// 0...1.
    public var fraction: Double { seconds > 0 ? min(1, secondsDone / seconds) : files > 0 ? 0 : 1 }

    /// Seconds of audio per second; nil before there is something to tell from.
    public var speed: Double? {
        let time = elapsed / .seconds(1)
        return time > 0.2 && secondsDone > 0 ? secondsDone / time : nil
    }

    /// Seconds until the end at this speed; nil in the first second and before a fiftieth is done.
    public var secondsLeft: Double? {
        guard let speed, elapsed >= .seconds(1), fraction >= 0.02 else { return nil }
        return max(0, seconds - secondsDone) / speed
    }
}
