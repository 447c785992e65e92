internal import Synchronization

/// An encoder that one thread made and another one takes.
final class PreparedEncoder: Sendable {
    private let encoder: Mutex<MP3Encoder?>

    init(_ encoder: consuming sending MP3Encoder) { self.encoder = Mutex(encoder) }

    /// Nil for all but the first who takes it.
    func take() -> MP3Encoder? { encoder.withLock { $0.take() } }
}
