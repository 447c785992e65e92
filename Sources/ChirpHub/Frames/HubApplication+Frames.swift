internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpFrame
internal import ChirpWeb

extension HubApplication {
    /// What frames are made of here.
    func frameDesk(
        _ desk: AccountDesk, _ links: HubLinks, _ watch: LibraryWatch, _ shares: AddressShares
    ) throws(LibraryError) -> FrameDesk {
        let key: [UInt8]
        do throws(AccountError) { key = try HubKey.read("\(library.folder)/key") } catch {
            throw .inputOutput(path: library.folder, reason: error.whatHappened)
        }
        let isSecure = links.publicURL.hasPrefix("https:")
        return FrameDesk(
            library: library, accounts: desk.accounts, limits: desk.limits, links: links, forgery: desk.forgery,
            cookie: HostCookie(settings.isStaging ? "staging-frame" : "frame", isSecure: isSecure),
            session: desk.cookie, watch: watch, shares: shares, seal: FrameSeal(Signer(key: key)),
            pictures: framePictures, answers: nil, elsewhere: FrameNetworks(), logger: logger)
    }

    private var framePictures: FrameDesk.Pictures? {
        guard let make = pictures?.makeForScreen else { return nil }
        @Sendable func made(_ bytes: [UInt8]) async throws(FrameDesk.Refusal) -> [UInt8] {
            do throws(PictureIntake.Refusal) { return try await make(bytes) } catch {
                throw FrameDesk.Refusal(error.reason)
            }
        }
        return made
    }
}
