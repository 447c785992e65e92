internal import ChirpAudio

/// Keeps the drafts of all lanes up to date, on a thread of its own: however slow the disk is, the recording goes on.
final class LiveDrafter {
    typealias Wish = @Sendable () -> LiveWish?

    private struct State {
        /// The latest.
        var wish: Wish?
        /// Something has come.
        var isDue = false
        var isBusy = false
        /// What is under way shall come to its end.
        var isHurried = false
        var isOver = false
    }

    private let monitor = ParallelMonitor(State())
    private let drafts: [LiveDraft]

    init(_ drafts: [LiveDraft]) throws(AudioError) {
        let monitor = monitor
        self.drafts = drafts
        try detachThread { Self.work(drafts, monitor) }
    }

    // The thread then removes what was not taken: when the clip is there, so that nothing competes with that.
    deinit { monitor.access { $0.isOver = true } }

    /// Lets the drafts follow soon.
    ///
    /// - Parameter wish: nil leaves them as they are patched and cut.
    func follow(_ wish: Wish?) {
        monitor.access { state in
            if let wish { state.wish = wish }
            state.isDue = true
        }
    }

    /// Gives away one draft, as it is; nil when there is none. None follows any more.
    func take(_ number: Int) -> LiveFile? {
        monitor.access { $0.isHurried = true }
        return drafts[number].take()
    }

    /// Waits until the drafts have followed.
    func wait() { monitor.wait(isChange: false) { $0.isDue || $0.isBusy ? nil : () } }

    private static func work(_ drafts: [LiveDraft], _ monitor: ParallelMonitor<State>) {
        func isHurried() -> Bool { monitor.access(isChange: false) { $0.isHurried || $0.isOver } }
        while true {
            let (wish, isOver) = monitor.wait(isChange: false) { state -> (Wish?, Bool)? in
                guard state.isOver || state.isDue && !state.isHurried else { return nil }
                defer { (state.wish, state.isDue, state.isBusy) = (nil, false, true) }
                return (state.wish, state.isOver)
            }
            guard !isOver else { break }
            if let wish = wish?() {
                for (draft, gain) in zip(drafts, wish.gains) where !isHurried() { draft.turn(to: wish.start, gain) }
            }
            for draft in drafts where !isHurried() { draft.follow(isUnwanted: isHurried) }
            monitor.access { $0.isBusy = false }
        }
        for draft in drafts { _ = draft.take() }
    }
}
