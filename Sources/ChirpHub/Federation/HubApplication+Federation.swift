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
            library: library, links: links, transport: transport, allowsLoopback: isLoose,
            making: intake.map(RemoteClipMaking.init), clock: clock
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

/// Fetches the clips of people elsewhere for as long as the server runs.
struct RemoteClipService: Service {
    let desk: RemoteClipDesk

    func run() async throws { await cancelWhenGracefulShutdown { await desk.run() } }
}

extension RemoteClipMaking {
    /// As what members send is made: decoded by a child that can do nothing else, and made anew.
    fileprivate init(_ intake: ClipIntake) {
        self.init { (order) async throws(RemoteClipMaking.Failure) in
            do throws(ClipIntake.Failure) {
                let made = try await intake.make(
                    ClipIntake.Order(
                        id: order.clip.text, input: order.input, name: "clip", title: order.title,
                        sha256: order.sha256, goal: order.goal))
                return RemoteClipMaking.Made(
                    bytes: made.bytes, sha256: made.sha256, sound: HubSound(seconds: made.seconds, peaks: made.peaks))
            } catch {
                switch error {
                case .refused(let why): throw .refused(why)
                case .died: throw .died
                case .notNow(let why), .unable(let why): throw .notNow(why)
                }
            }
        }
    }
}
