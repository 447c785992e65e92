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
