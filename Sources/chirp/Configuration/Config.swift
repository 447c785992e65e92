import ChirpAccounts
import ChirpClips
import ChirpCore
import ChirpHTTP
import ChirpNetworks

/// Everything that can be configured, with its built-in value. No secrets of the user: those are in the credentials. The secret
/// of a client may stand here, and is not shown.
///
/// A field here and its line in ``ConfigField/all`` are all that a new setting needs.
struct Config: Sendable {
    /// Format and bit rate of clips.
    var preset = Setting(Preset.voice)
    /// Remove silence at the ends.
    var trim = Setting(true)
    /// Bring to ``target``.
    var normalise = Setting(true)
    /// LUFS, integrated.
    var target = Setting(-16.0)
    /// Constant rate in kbps instead of the preset's.
    var bitrate = Setting(Int?.none)
    /// Variable rate by quality 0 (best) to 9 instead of the preset's constant one.
    var vbr = Setting(Int?.none)
    /// Threads for encoding; none: all cores.
    var jobs = Setting(Int?.none)

    /// The longest clip that `publish` makes.
    var maxLength = Setting(LengthOfTime?.some(LengthOfTime(.seconds(140))))
    /// The largest clip that `publish` makes.
    var maxBytes = Setting(Size?.none)
    var store = Setting(StoreName.hub)
    var network = Setting(NetworkName.hub)
    /// How long a published clip is kept; none: for ever.
    var expires = Setting(LengthOfTime?.none)

