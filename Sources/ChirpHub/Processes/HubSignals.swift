/// Says to the other processes that serve a library that something was committed, and hears it from them.
///
/// A signal has no contents: what has changed is in the library. One that is lost, late or twice changes nothing but when that is found.
public struct HubSignals: Sendable {
    let tell: @Sendable () -> Void
    let areComing: @Sendable () -> Bool
    let hear: @Sendable (_ heard: @escaping @Sendable () -> Void) async -> Void

    /// - Parameters:
    ///   - tell: something was committed here. Must not wait.
    ///   - areComing: whether what others tell is heard at this moment.
    ///   - hear: calls for every signal, until the task is cancelled.
    public init(
        tell: @escaping @Sendable () -> Void, areComing: @escaping @Sendable () -> Bool,
        hear: @escaping @Sendable (_ heard: @escaping @Sendable () -> Void) async -> Void
    ) {
        (self.tell, self.areComing, self.hear) = (tell, areComing, hear)
    }
}
