public import ChirpClips

/// What a flow tells while it works: for the progress view, the log and the benchmarks.
public enum FlowEvent: Hashable, Sendable {
    /// The parts of a publication that take time.
    public enum Step: String, Hashable, Sendable, CaseIterable {
        case read, analyse, admit, render, verify, upload, share, post, withdraw
    }

    case started(Step)
    /// Of this step, 0...1.
    case progress(Step, fraction: Double)
    /// With the seconds it took.
    case finished(Step, seconds: Double)
    case note(Receipt.Note)
    /// Something of several was left out.
    case skipped(String, because: String)
}