    /// The address that `serve` listens on. Loopback unless told otherwise.
    var hubBind = Setting("127.0.0.1")
    var hubPort = Setting(4747)
    /// What links begin with; none: `http://BIND:PORT`.
    var hubPublicURL = Setting(String?.none)
    /// The room for all clips of the hub; none: the free disk.
    var hubLimit = Setting(Size?.none)
    /// The hub's certificate and its key, in PEM; none: no TLS.
    var hubTLSCertificate = Setting(String?.none)
    var hubTLSKey = Setting(String?.none)
    /// Whether the hub answers `/metrics`.
    var hubMetrics = Setting(false)
    /// A hub to try things on, with data of its own.
    var hubStaging = Setting(false)
    /// Web servers in front of the hub whose word counts on where a request comes from.
    var hubTrustedProxies = Setting(TrustedProxies.none)
    /// Who may sign up at the hub.
    var hubRegistration = Setting(Registration.closed)
    /// How many posts of an account a moderator must have shown before others are seen at once.
    var hubHoldFirstPosts = Setting(0)
    /// Multiplies every limit on how often something may be done.
    var hubLimitScale = Setting(1.0)
    /// The server that takes the hub's letters; none: they are files in a folder.
    var hubMailHost = Setting(String?.none)
    /// None: the usual one of the encryption.
    var hubMailPort = Setting(Int?.none)
    /// None: STARTTLS, and nothing for a server on this machine.
    var hubMailEncryption = Setting(MailServer.Encryption?.none)
    var hubMailUser = Setting(String?.none)
    /// A file with mode 0600; the environment has it otherwise.
    var hubMailPasswordFile = Setting(String?.none)
    /// What letters are from; none: an address at the host of the public URL.
    var hubMailFrom = Setting(String?.none)
    /// A service elsewhere by which people sign in, which speaks OpenID Connect.
    var hubIdentityIssuer = Setting(String?.none)
    var hubIdentityClientID = Setting(String?.none)
    /// As people call it.
    var hubIdentityName = Setting(String?.none)
    /// A file with mode 0600; the environment has it otherwise.
    var hubIdentitySecretFile = Setting(String?.none)
    /// Whether people sign in by their Mastodon servers.
    var hubIdentityMastodon = Setting(false)
    /// For tests: those on this machine too, without TLS.
    var hubIdentityInsecureLoopback = Setting(false)
    /// Whether the hub speaks with other servers.
    var hubFederation = Setting(false)
    /// For tests: servers on this machine too, without TLS.
    var hubFederationInsecureLoopback = Setting(false)
    /// The WebSub hub that is told when public feeds change; none: nobody is.
    var hubWebSubHub = Setting(String?.none)
    /// The most that the clips and uploads of one account may take.
    var hubQuotaPerAccount = Setting(Size(bytes: 1_000_000_000))
    /// Where the hub is backed up to while it is served; none: it is not.
    var hubBackupStore = Setting(PrivateStoreName?.none)
    /// The folder, the address or the bucket of backups.
    var hubBackupPlace = Setting(String?.none)
    var hubBackupEvery = Setting(LengthOfTime(.seconds(86_400)))
    /// How many backups stay.
    var hubBackupKeep = Setting(7)
    /// Where the sound of older clips is kept; none: in the hub's folder.
    var hubMediaStore = Setting(PrivateStoreName?.none)
    /// The folder, the address or the bucket of clips.
    var hubMediaPlace = Setting(String?.none)
    /// After how long a clip moves there.
    var hubMediaAfter = Setting(LengthOfTime(.seconds(7 * 86_400)))
    /// What clips may take in the hub's folder before the oldest move; none: no bound.
    var hubMediaKeep = Setting(Size?.none)
    /// US dollars that frames may spend on reading X in a month; none: they do not read it.
    var hubFramesXMonthlyUSD = Setting(Double?.none)
    /// The servers of a fleet that makes the clips of what members send; none: children on this machine.
    var hubFleet = Setting(String?.none)
    /// Several processes serve the hub.
    var hubShared = Setting(false)
    /// The servers of NATS by which these tell each other of changes; none: each looks by itself.
    var hubSignals = Setting(String?.none)
    /// The boards of the hub.
    var hubBoards = Setting(BoardNames())
    /// The longest and the largest track that the board of beats takes.
    var hubTracksLongest = Setting(LengthOfTime(.seconds(900)))
    var hubTracksLargest = Setting(Size(bytes: 1_000_000_000))
    /// How what is sold on the board of beats is paid: `byHand` or `stripe`; none: by hand.
    var hubPayments = Setting(String?.none)
    /// Files with mode 0600: the key of the owner's account, what signs its messages, and what signs those of accounts that sellers connect.
    var hubStripeKeyFile = Setting(String?.none)
    var hubStripeWebhookSecretFile = Setting(String?.none)
    var hubStripeConnectSecretFile = Setting(String?.none)
    /// What forms begin with.
    var hubCurrency = Setting(String?.none)
    /// What pledges on the board of challenges are counted in, and the most at once; none: nobody pledges.
    var hubStakesUnit = Setting(String?.none)
    var hubStakesMost = Setting(100)
    /// What `/about` says of the hub, beside what it says of every one.
    var hubAbout = Setting(String?.none)
    var hubRules = Setting(String?.none)
    var hubContact = Setting(String?.none)
    /// The program that writes down what is said in clips, with its arguments; none: their authors do.
    var hubTranscribe = Setting(String?.none)
    /// Where browsers get the ground of moving maps from; none: from the hub.
    var hubMapsTiles = Setting(String?.none)
    /// Whom that is from, in the words that its licence asks for.
    var hubMapsAttribution = Setting(String?.none)

    /// Where the folder store keeps clips.
    var folderPath = Setting(String?.none)
    /// What links into the folder begin with; none: `file://`.
    var folderPublicURL = Setting(String?.none)
    /// The room for all clips of the folder; none: the free disk.
    var folderLimit = Setting(Size?.none)

    /// Who this machine is for the servers of a fleet: a file with mode 0600.
    var fleetCredentials = Setting(String?.none)
    /// Certificates of authorities to trust with TLS; none: the system's.
    var fleetCAFile = Setting(String?.none)
    /// A password may go to the servers of a fleet without TLS, also to other machines.
    var fleetAllowClearPassword = Setting(false)
    /// Folders that all machines of a fleet reach: NAME=PATH, with commas between.
    var fleetRoots = Setting(String?.none)
    /// Copies of a fleet's queue, when it is made; none: by the number of servers.
    var fleetReplicas = Setting(Int?.none)

