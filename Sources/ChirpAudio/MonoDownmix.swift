/// How two channels become one.
public enum MonoDownmix: String, Hashable, Sendable, Codable {
    /// Their mean: as they are.
    case mean
    /// The mean of the left and the inverted right one: for a wire that is swapped, where the mean would cancel.
    case difference
    /// One alone: for channels that hold the same, but not always the same way round.
    case left
    case right
}
