internal import ChirpCommunity
internal import ChirpHTTP
internal import Logging
internal import ServiceLifecycle

extension HubApplication {
    /// The WebSub hub that is told when public feeds change; nil where none is set, where it could not ask for them, and where the hub is
    /// there to try things on.
    var webSubHub: WebAddress? {
        guard let hub = settings.webSubHub, hub.isSecure, !settings.isStaging, PushDesk.isPublic(address.publicURL)
        else { return nil }
        return hub
    }

    /// Writes down from now on what changes in public feeds, or forgets what waits. Before anybody is answered: from then on posts come.
    func beginAnnouncingFeeds() async throws(LibraryError) {
        if settings.webSubHub != nil, webSubHub == nil, !settings.isStaging {
            logger.warning("no WebSub hub is told of feeds: the hub's own address must be https and a public name")
        }
        try await library.announceFeeds(webSubHub != nil)
    }

    /// What tells that hub; none when there is none.
    func announcingServices(_ links: HubLinks) -> [any Service] {
        guard let hub = webSubHub else { return [] }
        let transport = CurlTransport(
            settings: CurlSettings(connectTimeout: .seconds(5), slowTime: .seconds(10), onlyPublicAddresses: true))
        let announcer = FeedAnnouncer(
            library: library, links: links,
            sender: WebSubSender(transport, to: hub, clock: clock, now: library.now), clock: clock, logger: logger)
        return [FeedAnnouncerService(announcer: announcer)]
    }
}
