public import ChirpNetworks

/// A network to listen to, and how one learns that it is worth looking.
public struct LiveSource: Sendable {
    public let network: any Network
    /// A look that brings so many posts is followed by another one without waiting.
    public let batch: Int
    /// One element for every look but the first: when the network has said that there is something, or when its limits allow
    /// another look. Asked for once per watch.
    public let signals: @Sendable () -> AsyncStream<Void>

    public init(_ network: any Network, batch: Int = 50, signals: @escaping @Sendable () -> AsyncStream<Void>) {
        self.network = network
        self.batch = batch
        self.signals = signals
    }

    /// A network that has to be asked again and again.
    ///
    /// - Parameter wait: false when the task was cancelled meanwhile.
    public init(
        _ network: any Network, batch: Int = 50, polling interval: Duration,
        wait: @escaping @Sendable (Duration) async -> Bool
    ) {
        self.init(network, batch: batch) { AsyncStream { await wait(interval) ? () : nil } }
    }

    public var name: String { network.properties.name }
}
