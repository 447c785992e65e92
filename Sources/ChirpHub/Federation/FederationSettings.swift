/// Whether a hub speaks with other servers.
public struct FederationSettings: Hashable, Sendable {
    /// People here may let others be followed from other servers.
    public var isOn = false
    /// For tests: servers on this machine too, without TLS.
    public var insecureLoopback = false

    public init() {}
}
