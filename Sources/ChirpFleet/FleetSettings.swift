/// How a fleet's queue is reached, and how patient it is.
public struct FleetSettings: Hashable, Sendable {
    public var servers: FleetServers
    /// A file with the user's credentials: what `nsc` writes, or one line `user:password`; nil for none.
    public var credentials: String?
    /// A file with the certificates of authorities to trust instead of the system's; with it, TLS is demanded.
    public var authorities: String?
    /// A password may go to other machines without TLS, where everybody on the way can read it.
    public var allowsClearPassword = false
    /// Copies of the queue, 1, 3 or 5, when it has to be made.
    public var replicas: Int
    /// What the servers' logs call this client.
    public var name = "chirp"
    /// A job that nobody has spoken of for so long is given to another worker; workers speak three times as often.
    public var silence: Duration = .seconds(30)
    /// How often a job may fail for what may pass, such as a folder that cannot be reached, before it is put aside.
    public var tries = 5
    /// How often making it may end the process that does it (`AudioError.crashed`) before it is put aside.
    public var crashes = 2
    /// How often it may come back without a word, since its worker died or lost its way, before it is tried alone: one worker holds
    /// several jobs when it dies, and one of them at most is to blame.
    public var unexplained = 2
    /// How often a worker may die of it while nothing else was in its hands, before it is put aside.
    public var deaths = 3
    /// The wait after the first failed try; doubled for each further one, up to 64 times.
    public var pause: Duration = .seconds(2)
    /// How often a batch compares what it waits for with what is in the queue.
    public var audit: Duration = .seconds(30)
    /// How long the servers may be silent before a call gives up: an election among them takes a few seconds.
    public var patience: Duration = .seconds(30)

    /// All that goes to the servers is encrypted, and nothing is sent to one that does not speak TLS.
    var usesTLS: Bool { authorities != nil || servers.demandTLS }

    public init(servers: FleetServers, credentials: String? = nil, authorities: String? = nil, replicas: Int? = nil) {
        self.servers = servers
        self.credentials = credentials
        self.authorities = authorities
        self.replicas = replicas ?? servers.usualReplicas
    }
}
