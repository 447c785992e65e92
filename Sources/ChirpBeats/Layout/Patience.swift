internal import ChirpCore

/// A page that depends on somebody else's answer does not wait for it: what takes longer is waited for by the page itself, in sight of whoever
/// reads it (AR-8, AR-14).
package struct Patience: Sendable {
    private let clock: any Clock<Duration>

    package init(_ clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

    /// Half a second, so that the page is there within one.
    package static let most = Duration.milliseconds(500)

    /// - Parameter work: ends when its task is cancelled, and can be done again.
    /// - Returns: nil when it takes longer.
    @discardableResult
    package func shortly<Answer: Sendable>(_ work: @escaping @Sendable () async -> Answer) async -> Answer? {
        await withTaskGroup(of: Answer?.self) { group in
            group.addTask { await work() }
            group.addTask { [clock] in
                try? await clock.sleep(for: Self.most)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
