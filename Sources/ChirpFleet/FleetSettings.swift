/// How a fleet's queue is reached, and how patient it is.
public struct FleetSettings: Hashable, Sendable {
    public var servers: FleetServers
    /// A file with the user's credentials: what `nsc` writes, or one line `user:password`; nil for none.
    public var credentials: String?
    /// A file with the certificates of authorities to trust instead of the system's; with it, TLS is demanded.
    public var authorities: String?
    /// Copies of the queue, 1, 3 or 5, when it has to be made.
    public var replicas: Int
    /// What the servers' logs call this client.
    public var name = "chirp"
    /// A job that nobody has spoken of for so long is given to another worker; workers speak three times as often.
    public var silence: Duration = .seconds(30)
    /// How often a job is tried before it is put aside.
    public var tries = 5
    /// The wait after the first failed try; doubled for each further one, up to 64 times.
    public var pause: Duration = .seconds(2)
    /// How often a batch compares what it waits for with what is in the queue.
    public var audit: Duration = .seconds(30)
    /// How long the servers may be silent before a call gives up: an election among them takes a few seconds.
    public var patience: Duration = .seconds(30)

    public init(servers: FleetServers, credentials: String? = nil, authorities: String? = nil, replicas: Int? = nil) {
        self.servers = servers
        self.credentials = credentials
        self.authorities = authorities
        self.replicas = replicas ?? servers.usualReplicas
    }
}
