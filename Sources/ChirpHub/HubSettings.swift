public import ChirpAccounts
public import ChirpBoards
public import ChirpCommunity
public import ChirpCore
public import ChirpHTTP
package import ChirpPlaces
package import ChirpRecords
package import ChirpWeb

/// Where the server's certificate and key lie, in PEM. They are read again when they change.
public struct TLSFiles: Hashable, Sendable {
    public let certificate: String
    public let key: String

    public init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// What the owner says on `/about`, as plain text; empty: nothing but what every hub says.
public struct HubWords: Hashable, Sendable {
    public var about = ""
    public var rules = ""
    public var contact = ""

    public init() {}
}

/// How the hub serves.
public struct HubSettings: Hashable, Sendable {
    /// Where it listens, and what links begin with.
    public let address: HubAddress
    /// Who may sign up.
    public var registration = Registration.closed
    /// Answers `/metrics` to who shows the token in the library's `metrics.token`.
    public var metrics = false
    /// Speaks TLS itself; nil: plain HTTP, for this machine and for a web server in front.
    public var tls: TLSFiles?
    /// How many posts of an account a moderator must have shown before others are seen at once.
    public var holdFirstPosts = 0
    /// Other processes serve the same library and say so too.
    public var isShared = false
    /// A hub to try things on: it says so on every page.
    public var isStaging = false
    /// Multiplies every limit on how often something may be done.
    public var limitScale = 1.0
    /// What takes letters; nil: a folder.
    public var mail: MailServer?
    /// What letters are from; nil: an address at the host of the public URL.
    public var mailFrom: String?
    /// By which services elsewhere people may sign in.
    public var identity = IdentitySettings()
    /// Whether it speaks with other servers.
    public var federation = FederationSettings()
    /// A WebSub hub elsewhere, which is told when public feeds change; nil: none is.
    public var webSubHub: WebAddress?
    /// How frames read X; nil: they do not.
    package var frameX: FrameXSettings?
    /// The most that the clips and uploads of one account may take.
    public var quotaPerAccount = ByteCount(Int64(1_000_000_000))
    /// Seconds after which a recording in the browser stops by itself.
    public var longestRecording = 140
    /// The boards that are here, by their names; others are as if they had never been.
    public var boards = Boards.names
    /// Which tracks the board of beats takes.
    public var tracks = TrackLimits()
    /// How what is sold is paid.
    public var payments = HubPayments()
    /// What is allowed of pledges on the board of challenges.
    package var stakes = StakeLimits.off
    /// What the owner says of it.
    public var words = HubWords()
    /// Another server's drawings for moving maps, which browsers ask; nil: the hub's own.
    package var tiles: MapTiles?
    /// Whose `X-Forwarded-For` says where a request comes from.
    package var trustedProxies = TrustedProxies.none
    /// How passwords are kept.
    package var passwordCost = PasswordCost.usual
    /// How often an idle event stream says that it is alive. Proxies commonly cut silent connections after 30 to 60 s.
    public var heartbeat: Duration = .seconds(15)
    /// How often the library is looked at for new posts, and only while somebody listens.
    public var poll: Duration = .milliseconds(25)
    /// How long requests in progress may take to end after a graceful stop was asked for.
    public var grace: Duration = .seconds(3)
    /// What one visitor may hold.
    package var connections = ConnectionLimits()

    public init(_ address: HubAddress) { self.address = address }

    /// Takes as many connections as this process may have files open, after raising that limit as far as it goes.
    public mutating func takeAllConnections() { connections.total = OpenFiles.connections(of: OpenFiles.raise()) }

    /// What takes letters, for a hub in a folder. A hub to try things on writes to nobody.
    func post(folder: String) -> any LetterPost {
        let server = isStaging ? nil : mail
        return server.map { MailPost($0) } ?? LetterFolder(path: "\(folder)/mail")
    }
}
