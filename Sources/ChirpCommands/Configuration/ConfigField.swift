internal import ChirpCommunity
internal import ChirpCore
internal import ChirpHTTP
internal import ChirpPlaces
internal import ChirpStores

/// One setting as the configuration file, the environment and `chirp config show` know it.
struct ConfigField: Sendable {
    /// The key in the file; a dot stands for a level of nesting.
    let name: String
    /// The variable, `CHIRP_` and the key's words.
    let variable: String
    /// An accepted value.
    let example: String
    /// Sets the value from text.
    let set: @Sendable (inout Config, String, Origin) throws(BadValue) -> Void
    /// The value as everybody may read it: addresses without passwords and keys.
    let show: @Sendable (Config) -> (text: String, origin: Origin)

    private init<Value: ConfigValue>(
        _ name: String, _ path: any WritableKeyPath<Config, Setting<Value>> & Sendable, example: String,
        needs: String = "", accepts: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) {
        self.name = name
        self.example = example
        variable = Self.variable(for: name)
        set = { (config: inout Config, text: String, origin: Origin) throws(BadValue) in
            let value = try Value(configText: text)
            guard accepts(value) else { throw BadValue(text, needs: needs) }
            config[keyPath: path].value = value
            config[keyPath: path].origin = origin
        }
        show = { (AddressText.masked($0[keyPath: path].value.configText), $0[keyPath: path].origin) }
    }

    /// `hub.publicURL` becomes `CHIRP_HUB_PUBLIC_URL`.
    static func variable(for name: String) -> String {
        var words = "CHIRP_"
        var wasLower = false
        for character in name {
            if character == "." {
                words += "_"
            } else {
                if character.isUppercase && wasLower { words += "_" }
                words += character.uppercased()
            }
            wasLower = character.isLowercase
        }
        return words
    }

    /// The address of a service, for other installations and for tests.
    private static func service(
        _ name: String, _ path: any WritableKeyPath<Config, Setting<String>> & Sendable
    ) -> ConfigField {
        ConfigField(name, path, example: "https://example.org", needs: Limits.url) { Limits.isURL($0) }
    }

    /// What people read on a page.
    private static func ownWords(
        _ name: String, _ path: any WritableKeyPath<Config, Setting<String?>> & Sendable, example: String
    ) -> ConfigField {
        ConfigField(name, path, example: example, needs: "at most \(HubChoices.longestWords) characters") {
            ($0?.count ?? 0) <= HubChoices.longestWords
        }
    }

