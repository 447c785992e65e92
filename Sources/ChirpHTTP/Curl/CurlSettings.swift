/// How a ``CurlTransport`` behaves.
public struct CurlSettings: Sendable {
    /// Sent with every request that has none of its own.
    public var userAgent: String
    /// To a connected, greeted server.
    public var connectTimeout: Duration
    /// A transfer that moves fewer than `slowBytesPerSecond` for so long is given up. There is no limit to the whole: an
    /// upload over a slow line may take hours.
    public var slowTime: Duration
    public var slowBytesPerSecond: Int
    /// Where plain http is allowed besides this machine itself: scheme, host and port, since another port is another service.
    public var plainOrigins: Set<WebOrigin>
    /// Refuse addresses that are not public, checked on the address that is about to be connected, so that no name and no
    /// redirect can lead into the local network.
    public var onlyPublicAddresses: Bool
    /// A file of certificates to trust instead of the system's.
    public var authorities: String?
    /// Told of every answer or failure, for logs. What it gets holds no secret.
    public var observe: (@Sendable (HTTPEvent) -> Void)?

    public init(
        userAgent: String = "chirp", connectTimeout: Duration = .seconds(15), slowTime: Duration = .seconds(60),
        slowBytesPerSecond: Int = 16, plainOrigins: Set<WebOrigin> = [], onlyPublicAddresses: Bool = false,
        authorities: String? = nil, observe: (@Sendable (HTTPEvent) -> Void)? = nil
    ) {
        self.userAgent = userAgent
        self.connectTimeout = connectTimeout
        self.slowTime = slowTime
        self.slowBytesPerSecond = slowBytesPerSecond
        self.plainOrigins = plainOrigins
        self.onlyPublicAddresses = onlyPublicAddresses
        self.authorities = authorities
        self.observe = observe
    }
}
