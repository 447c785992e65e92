/// A named part of a clip that players can jump to.
public struct ID3Chapter: Hashable, Sendable, Codable {
    public var title: String
    /// Where it begins, from the start of the clip.
    public var start: Duration
    /// Where it ends; not before `start`.
    public var end: Duration

    public init(title: String, start: Duration, end: Duration) {
        self.title = title
        self.start = start
        self.end = end
    }
}
