/// A file that is wrong on purpose, and how it came about.
public struct HostileCase: Sendable {
    public var recipe: String
    public var bytes: [UInt8]
    /// What was done to the good file.
    public var changes: [String]
}
