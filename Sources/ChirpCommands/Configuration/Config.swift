package import ChirpAccounts
package import ChirpClips
package import ChirpCore
package import ChirpHTTP
package import ChirpNetworks

/// Everything that can be configured, with its built-in value. No secrets of the user: those are in the credentials. The secret
/// of a client may stand here, and is not shown.
///
/// A field here and its line in ``ConfigField/all`` are all that a new setting needs.
package struct Config: Sendable {
    /// Format and bit rate of clips.
    package var preset = Setting(Preset.voice)
    /// Remove silence at the ends.
    package var trim = Setting(true)
    /// Bring to ``target``.
    package var normalise = Setting(true)
    /// LUFS, integrated.
    package var target = Setting(-16.0)
    /// Constant rate in kbps instead of the preset's.
    package var bitrate = Setting(Int?.none)
    /// Variable rate by quality 0 (best) to 9 instead of the preset's constant one.
    package var vbr = Setting(Int?.none)
    /// Threads for encoding; none: all cores.
    package var jobs = Setting(Int?.none)

    /// The longest clip that `publish` makes.
    package var maxLength = Setting(LengthOfTime?.some(LengthOfTime(.seconds(140))))
    /// The largest clip that `publish` makes.
    package var maxBytes = Setting(Size?.none)
    package var store = Setting(StoreName.hub)
    package var network = Setting(NetworkName.hub)
    /// How long a published clip is kept; none: for ever.
    package var expires = Setting(LengthOfTime?.none)

    /// The address that `serve` listens on. Loopback unless told otherwise.
    package var hubBind = Setting("127.0.0.1")
    package var hubPort = Setting(4747)
    /// The beginning of links; none: `http://BIND:PORT`.
    package var hubPublicURL = Setting(String?.none)
    /// The room for all clips of the hub; none: the free disk.
    package var hubLimit = Setting(Size?.none)
    /// The hub's certificate and its key, in PEM; none: no TLS.
    package var hubTLSCertificate = Setting(String?.none)
    package var hubTLSKey = Setting(String?.none)
    /// Whether the hub answers `/metrics`.
    package var hubMetrics = Setting(false)
    /// A hub to try things on, with data of its own.
    package var hubStaging = Setting(false)
    /// Web servers in front of the hub whose word counts on where a request comes from.
    package var hubTrustedProxies = Setting(TrustedProxies.none)
    /// The people who may sign up at the hub.
    package var hubRegistration = Setting(Registration.closed)
    /// How many posts of an account a moderator must have shown before others are seen at once.
    package var hubHoldFirstPosts = Setting(0)
    /// Multiplies every limit on how often something may be done.
    package var hubLimitScale = Setting(1.0)
    /// The server that takes the hub's letters; none: they are files in a folder.
    package var hubMailHost = Setting(String?.none)
    /// None: the usual one of the encryption.
    package var hubMailPort = Setting(Int?.none)
    /// None: STARTTLS, and nothing for a server on this machine.
    package var hubMailEncryption = Setting(MailServer.Encryption?.none)
    package var hubMailUser = Setting(String?.none)
    /// A file with mode 0600; the environment has it otherwise.
    package var hubMailPasswordFile = Setting(String?.none)
    /// The sender of letters; none: an address at the host of the public URL.
    package var hubMailFrom = Setting(String?.none)
    /// A service elsewhere by which people sign in, which speaks OpenID Connect.
    package var hubIdentityIssuer = Setting(String?.none)
    package var hubIdentityClientID = Setting(String?.none)
    /// As people call it.
    package var hubIdentityName = Setting(String?.none)
    /// A file with mode 0600; the environment has it otherwise.
    package var hubIdentitySecretFile = Setting(String?.none)
    /// Whether people sign in by their Mastodon servers.
    package var hubIdentityMastodon = Setting(false)
    /// For tests: those on this machine too, without TLS.
    package var hubIdentityInsecureLoopback = Setting(false)
    /// Whether the hub speaks with other servers.
    package var hubFederation = Setting(false)
    /// For tests: servers on this machine too, without TLS.
    package var hubFederationInsecureLoopback = Setting(false)
    /// The WebSub hub that is told when public feeds change; none: nobody is.
    package var hubWebSubHub = Setting(String?.none)
    /// The most that the clips and uploads of one account may take.
    package var hubQuotaPerAccount = Setting(Size(bytes: 1_000_000_000))
    /// Where the hub is backed up to while it is served; none: it is not.
    package var hubBackupStore = Setting(PrivateStoreName?.none)
    /// The folder, the address or the bucket of backups.
    package var hubBackupPlace = Setting(String?.none)
    package var hubBackupEvery = Setting(LengthOfTime(.seconds(86_400)))
    /// How many backups stay.
    package var hubBackupKeep = Setting(7)
    /// Where the sound of older clips is kept; none: in the hub's folder.
    package var hubMediaStore = Setting(PrivateStoreName?.none)
    /// The folder, the address or the bucket of clips.
    package var hubMediaPlace = Setting(String?.none)
    /// After how long a clip moves there.
    package var hubMediaAfter = Setting(LengthOfTime(.seconds(7 * 86_400)))
    /// The bytes that clips may take in the hub's folder before the oldest move; none: no bound.
    package var hubMediaKeep = Setting(Size?.none)
    /// US dollars that frames may spend on reading X in a month; none: they do not read it.
    package var hubFramesXMonthlyUSD = Setting(Double?.none)
    /// The servers of a fleet that makes the clips of what members send; none: children on this machine.
    package var hubFleet = Setting(String?.none)
    /// Several processes serve the hub.
    package var hubShared = Setting(false)
    /// The servers of NATS by which these tell each other of changes; none: each looks by itself.
    package var hubSignals = Setting(String?.none)
    /// The boards of the hub.
    package var hubBoards = Setting(BoardNames())
    /// The longest and the largest track that the board of beats takes.
    package var hubTracksLongest = Setting(LengthOfTime(.seconds(900)))
    package var hubTracksLargest = Setting(Size(bytes: 1_000_000_000))
    /// How what is sold on the board of beats is paid: `byHand` or `stripe`; none: by hand.
    package var hubPayments = Setting(String?.none)
    /// Files with mode 0600: the key of the owner's account, what signs its messages, and what signs those of accounts that sellers connect.
    package var hubStripeKeyFile = Setting(String?.none)
    package var hubStripeWebhookSecretFile = Setting(String?.none)
    package var hubStripeConnectSecretFile = Setting(String?.none)
    /// What forms begin with.
    package var hubCurrency = Setting(String?.none)
    /// What pledges on the board of challenges are counted in, and the most at once; none: nobody pledges.
    package var hubStakesUnit = Setting(String?.none)
    package var hubStakesMost = Setting(100)
    /// What `/about` says of the hub, beside what it says of every one.
    package var hubAbout = Setting(String?.none)
    package var hubRules = Setting(String?.none)
    package var hubContact = Setting(String?.none)
    /// The program that writes down what is said in clips, with its arguments; none: their authors do.
    package var hubTranscribe = Setting(String?.none)
    /// Where browsers get the ground of moving maps from; none: from the hub.
    package var hubMapsTiles = Setting(String?.none)
    /// Whom that is from, in the words that its licence asks for.
    package var hubMapsAttribution = Setting(String?.none)

    /// Where the folder store keeps clips.
    package var folderPath = Setting(String?.none)
    /// What links into the folder begin with; none: `file://`.
    package var folderPublicURL = Setting(String?.none)
    /// The room for all clips of the folder; none: the free disk.
    package var folderLimit = Setting(Size?.none)

    /// Who this machine is for the servers of a fleet: a file with mode 0600.
    package var fleetCredentials = Setting(String?.none)
    /// Certificates of authorities to trust with TLS; none: the system's.
    package var fleetCAFile = Setting(String?.none)
    /// A password may go to the servers of a fleet without TLS, also to other machines.
    package var fleetAllowClearPassword = Setting(false)
    /// Folders that all machines of a fleet reach: NAME=PATH, with commas between.
    package var fleetRoots = Setting(String?.none)
    /// Copies of a fleet's queue, when it is made; none: by the number of servers.
    package var fleetReplicas = Setting(Int?.none)

    /// The microphone by name or a part of it; none: the sound server's default.
    package var recordDevice = Setting(String?.none)
    /// A hub on another machine to listen to.
    package var liveHub = Setting(String?.none)
    /// The loudspeaker for takes and clips; none: the sound server's default.
    package var liveDevice = Setting(String?.none)
    /// Announce clips by two tones.
    package var liveChime = Setting(true)
    /// Silence between clips.
    package var livePause = Setting(LengthOfTime?.some(LengthOfTime(.seconds(1))))
    /// How long a slow clip may hold up the others.
    package var livePatience = Setting(LengthOfTime(.seconds(10)))
    /// How long clips can be heard again.
    package var liveKeep = Setting(LengthOfTime(.seconds(7 * 86_400)))
    /// The room for clips that can be heard again.
    package var liveLimit = Setting(Size(bytes: 500_000_000))

    /// Where Google Drive is; other installations and tests have other addresses.
    package var driveAPI = Setting("https://www.googleapis.com/drive/v3")
    package var driveUpload = Setting("https://www.googleapis.com/upload/drive/v3")
    package var driveWeb = Setting("https://drive.google.com")

    /// The folder of the WebDAV store.
    package var webdavURL = Setting(String?.none)
    package var webdavUser = Setting(String?.none)
    /// Where others can read that folder; links begin with it.
    package var webdavPublicURL = Setting(String?.none)

    /// The S3 service, without the bucket.
    package var s3Endpoint = Setting(String?.none)
    package var s3Bucket = Setting(String?.none)
    package var s3Region = Setting("us-east-1")
    /// The folder in the bucket; none: its root.
    package var s3Folder = Setting(String?.none)
    package var s3Addressing = Setting(S3Addressing.path)
    /// Where others can read that folder; none: links are the objects' own addresses.
    package var s3PublicURL = Setting(String?.none)
    /// The room for all clips of the folder; none: what the service takes.
    package var s3Limit = Setting(Size?.none)
    /// A file with mode 0600: the access key id, below it the secret key; the environment has them otherwise.
    package var s3KeyFile = Setting(String?.none)

    /// The client for Google Drive, from Google's console.
    package var googleClientID = Setting(String?.none)
    package var googleClientSecret = Setting(Secret?.none)
    package var googleAuthURL = Setting("https://accounts.google.com/o/oauth2/v2/auth")
    package var googleTokenURL = Setting("https://oauth2.googleapis.com/token")
    package var googleDeviceURL = Setting("https://oauth2.googleapis.com/device/code")
    package var googleRevokeURL = Setting("https://oauth2.googleapis.com/revoke")

    /// Who posts on X: the user from a free page, or Chirp by the API.
    package var xMode = Setting(XSettings.Mode.intent)
    /// US dollars a calendar month may cost; none: no limit.
    package var xMonthlyBudgetUSD = Setting(Double?.none)
    /// The client for X, from its console; the secret only for confidential ones.
    package var xClientID = Setting(String?.none)
    package var xClientSecret = Setting(Secret?.none)
    /// The browser comes back to `http://127.0.0.1:PORT/callback`, which has to be registered at X.
    package var xRedirectPort = Setting(8765)
    package var xAPIURL = Setting("https://api.x.com")
    package var xAuthURL = Setting("https://x.com/i/oauth2/authorize")

    package var mastodonVisibility = Setting(MastodonSettings.Visibility?.none)
    /// ISO 639-1, such as `en`.
    package var mastodonLanguage = Setting(String?.none)
    package var mastodonContentWarning = Setting(String?.none)
    /// Send the clip along as media.
    package var mastodonAttach = Setting(false)
    package var mastodonOnExpiry = Setting(MastodonSettings.Ending.delete)

    /// The file that these settings came from, when it holds a secret and any user of the machine can read or change it.
    package var exposedFile: String?

    package var progress = Setting(ProgressStyle.auto)
    package var color = Setting(ColorUse.auto)

    package init() {}
}
