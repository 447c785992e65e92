internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpHTTP
internal import ChirpPush

extension HubApplication {
    /// What tells browsers here: nothing at a hub that has no public name, or is there to try things on.
    func pushDesk(_ desk: AccountDesk) throws(LibraryError) -> PushDesk {
        let publicURL = address.publicURL
        guard PushDesk.isPublic(publicURL), !settings.isStaging else {
            return PushDesk(desk: desk, library: library, office: nil)
        }
        let secret: [UInt8]
        do throws(AccountError) { secret = try HubKey.read("\(library.folder)/key") } catch {
            throw .inputOutput(path: library.folder, reason: error.whatHappened)
        }
        let isLoose = settings.identity.insecureLoopback
        // Some services take no port or path here.
        let host = WebAddress(publicURL)?.host ?? ""
        let vapid = Vapid(secret: secret, contact: "https://\(host)")
        // Addresses that strangers name: only public ones are asked.
        let transport = CurlTransport(
            settings: CurlSettings(
                connectTimeout: .seconds(5), slowTime: .seconds(10), onlyPublicAddresses: !isLoose))
        let courier = PushCourier(
            library: library, sender: PushSender(transport, vapid, clock: clock, now: library.now),
            host: host, allowsLoopback: isLoose, clock: clock, logger: logger)
        return PushDesk(
            desk: desk, library: library,
            office: PushDesk.Office(key: vapid.publicKey, courier: courier, allowsLoopback: isLoose))
    }
}
