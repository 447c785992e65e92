import ChirpAudio
import ChirpCommands
import ChirpCommunity
import ChirpCore
import ChirpDevices
import ChirpFlows
import ChirpHTTP
import ChirpIntake
import ChirpJournal
import ChirpNetworks
import ChirpOAuth
import ChirpOwnHub
import ChirpStores
import Glibc

extension Wiring {
    var clipCache: ClipCache { ClipCache(path: session.paths.cache + "/clips") }

    var liveRules: LiveRules {
        let config = session.config
        var rules = LiveRules()
        rules.queue.patience = config.livePatience.value.duration
        rules.pause = config.livePause.value?.duration ?? .zero
        rules.retention.keep = config.liveKeep.value.duration
        rules.retention.limit = config.liveLimit.value.count
        // What lies ahead always fits, however large its clips are.
        rules.maximumBytes = min(rules.maximumBytes, ByteCount(config.liveLimit.value.bytes / 20))
        return rules
    }

    /// The networks that one can listen to here: the hub, another hub that is configured, and those that somebody is signed
    /// in to.
    ///
    /// - Parameter area: where new spoken listings are listened to too; nil: nowhere.
    func liveNetworks(near area: ListingArea? = nil) throws -> [any Network] {
        try liveSources(near: area).map(\.network)
    }

    private func liveSources(near area: ListingArea?) throws -> [LiveSource] {
        let address = try hubAddress()
        let hub = HubNetwork(library: try hubLibrary(), publicURL: address.publicURL)
        var sources = [
            LiveSource(hub, batch: 200) {
                // A library that cannot be watched is asked every second.
                (try? hub.arrivals()) ?? LiveSource(hub, polling: .seconds(1), wait: Sleeper.real.wait).signals()
            }
        ]
        if let known = try hubSignIn(), let place = try hubOrigin() {
            let remote = try hubNetwork(of: known, name: Self.liveName(of: place))
            sources.append(LiveSource(remote) { remote.arrivals().stream() })
        }
        if let remote = try remoteHub() { sources.append(LiveSource(remote) { remote.arrivals().stream() }) }
        if try credentials.credential(for: NetworkName.mastodon.rawValue) != nil {
            let mastodon = try mastodonNetwork()
            sources.append(LiveSource(mastodon) { mastodon.arrivals().stream() })
        }
        if try credentials.credential(for: NetworkName.x.rawValue) != nil {
            // Every look costs; why X is not streamed from: Docs/decisions/0501.
            sources.append(LiveSource(try xNetwork(), polling: .seconds(60), wait: Sleeper.real.wait))
        }
        if let area {
            // A listing is no post, so the hub's stream does not tell of it.
            sources.append(LiveSource(try hubListings(area), polling: .seconds(5), wait: Sleeper.real.wait))
        }
        return sources
    }

    /// A hub that somebody is signed in to, beside the one on this machine: each has places of its own in the journal.
    private static func liveName(of hub: WebAddress) -> String {
        "hub@\(hub.host)" + (hub.port.map { "-\($0)" } ?? "")
    }

    /// The hub on another machine that is listened to without signing in. One that somebody is signed in to is heard once, by the
    /// way that shows more of it.
    private func remoteHub() throws -> RemoteHub? {
        guard let root = session.config.liveHub.value.flatMap({ WebAddress($0) }),
            try root.origin != hubOrigin()?.origin
        else { return nil }
        let settings = CurlSettings(userAgent: Self.userAgent, plainOrigins: [WebOrigin(root)])
        let transport = CurlTransport(settings: settings)
        return RemoteHub(root: root, transport: RetryingTransport(Self.bounded(transport), policy: Self.patience))
    }

    /// Where the listings are that somebody listens to: at the hub that one is signed in to, the one that is configured, or the one that is
    /// served here.
    func listingHub() throws -> WebAddress {
        let named = try hubOrigin() ?? session.config.liveHub.value.flatMap { WebAddress($0) }
        guard let root = try named ?? WebAddress(hubAddress().publicURL) else {
            throw NetworkError.unsupported("be asked for listings")
        }
        return root
    }

