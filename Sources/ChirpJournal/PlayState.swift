public import GRDB

/// How far a clip that arrived while listening has come.
public enum PlayState: String, Codable, Hashable, Sendable, CaseIterable, DatabaseValueConvertible {
    /// Detected; fetched or not, but not heard yet.
    case queued
    /// It was being heard when the journal was written last.
    case playing
    case played
    /// It was not heard; ``PlayRecord/reason`` says why.
    case skipped
    /// The process died twice while it had it in hand: only a person tries it again (`chirp replay ID`).
    case setAside = "set-aside"

    /// What a listening session that died goes on with.
    public static let open: [PlayState] = [.queued, .playing]
}
