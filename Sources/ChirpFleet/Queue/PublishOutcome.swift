/// What has become of a message that was to be stored.
enum PublishOutcome: Hashable, Sendable {
    case stored
    /// One with the same id came within the last two minutes, whether or not it is still there.
    case known
    /// One is still there under the same subject.
    case present
}
