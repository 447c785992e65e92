/// When a hub asks another server again that could not be had: after a minute, then twice as long each time, at most an hour.
///
/// There is no jitter: one hub asks, and each at a moment of its own.
package enum RetryPause {
    /// Seconds.
    package static let longest = 3600.0

    /// Seconds until the next try.
    ///
    /// - Parameter failures: how many have failed, 1 or more.
    package static func seconds(afterFailures failures: Int) -> Double {
        min(60 * Double(1 << min(max(failures - 1, 0), 10)), longest)
    }
}
