internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpFrame
internal import ChirpHTTP
internal import ChirpWeb

extension HubApplication {
    /// What frames are made of here.
    func frameDesk(
        _ desk: AccountDesk, _ links: HubLinks, _ watch: LibraryWatch, _ shares: AddressShares, _ usage: UsageBook
    ) throws(LibraryError) -> FrameDesk {
        let key: [UInt8]
        do throws(AccountError) { key = try HubKey.read("\(library.folder)/key") } catch {
            throw .inputOutput(path: library.folder, reason: error.whatHappened)
        }
        let isSecure = links.publicURL.hasPrefix("https:")
        let signer = Signer(key: key)
        let isLoose = settings.identity.insecureLoopback
        // Servers that strangers name: only public addresses are asked.
        let transport = CurlTransport(
            settings: CurlSettings(
                connectTimeout: .seconds(5), slowTime: .seconds(10), onlyPublicAddresses: !isLoose))
        let x = settings.frameX.flatMap {
            FrameX($0, transport: transport, pause: .real, now: { library.now() })
        }
        let elsewhere = FrameNetworks(
            transport: transport, clock: clock, publicURL: links.publicURL, signer: signer, x: x,
            allowsLoopback: isLoose)
        let sounds = intake.map {
            FrameSounds(
                library, $0, transport, publicURL: links.publicURL, quota: settings.quotaPerAccount,
                policy: desk.entrance.policy, allowsPlain: isLoose)
        }
        var (answers, fetching) = (nil as FrameDesk.Answers?, nil as FrameDesk.Sounds?)
        var clips: FrameDesk.Clips?
        if let sounds {
            answers = { sound, key, from, to in
                try await sounds.answered(sound, key: key, from: from, to: to)
            }
            @Sendable func fetch(_ address: String, _ name: String) async throws(FrameDesk.Refusal) -> [UInt8] {
                try await sounds.fetched(address, name: name)
            }
            fetching = fetch
            @Sendable func trim(_ sound: [UInt8]) async throws(FrameDesk.Refusal) -> [UInt8] {
                try await sounds.trimmed(sound)
            }
            clips = trim
        }
        return FrameDesk(
            library: library, accounts: desk.accounts, limits: desk.limits, links: links, forgery: desk.forgery,
            cookie: HostCookie(settings.isStaging ? "staging-frame" : "frame", isSecure: isSecure),
            session: desk.cookie,
            traces: ["known", "newcomer", "identity", "invitation"].map { HostCookie($0, isSecure: isSecure) },
            watch: watch, shares: shares, seal: FrameSeal(signer),
            pictures: framePictures(pictures?.makeForScreen), faces: framePictures(pictures?.make), answers: answers,
            clips: clips, sounds: fetching, speech: frameSpeech(sounds),
            elsewhere: elsewhere, usage: usage, logger: logger)
    }

    private func frameSpeech(_ sounds: FrameSounds?) -> FrameDesk.Speech? {
        guard let sounds, let speech else { return nil }
        @Sendable func spoken(_ text: String, _ languages: [String]) async throws(FrameDesk.Refusal) -> [UInt8] {
            try await sounds.spoken(text, in: languages, by: speech)
        }
        return spoken
    }

    private func framePictures(_ make: PictureIntake.Making?) -> FrameDesk.Pictures? {
        guard let make else { return nil }
        @Sendable func made(_ bytes: [UInt8]) async throws(FrameDesk.Refusal) -> [UInt8] {
            do throws(PictureIntake.Refusal) { return try await make(bytes) } catch {
                throw FrameDesk.Refusal(error.reason)
            }
        }
        return made
    }
}