    /// In the order in which they are shown.
    static let all: [ConfigField] = [
        ConfigField("preset", \.preset, example: "voice"),
        ConfigField("trim", \.trim, example: "true"),
        ConfigField("normalise", \.normalise, example: "true"),
        ConfigField("target", \.target, example: "-16", needs: Limits.target.needs) { Limits.target.accepts($0) },
        ConfigField("bitrate", \.bitrate, example: "128", needs: Limits.bitrate.needs) {
            $0.map(Limits.bitrate.accepts) ?? true
        },
        ConfigField("vbr", \.vbr, example: "2", needs: Limits.vbr.needs) { $0.map(Limits.vbr.accepts) ?? true },
        ConfigField("jobs", \.jobs, example: "2", needs: Limits.jobs.needs) { $0.map(Limits.jobs.accepts) ?? true },
        ConfigField("maxLength", \.maxLength, example: "140s"),
        ConfigField("maxBytes", \.maxBytes, example: "16MB"),
        ConfigField("store", \.store, example: "hub"),
        ConfigField("network", \.network, example: "hub"),
        ConfigField("expires", \.expires, example: "7d"),
        ConfigField("hub.bind", \.hubBind, example: "127.0.0.1"),
        ConfigField("hub.port", \.hubPort, example: "4747", needs: Limits.port.needs) { Limits.port.accepts($0) },
        ConfigField("hub.publicURL", \.hubPublicURL, example: "https://clips.example.org", needs: Limits.url) {
            $0.map(Limits.isURL) ?? true
        },
        ConfigField("hub.staging", \.hubStaging, example: "true"),
        ConfigField("hub.trustedProxies", \.hubTrustedProxies, example: "127.0.0.1, 10.0.0.0/8"),
        ConfigField("hub.limit", \.hubLimit, example: "10GB"),
        ConfigField(
            "hub.tls.certificate", \.hubTLSCertificate, example: "/etc/chirp/hub.pem",
            needs: "an absolute path, such as /etc/chirp/hub.pem"
        ) { $0?.hasPrefix("/") ?? true },
        ConfigField(
            "hub.tls.key", \.hubTLSKey, example: "/etc/chirp/hub.key",
            needs: "an absolute path, such as /etc/chirp/hub.key"
        ) { $0?.hasPrefix("/") ?? true },
        ConfigField("hub.metrics", \.hubMetrics, example: "true"),
        ConfigField("hub.registration", \.hubRegistration, example: "invite"),
        ConfigField(
            "hub.holdFirstPosts", \.hubHoldFirstPosts, example: "1", needs: "a number from 0 to 100, such as 1"
        ) { (0...100).contains($0) },
        ConfigField(
            "hub.limitScale", \.hubLimitScale, example: "1", needs: "a number from 0.1 to 10000, such as 1"
        ) { (0.1...10_000).contains($0) },
        ConfigField("hub.mail.host", \.hubMailHost, example: "mail.example.org"),
        ConfigField("hub.mail.port", \.hubMailPort, example: "587", needs: "a port from 1 to 65535, such as 587") {
            $0.map { (1...65535).contains($0) } ?? true
        },
        ConfigField("hub.mail.tls", \.hubMailEncryption, example: "starttls"),
        ConfigField("hub.mail.user", \.hubMailUser, example: "chirp"),
        ConfigField(
            "hub.mail.passwordFile", \.hubMailPasswordFile, example: "/etc/chirp/mail.password",
            needs: "an absolute path, such as /etc/chirp/mail.password"
        ) { $0?.hasPrefix("/") ?? true },
        ConfigField(
            "hub.mail.from", \.hubMailFrom, example: "chirp@example.org",
            needs: "a mail address, such as chirp@example.org"
        ) { $0.map(Limits.isMailAddress) ?? true },
        ConfigField(
            "hub.identity.oidc.issuer", \.hubIdentityIssuer, example: "https://id.example.org", needs: Limits.url
        ) { $0.map(Limits.isURL) ?? true },
        ConfigField("hub.identity.oidc.clientID", \.hubIdentityClientID, example: "chirp"),
        ConfigField("hub.identity.oidc.name", \.hubIdentityName, example: "Example"),
        ConfigField(
            "hub.identity.oidc.secretFile", \.hubIdentitySecretFile, example: "/etc/chirp/oidc.secret",
            needs: "an absolute path, such as /etc/chirp/oidc.secret"
        ) { $0?.hasPrefix("/") ?? true },
        ConfigField("hub.identity.mastodon", \.hubIdentityMastodon, example: "true"),
        ConfigField("hub.identity.insecureLoopback", \.hubIdentityInsecureLoopback, example: "true"),
        ConfigField("hub.federation", \.hubFederation, example: "on"),
        ConfigField("hub.federation.insecureLoopback", \.hubFederationInsecureLoopback, example: "true"),
        ConfigField(
            "hub.webSubHub", \.hubWebSubHub, example: "https://websub.example.org/",
            needs: "an https address, such as https://websub.example.org/"
        ) { $0.map { WebAddress($0)?.isSecure == true } ?? true },
        ConfigField("hub.quotaPerAccount", \.hubQuotaPerAccount, example: "1GB"),
        ConfigField("hub.backup.store", \.hubBackupStore, example: "s3"),
        ConfigField("hub.backup.place", \.hubBackupPlace, example: "hub-backups"),
        ConfigField("hub.backup.every", \.hubBackupEvery, example: "24h", needs: "a time from 1h to 31d, such as 24h") {
            (3600...31 * 86_400).contains($0.seconds)
        },
        ConfigField(
            "hub.backup.keep", \.hubBackupKeep, example: "7", needs: "a whole number from 1 to 1000, such as 7"
        ) { (1...1000).contains($0) },
        ConfigField("hub.media.store", \.hubMediaStore, example: "s3"),
        ConfigField("hub.media.place", \.hubMediaPlace, example: "hub-clips"),
        ConfigField("hub.media.after", \.hubMediaAfter, example: "7d", needs: "a time from 1h to 3650d, such as 7d") {
            (3600...3650 * 86_400).contains($0.seconds)
        },
        ConfigField("hub.media.keep", \.hubMediaKeep, example: "20GB"),
        ConfigField(
            "hub.frames.xMonthlyUSD", \.hubFramesXMonthlyUSD, example: "5",
            needs: "US dollars, 0 or more, such as 5"
        ) { $0.map { (0...1e6).contains($0) } ?? true },
        ConfigField("hub.fleet", \.hubFleet, example: "nats://queue.example.org:4222", needs: Limits.nameless) {
            $0.map(Limits.namesNobody) ?? true
        },
        ConfigField("hub.shared", \.hubShared, example: "true"),
        ConfigField("hub.signals", \.hubSignals, example: "nats://queue.example.org:4222", needs: Limits.nameless) {
            $0.map(Limits.namesNobody) ?? true
        },
        ConfigField("hub.boards", \.hubBoards, example: "lost-and-found"),
        ConfigField("hub.tracks.longest", \.hubTracksLongest, example: "15m"),
        ConfigField("hub.tracks.largest", \.hubTracksLargest, example: "1GB"),
        ConfigField("hub.payments", \.hubPayments, example: "stripe", needs: "byHand or stripe") {
            $0.map { ["byHand", "stripe"].contains($0) } ?? true
        },
        ConfigField(
            "hub.stripe.keyFile", \.hubStripeKeyFile, example: "/etc/chirp/stripe.key",
            needs: "an absolute path, such as /etc/chirp/stripe.key"
        ) { $0?.hasPrefix("/") ?? true },
        ConfigField(
            "hub.stripe.webhookSecretFile", \.hubStripeWebhookSecretFile, example: "/etc/chirp/stripe.webhook",
            needs: "an absolute path, such as /etc/chirp/stripe.webhook"
        ) { $0?.hasPrefix("/") ?? true },
        ConfigField(
            "hub.stripe.connectSecretFile", \.hubStripeConnectSecretFile, example: "/etc/chirp/stripe.connect",
            needs: "an absolute path, such as /etc/chirp/stripe.connect"
        ) { $0?.hasPrefix("/") ?? true },
        ConfigField(
            "hub.currency", \.hubCurrency, example: "EUR", needs: "EUR, USD, GBP, CHF or JPY"
        ) { $0.map { HubChoices.currencies.contains($0) } ?? true },
        ConfigField(
            "hub.stakes.unit", \.hubStakesUnit, example: "points",
            needs: "a name of at most \(HubChoices.longestUnit) characters, such as points"
        ) { $0.map { HubChoices.isUnit($0) } ?? true },
        ConfigField(
            "hub.stakes.most", \.hubStakesMost, example: "100",
            needs: "a whole number from 1 to 1000000000, such as 100"
        ) { (1...Int(HubChoices.greatestStake)).contains($0) },
        ownWords("hub.about", \.hubAbout, example: "The hub of the harbour choir"),
        ownWords("hub.rules", \.hubRules, example: "Singing only on Sundays"),
        ownWords("hub.contact", \.hubContact, example: "https://choir.example.org/contact"),
        ConfigField(
            "hub.transcribe", \.hubTranscribe, example: "/opt/whisper/transcribe",
            needs: "a program, such as /opt/whisper/transcribe, with its arguments"
        ) { command in command.map { $0.hasPrefix("/") || !$0.prefix { $0 != " " }.contains("/") } ?? true },
        ConfigField(
            "hub.maps.tiles", \.hubMapsTiles, example: "https://tiles.example.org/{z}/{x}/{y}.png",
            needs: "an https address with {z}, {x} and {y}, such as https://tiles.example.org/{z}/{x}/{y}.png"
        ) { $0.map { MapTiles(template: $0, attribution: "") != nil } ?? true },
        ConfigField(
            "hub.maps.attribution", \.hubMapsAttribution, example: "© OpenStreetMap contributors",
            needs: "at most 200 characters"
        ) { ($0?.count ?? 0) <= 200 },
        ConfigField(
            "folder.path", \.folderPath, example: "/srv/clips", needs: "an absolute path, such as /srv/clips"
        ) { $0?.hasPrefix("/") ?? true },
        ConfigField("folder.publicURL", \.folderPublicURL, example: "https://example.org/clips", needs: Limits.url) {
            $0.map(Limits.isURL) ?? true
        },
        ConfigField("folder.limit", \.folderLimit, example: "2GB"),
        ConfigField("fleet.credentials", \.fleetCredentials, example: "/etc/chirp/fleet.creds"),
        ConfigField("fleet.caFile", \.fleetCAFile, example: "/etc/chirp/fleet-ca.pem"),
        ConfigField("fleet.allowClearPassword", \.fleetAllowClearPassword, example: "true"),
        ConfigField("fleet.roots", \.fleetRoots, example: "shared=/mnt/audio"),
        ConfigField("fleet.replicas", \.fleetReplicas, example: "3", needs: Limits.replicas.needs) {
            $0.map(Limits.replicas.accepts) ?? true
        },
        ConfigField("record.device", \.recordDevice, example: "usb"),
        ConfigField("live.hub", \.liveHub, example: "http://studio.example:4747", needs: Limits.url) {
            $0.map(Limits.isURL) ?? true
        },
        ConfigField("live.device", \.liveDevice, example: "headset"),
        ConfigField("live.chime", \.liveChime, example: "true"),
        ConfigField("live.pause", \.livePause, example: "1s"),
        ConfigField("live.patience", \.livePatience, example: "10s"),
        ConfigField("live.keep", \.liveKeep, example: "7d"),
        ConfigField("live.limit", \.liveLimit, example: "500MB", needs: "a size of 50MB or more, such as 500MB") {
            $0.bytes >= 50_000_000
        },
        service("drive.apiURL", \.driveAPI),
        service("drive.uploadURL", \.driveUpload),
        service("drive.webURL", \.driveWeb),
        ConfigField("webdav.url", \.webdavURL, example: "https://cloud.example.org/dav/clips", needs: Limits.url) {
            $0.map(Limits.isURL) ?? true
        },
        ConfigField("webdav.user", \.webdavUser, example: "anna"),
        ConfigField("webdav.publicURL", \.webdavPublicURL, example: "https://example.org/clips", needs: Limits.url) {
            $0.map(Limits.isURL) ?? true
        },
        ConfigField(
            "s3.endpoint", \.s3Endpoint, example: "https://s3.eu-central-1.amazonaws.com", needs: Limits.url
        ) { $0.map(Limits.isURL) ?? true },
        ConfigField(
            "s3.bucket", \.s3Bucket, example: "clips",
            needs: "a name of 3 to 63 letters, digits, dots and hyphens, such as clips"
        ) { $0.map { S3Store.Settings.isBucket($0) } ?? true },
        ConfigField("s3.region", \.s3Region, example: "eu-central-1", needs: "a region, such as eu-central-1") {
            S3Store.Settings.isRegion($0)
        },
        ConfigField("s3.folder", \.s3Folder, example: "anna/clips", needs: "a folder, such as anna/clips") {
            $0.map { S3Store.Settings.isFolder($0) } ?? true
        },
        ConfigField("s3.addressing", \.s3Addressing, example: "host"),
        ConfigField("s3.publicURL", \.s3PublicURL, example: "https://example.org/clips", needs: Limits.url) {
            $0.map(Limits.isURL) ?? true
        },
        ConfigField("s3.limit", \.s3Limit, example: "2GB"),
        ConfigField(
            "s3.keyFile", \.s3KeyFile, example: "/etc/chirp/s3.keys",
            needs: "an absolute path, such as /etc/chirp/s3.keys"
        ) { $0?.hasPrefix("/") ?? true },
        ConfigField("google.clientID", \.googleClientID, example: "1234-abcd.apps.googleusercontent.com"),
        ConfigField("google.clientSecret", \.googleClientSecret, example: "GOCSPX-abcd"),
        service("google.authURL", \.googleAuthURL),
        service("google.tokenURL", \.googleTokenURL),
        service("google.deviceURL", \.googleDeviceURL),
        service("google.revokeURL", \.googleRevokeURL),
        ConfigField("x.mode", \.xMode, example: "link"),
        ConfigField("x.monthlyBudgetUSD", \.xMonthlyBudgetUSD, example: "5", needs: "US dollars, 0 or more, such as 5")
        {
            $0.map { (0...1e6).contains($0) } ?? true
        },
        ConfigField("x.clientID", \.xClientID, example: "VGhpcyBpcyBub3Qgb25l"),
        ConfigField("x.clientSecret", \.xClientSecret, example: "abcd"),
        ConfigField("x.redirectPort", \.xRedirectPort, example: "8765", needs: Limits.port.needs) {
            Limits.port.accepts($0)
        },
        service("x.apiURL", \.xAPIURL),
        service("x.authURL", \.xAuthURL),
        ConfigField("mastodon.visibility", \.mastodonVisibility, example: "unlisted"),
        ConfigField(
            "mastodon.language", \.mastodonLanguage, example: "en", needs: "a language by its code, such as en"
        ) { $0.map { (2...8).contains($0.utf8.count) } ?? true },
        ConfigField("mastodon.contentWarning", \.mastodonContentWarning, example: "loud"),
        ConfigField("mastodon.attach", \.mastodonAttach, example: "true"),
        ConfigField("mastodon.onExpiry", \.mastodonOnExpiry, example: "edit"),
        ConfigField("progress", \.progress, example: "auto"),
        ConfigField("color", \.color, example: "auto"),
    ]
}
