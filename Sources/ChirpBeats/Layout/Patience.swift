internal import ChirpCore

/// A page that depends on somebody else's answer does not wait for it: what takes longer is waited for by the page itself, in sight of whoever
/// reads it (AR-8, AR-14).
enum Patience {
    /// Half a second, so that the page is there within one.
    private static let most = Duration.milliseconds(500)

    /// - Parameter work: ends when its task is cancelled, and can be done again.
    /// - Returns: nil when it takes longer.
    @discardableResult
    static func shortly<Answer: Sendable>(_ work: @escaping @Sendable () async -> Answer) async -> Answer? {
        await withTaskGroup(of: Answer?.self) { group in
            group.addTask { await work() }
            group.addTask {
                try? await Task.sleep(for: most)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
