public import ChirpAudio

/// Keeps the staged files of all lanes up to date, on a thread of its own: however slow the disk is, the recording goes on.
final class ClipStager {
    typealias Cut = @Sendable () -> ProvisionalCut?

    private struct State {
        /// The latest.
        var cut: Cut?
        /// Something has come.
        var isDue = false
        var isBusy = false
        /// What is under way shall come to its end.
        var isHurried = false
        var isOver = false
    }

    private let monitor = Monitor(State())
    private let staged: [StagedClip]

    init(_ staged: [StagedClip]) throws(AudioError) {
        let monitor = monitor
        self.staged = staged
        try detachThread { Self.work(staged, monitor) }
    }

    // The thread then removes what was not taken: when the clip is there, so that nothing competes with that.
    deinit { monitor.access { $0.isOver = true } }

    /// Lets the staged files follow soon.
    ///
    /// - Parameter cut: nil leaves them as they are patched and cut.
    func follow(_ cut: Cut?) {
        monitor.access { state in
            if let cut { state.cut = cut }
            state.isDue = true
        }
    }

    /// Gives away one staged file, as it is; nil when there is none. None follows any more.
    func take(_ number: Int) -> StagedFile? {
        monitor.access { $0.isHurried = true }
        return staged[number].take()
    }

    /// Waits until the staged files have followed.
    func wait() { monitor.wait(isChange: false) { $0.isDue || $0.isBusy ? nil : () } }

    private static func work(_ staged: [StagedClip], _ monitor: Monitor<State>) {
        func isHurried() -> Bool { monitor.access(isChange: false) { $0.isHurried || $0.isOver } }
        while true {
            let (cut, isOver) = monitor.wait(isChange: false) { state -> (Cut?, Bool)? in
                guard state.isOver || state.isDue && !state.isHurried else { return nil }
                defer { (state.cut, state.isDue, state.isBusy) = (nil, false, true) }
                return (state.cut, state.isOver)
            }
            guard !isOver else { break }
            if let cut = cut?() {
                for (staged, gain) in zip(staged, cut.gains) where !isHurried() { staged.turn(to: cut.start, gain) }
            }
            for staged in staged where !isHurried() { staged.follow(isUnwanted: isHurried) }
            monitor.access { $0.isBusy = false }
        }
        for staged in staged { _ = staged.take() }
    }
}

/// What becomes of a recording if it ends now.
public struct ProvisionalCut: Hashable, Sendable {
    /// The first PCM frame to keep.
    public var start: Int
    /// How much louder each version should be; nil for one that is of no use.
    public var gains: [Decibels?]

    public init(start: Int, gains: [Decibels?]) {
        self.start = start
        self.gains = gains
    }
}
