internal import ChirpAudio

/// How far the making of a clip has come, for a progress view.
public struct ClipProgress: Hashable, Sendable {
    public enum Step: String, Hashable, Sendable { case analyse, render, verify }
    public var step: Step
    /// Of this step, 0...1.
    public var fraction: Double

    public init(step: Step, fraction: Double) {
        self.step = step
        self.fraction = fraction
    }
}

/// Looks at the world once per block: whether the task was cancelled, and whether it is time to report.
struct BlockTicker {
    private var blocks = 0
    /// Every 16th block, 1.5 s of audio.
    var isDue: Bool { blocks % 16 == 0 }

    mutating func check() throws(AudioError) {
        blocks += 1
        if Task.isCancelled { throw .cancelled }
    }
}