    private func hubListings(_ area: ListingArea? = nil) throws -> RemoteHub {
        let root = try listingHub()
        let settings = CurlSettings(userAgent: Self.userAgent, plainOrigins: [WebOrigin(root)])
        return RemoteHub(
            root: root,
            transport: RetryingTransport(Self.bounded(CurlTransport(settings: settings)), policy: Self.patience),
            area: area)
    }

    /// The place of a name, as the hub with the listings knows it.
    func listingPlace(_ name: String) async throws -> RemoteHub.NamedPlace {
        let answer = try await hubListings().places(named: name)
        guard let best = answer.found.first else {
            throw ListingFailure.noPlace(name, meant: answer.meant.prefix(3).map(\.title))
        }
        return best
    }

    /// What live listening needs; opens the journal and the hub's library.
    func livePorts(near area: ListingArea? = nil) throws -> LivePorts {
        let (config, address) = (session.config, try hubAddress())
        let store = HubStore(library: try hubLibrary(), publicURL: address.publicURL)
        let player = LivePlayer(
            device: DeviceName(config.liveDevice.value), chimes: config.liveChime.value)
        let downloader = try downloader()
        let own = address.publicURL + "/media/"
        let (intake, longest) = (intake, liveRules.maximumLength)
        intake.warmUp()
        return LivePorts(
            journal: try journal(), cache: clipCache,
            sources: try liveSources(near: area),
            links: ClipLinks(
                hubs: [address.publicURL]
                    + [config.liveHub.value, config.folderPublicURL.value, try hubOrigin()?.origin].compactMap { $0 }),
            fetch: { (clip, path, limit) async throws(NetworkError) in
                // A clip of this machine's own hub is there whether or not it is being served.
                if case .hub(let address) = clip, address.hasPrefix(own), address.hasSuffix(".mp3") {
                    return try await Self.copy(
                        StoredObject.ID(String(address.dropFirst(own.count).dropLast(4))), from: store, to: path,
                        limit: limit)
                }
                return try await downloader.download(clip, to: path, limit: limit)
            },
            measure: { (path, name, longest) async throws(AudioError) in
                try await offPool { () throws(AudioError) in
                    try intake.facts(of: path, name: name, longest: longest)
                }
            },
            play: { (clip, path, started, report) async throws(AudioError) in
                let name = "the clip by @\(clip.handle)"
                try await player.play(
                    clip,
                    from: { () throws(AudioError) in try intake.reader(of: path, name: name, longest: longest) },
                    started: started, report: { report(.device($0)) })
                intake.warmUp()
            })
    }

    /// Fetches from anywhere on the Internet, and of private addresses from those places alone that the configuration names.
    private func downloader() throws -> ClipDownloader {
        let config = session.config
        let named = [
            config.hubPublicURL.value, config.folderPublicURL.value, config.liveHub.value, try hubOrigin()?.origin,
        ]
        var places = named.compactMap { $0 }.compactMap { WebAddress($0) }
        var drive = ClipDownloader.Drive()
        if let web = session.environment["CHIRP_DRIVE_WEB_URL"] { drive.web = web }
        let rules = HostRules(trusted: places)
        if let web = WebAddress(drive.web) { places.append(web) }
        return ClipDownloader(
            transport: CurlTransport(settings: CurlSettings(onlyPublicAddresses: true)),
            trusted: CurlTransport(settings: CurlSettings(plainOrigins: Set(places.map { WebOrigin($0) }))),
            rules: rules, drive: drive)
    }

    private static func copy(
        _ id: StoredObject.ID, from store: HubStore, to path: String, limit: Int64
    ) async throws(NetworkError) -> ClipDownloader.Download {
        // What an earlier attempt has left; the store makes the file anew.
        unlink(path)
        do throws(StoreError) { try await store.load(id, to: path) } catch {
            if error == .cancelled { throw .cancelled }
            throw .refused(status: 404, detail: error.whatHappened)
        }
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw .inputOutput(path: path, reason: String(cString: strerror(errno))) }
        guard facts.st_size <= limit else {
            throw .refused(status: 413, detail: "the clip is larger than \(ByteCount(limit))")
        }
        return ClipDownloader.Download(bytes: Int64(facts.st_size), sha256: nil)
    }
}