    /// The microphone by name or a part of it; none: the sound server's default.
    var recordDevice = Setting(String?.none)
    /// A hub on another machine to listen to.
    var liveHub = Setting(String?.none)
    /// The loudspeaker for takes and clips; none: the sound server's default.
    var liveDevice = Setting(String?.none)
    /// Announce clips by two tones.
    var liveChime = Setting(true)
    /// Silence between clips.
    var livePause = Setting(LengthOfTime?.some(LengthOfTime(.seconds(1))))
    /// How long a slow clip may hold up the others.
    var livePatience = Setting(LengthOfTime(.seconds(10)))
    /// How long clips can be heard again.
    var liveKeep = Setting(LengthOfTime(.seconds(7 * 86_400)))
    /// The room for clips that can be heard again.
    var liveLimit = Setting(Size(bytes: 500_000_000))

    /// Where Google Drive is; other installations and tests have other addresses.
    var driveAPI = Setting("https://www.googleapis.com/drive/v3")
    var driveUpload = Setting("https://www.googleapis.com/upload/drive/v3")
    var driveWeb = Setting("https://drive.google.com")

    /// The folder of the WebDAV store.
    var webdavURL = Setting(String?.none)
    var webdavUser = Setting(String?.none)
    /// Where others can read that folder; links begin with it.
    var webdavPublicURL = Setting(String?.none)

    /// The S3 service, without the bucket.
    var s3Endpoint = Setting(String?.none)
    var s3Bucket = Setting(String?.none)
    var s3Region = Setting("us-east-1")
    /// The folder in the bucket; none: its root.
    var s3Folder = Setting(String?.none)
    var s3Addressing = Setting(S3Addressing.path)
    /// Where others can read that folder; none: links are the objects' own addresses.
    var s3PublicURL = Setting(String?.none)
    /// The room for all clips of the folder; none: what the service takes.
    var s3Limit = Setting(Size?.none)
    /// A file with mode 0600: the access key id, below it the secret key; the environment has them otherwise.
    var s3KeyFile = Setting(String?.none)

    /// The client for Google Drive, from Google's console.
    var googleClientID = Setting(String?.none)
    var googleClientSecret = Setting(Secret?.none)
    var googleAuthURL = Setting("https://accounts.google.com/o/oauth2/v2/auth")
    var googleTokenURL = Setting("https://oauth2.googleapis.com/token")
    var googleDeviceURL = Setting("https://oauth2.googleapis.com/device/code")
    var googleRevokeURL = Setting("https://oauth2.googleapis.com/revoke")

    /// Who posts on X: the user from a free page, or Chirp by the API.
    var xMode = Setting(XSettings.Mode.intent)
    /// US dollars a calendar month may cost; none: no limit.
    var xMonthlyBudgetUSD = Setting(Double?.none)
    /// The client for X, from its console; the secret only for confidential ones.
    var xClientID = Setting(String?.none)
    var xClientSecret = Setting(Secret?.none)
    /// The browser comes back to `http://127.0.0.1:PORT/callback`, which has to be registered at X.
    var xRedirectPort = Setting(8765)
    var xAPIURL = Setting("https://api.x.com")
    var xAuthURL = Setting("https://x.com/i/oauth2/authorize")

    var mastodonVisibility = Setting(MastodonSettings.Visibility?.none)
    /// ISO 639-1, such as `en`.
    var mastodonLanguage = Setting(String?.none)
    var mastodonContentWarning = Setting(String?.none)
    /// Send the clip along as media.
    var mastodonAttach = Setting(false)
    var mastodonOnExpiry = Setting(MastodonSettings.Ending.delete)

    /// The file that these settings came from, when it holds a secret and any user of the machine can read or change it.
    var exposedFile: String?

    var progress = Setting(ProgressStyle.auto)
    var color = Setting(ColorUse.auto)
}
