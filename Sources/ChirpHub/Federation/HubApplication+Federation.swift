internal import ChirpCommunity
internal import ChirpCore
internal import ChirpFediverse
internal import ChirpHTTP
internal import Logging
internal import ServiceLifecycle

extension HubApplication {
    /// What speaks with other servers; nil where the hub does not, as by default, and where it is there to try things on.
    func fediverse() -> Fediverse? {
        guard settings.federation.isOn, !settings.isStaging, let links = FediverseLinks(publicURL: address.publicURL)
        else { return nil }
        let isLoose = settings.federation.insecureLoopback
        // Others could not reach it otherwise, and would refuse it.
        guard links.publicURL.isSecure || isLoose && links.publicURL.isLoopback else { return nil }
        let transport =
            federationTransport
            ?? CurlTransport(
                settings: CurlSettings(
                    connectTimeout: .seconds(5), slowTime: .seconds(10), onlyPublicAddresses: !isLoose))
        return Fediverse(
            library: library, links: links, transport: transport, allowsLoopback: isLoose, clock: clock
        ) { [logger] in
            logger.info("\($0)")
        }
    }
}

/// Delivers to other servers for as long as the server runs. What is left then is delivered after the next start.
struct DeliveryService: Service {
    let desk: DeliveryDesk

    func run() async throws { await cancelWhenGracefulShutdown { await desk.run() } }
}
