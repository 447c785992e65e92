/// Something to hear: a clip whose turn it is, or one that the listener wants again.
public struct LiveTurn: Hashable, Sendable {
    public let play: Int64
    public let isReplay: Bool

    public init(play: Int64, isReplay: Bool) {
        self.play = play
        self.isReplay = isReplay
    }
}
