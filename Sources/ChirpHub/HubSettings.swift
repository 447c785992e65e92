public import ChirpCommunity
package import ChirpWeb

/// How the hub serves.
public struct HubSettings: Hashable, Sendable {
    /// Where it listens, and what links begin with.
    public let address: HubAddress
    /// How often an idle event stream says that it is alive. Proxies commonly cut silent connections after 30 to 60 s.
    public var heartbeat: Duration = .seconds(15)
    /// How often the library is looked at for new posts, and only while somebody listens.
    public var poll: Duration = .milliseconds(25)
    /// How long requests in progress may take to end after a graceful stop was asked for.
    public var grace: Duration = .seconds(3)
    /// What one visitor may hold.
    package var connections = ConnectionLimits()

    public init(_ address: HubAddress) { self.address = address }
}
