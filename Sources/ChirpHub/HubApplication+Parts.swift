internal import ChirpAccounts
internal import ChirpBeats
internal import ChirpBoards
package import ChirpCommunity
internal import ChirpCore
internal import ChirpFediverse
internal import ChirpFrame
internal import ChirpHTTP
internal import ChirpListening
internal import ChirpMap
package import ChirpWeb
internal import Glibc
internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdHTTP2
internal import Logging
internal import NIOCore
internal import ServiceLifecycle

extension HubApplication {
    /// What answers, and what the answers share.
    struct Parts {
        let links: HubLinks
        let desk: AccountDesk
        let watch: LibraryWatch
        let content: ContentVersion
        let shares: AddressShares
        let limits: ConnectionLimits
        let events: EventRoutes
        let streams: StreamRoutes
        let usage: UsageRoutes
        let pages: PageRoutes
        let portraits: PictureRoutes
        let uploads: UploadService
        let listening: ListeningDesk
        let onward: OnwardWork?
        let frames: FrameDesk
        let boards: [Board]
        let push: PushDesk
        let fediverse: Fediverse?
        /// Every address that is declared with who may use it; from these come guards, tests and the description for programs.
        let routes: [WebRoute]
    }

    func parts(isSecure: Bool) throws(LibraryError) -> Parts {
        let links = HubLinks(publicURL: address.publicURL)
        let watch = try LibraryWatch(
            library, poll: settings.poll, heartbeat: settings.heartbeat, hints: hints, clock: clock,
            onFailure: { [logger] error in logger.warning("watching the library: \(error.whatHappened)") })
        let desk = try accountDesk(links)
        let limits = settings.connections.scaled(by: settings.limitScale)
        let shares = AddressShares(
            limits, proxyIsLocal: address.proxyIsLocal && !isSecure, proxies: settings.trustedProxies)
        let fediverse = fediverse()
        let elsewhere = fediverse.map { ElsewhereDesk(fediverse: $0, limits: desk.limits) }
        let client = ClientDesk(library: library, links: links, limits: desk.limits, elsewhere: elsewhere)
        let mayStay = { @Sendable (context: WebContext) async -> Bool in
            if let shown = context.token {
                return (try? await desk.bearer(ofToken: shown))??.person?.id == context.person?.id
            }
            guard let token = context.session.flatMap({ OpaqueToken(shown: $0) }) else { return true }
            return (try? await desk.accounts.account(of: token))??.person.id == context.person?.id
        }
        let signOuts = SignOuts { try await desk.accounts.signOutCount() }
        let streams = StreamRoutes(
            library: library, watch: watch, shares: shares, encode: client.updates, notices: client.notices,
            mayStay: mayStay, signOuts: signOuts)
        let listening = listeningDesk(watch)
        let live = LiveRoutes(
            desk: listening, links: links, forgery: desk.forgery, shares: shares, mayStay: mayStay,
            signOuts: signOuts)
        let events = EventRoutes(
            reader: library.seen(by: .visitor), links: links, watch: watch, shares: shares)
        let feeds = [("events", events.feed), ("public", streams.everybody), ("user", streams.homes)]
        let usage = UsageRoutes(
            library: library, links: links, book: try UsageBook(library), limits: desk.limits,
            listeners: { feeds.map { ($0.0, $0.1.count) } },
            token: settings.metrics ? try MetricsToken.read("\(library.folder)/metrics.token") : nil)
        let stock = PictureStock(library, pictures, limits: desk.limits, quota: settings.quotaPerAccount)
        let boardFilms = BoardFilms()
        let sales = saleDesk(links, desk.limits)
        let boards = boards(desk, links, stock, boardFilms, sales)
        let pageDesk = PageDesk(
            library: library, links: links, forgery: desk.forgery, limits: desk.limits, policy: desk.entrance.policy,
            boards: boards, elsewhere: elsewhere)
        let pages = PageRoutes(desk: pageDesk) { try await desk.entrance.registration() }
        let portraits = PictureRoutes(
            desk: desk, reader: library.seen(by: .visitor), links: links, intake: pictures)
        let uploads = UploadService(
            library, links, settings.quotaPerAccount, intake, films: films, tracks: tracks,
            trackLimits: settings.tracks, clock: clock, logger: logger
        ) {
            // An attempt may have waited for it.
            for board in boards { await board.errand?.arise() }
        }
        boardFilms.come(to: uploads.desk)
        let onward = onward.map { OnwardWork(library, $0, clock: clock, logger: logger) }
        let drafts = DraftDesk(
            library: library, links: links, uploads: uploads.desk, limits: desk.limits, policy: entrance.policy,
            onward: onward, clock: clock)
        let frames = try frameDesk(desk, links, watch, shares, usage.book)
        let push = try pushDesk(desk)
        let declared = [
            DraftRoutes(desk: drafts).routes,
            RecordRoutes(desk: drafts, forgery: desk.forgery, longest: settings.longestRecording).routes,
            routes(desk, links, fediverse), clientRoutes(client, uploads), pages.routes, streams.routes, usage.routes,
            portraits.routes, uploads.routes, moderationRoutes(desk, links, stock, boards, fediverse),
            FederationRoutes(fediverse: fediverse, limits: desk.limits) { try await desk.entrance.registration() }
                .routes,
            OfflineRoutes(links: links).routes,
            pageRoutes(pageDesk, desk), live.routes, FrameRoutes(desk: frames).routes,
            boards.flatMap(\.routes),
            PaymentRoutes(orders: sales.orders, limits: desk.limits) {
                for board in boards { await board.errand?.arise() }
            }.routes,
            PlaceRoutes(gazetteer: gazetteer, limits: desk.limits).routes,
            MapRoutes(ground: mapGround(links), labels: mapLabels).routes,
            PushRoutes(push: push).routes, PushSettingsRoutes(push: push).routes,
            ItemPictureRoutes(library: library, links: links, stock: stock).routes,
        ].flatMap { $0 }
        return Parts(
            links: links, desk: desk, watch: watch, content: try ContentVersion(library), shares: shares,
            limits: limits, events: events, streams: streams, usage: usage,
            pages: pages, portraits: portraits, uploads: uploads, listening: listening, onward: onward, frames: frames,
            boards: boards,
            push: push, fediverse: fediverse,
            routes: declared + DescriptionRoutes(described: declared, links: links).routes)
    }

    /// Every declared address, for tests.
    package func declaredRoutes() throws(LibraryError) -> [WebRoute] { try parts(isSecure: false).routes }

    /// Those about accounts, and of programs.
    private func routes(_ desk: AccountDesk, _ links: HubLinks, _ fediverse: Fediverse?) -> [WebRoute] {
        let closed = ClosedPage(desk: ModerationDesk(library: library, desk: desk, links: links))
        let party = PasskeyParty(publicURL: links.publicURL)
        return [
            SignInRoutes(desk: desk, closed: closed, takesPasskeys: party != nil).routes,
            party.map { PasskeySignInRoutes(desk: desk, closed: closed, party: $0).routes } ?? [],
            PasskeyRoutes(desk: desk, party: party).routes,
            closed.routes,
            SignUpRoutes(desk: desk).routes,
            SettingsRoutes(desk: desk).routes,
            ProfileRoutes(desk: desk).routes,
            AccountAPIRoutes(desk: desk).routes,
            SessionAPIRoutes(desk: desk).routes,
            ProblemRoutes(links: links).routes,
            TokenSettingsRoutes(desk: desk).routes,
            NoticeSettingsRoutes(desk: desk, library: library).routes,
            PrivacyRoutes(desk: desk, publicURL: links.publicURL, fediverse: fediverse).routes,
            AuthorizeRoutes(desk: desk).routes,
            TokenRoutes(desk: desk, links: links).routes,
            ExportRoutes(desk: desk, library: library).routes,
            IdentityRoutes(identity: IdentityDesk(desk: desk, logger: logger), closed: closed).routes,
            LinkedIdentityRoutes(identity: IdentityDesk(desk: desk, logger: logger)).routes,
        ].flatMap { $0 }
    }

    /// What people read, and do with what they read.
    private func pageRoutes(_ pages: PageDesk, _ desk: AccountDesk) -> [WebRoute] {
        [
            PeopleRoutes(desk: pages).routes,
            ElsewhereRoutes(desk: pages, elsewhere: pages.elsewhere).routes,
            PostActRoutes(desk: pages).routes,
            ClipActRoutes(desk: pages).routes,
            MediaRoutes(library: pages.library).routes,
            MessageRoutes(desk: MessageDesk(desk: pages)).routes,
            ThreadRoutes(desk: MessageDesk(desk: pages)).routes,
            AboutRoutes(
                desk: pages, own: settings.words, hasPlaces: gazetteer != nil,
                registration: { try await desk.entrance.registration() }
            ).routes,
        ].flatMap { $0 }
    }

    /// Mastodon's client API, and what the hub adds to it for programs.
    private func clientRoutes(_ desk: ClientDesk, _ uploads: UploadService) -> [WebRoute] {
        let isOpen = settings.registration == .open
        return ClientAccountRoutes(desk: desk).routes + ClientListRoutes(desk: desk).routes
            + ClientStatusRoutes(desk: desk, medium: uploads.medium, policy: entrance.policy).routes
            + ClientInstanceRoutes(desk: desk, isOpen: isOpen, mostBytes: settings.quotaPerAccount.bytes).routes
            + OwnClipRoutes(desk: desk).routes
    }

    /// Reports, cases, what is decided, and the notices of it.
    private func moderationRoutes(
        _ desk: AccountDesk, _ links: HubLinks, _ stock: PictureStock, _ boards: [Board], _ fediverse: Fediverse?
    ) -> [WebRoute] {
        let desk = ModerationDesk(library: library, desk: desk, links: links, takePicture: stock.forBoards)
        return ReportRoutes(desk: desk).routes + ReportPictureRoutes(desk: desk).routes + CaseRoutes(desk: desk).routes
            + ModeratedPeopleRoutes(desk: desk).routes + ModeratedThingRoutes(desk: desk).routes
            + ModerationRoutes(desk: desk, boards: boards).routes
            + DomainRoutes(desk: desk, isOn: fediverse != nil).routes
            + StandingRoutes(desk: desk).routes + NoticeRoutes(desk: desk).routes
    }

    /// Where other processes write, this one hears of its own commits at once, and of theirs when they say so.
    private var hints: LibraryWatch.Hints? {
        guard duty != nil else { return nil }
        return LibraryWatch.Hints(poll: max(settings.poll, Self.slowPoll)) { [signals] in
            signals?.areComing() ?? false
        }
    }

    /// While signals come.
    private static let slowPoll = Duration.milliseconds(500)

    /// Live listening in browsers.
    private func listeningDesk(_ watch: LibraryWatch) -> ListeningDesk {
        let start = ContinuousClock.now
        return ListeningDesk(
            ListeningStore(library), isShared: duty != nil,
            times: ListeningDesk.Times(
                date: library.now, uptime: { start.duration(to: .now) },
                sleep: { [clock] in try await clock.sleep(for: $0) }),
            watch: watch.feed
        ) { [logger] error in
            logger.warning("live listening: \(error.whatHappened)")
        }
    }

    /// What maps are made with.
    func mapGround(_ links: HubLinks) -> MapGround {
        MapGround(prefix: links.prefix, tiles: settings.tiles, leaflet: LeafletFiles())
    }

    /// Who comes in, and what those who have just come may do.
    private var entrance: HubEntrance {
        HubEntrance(
            library: library, configured: settings.registration, holdFirstPosts: settings.holdFirstPosts,
            scale: settings.limitScale)
    }

    /// What the pages about accounts share.
    private func accountDesk(_ links: HubLinks) throws(LibraryError) -> AccountDesk {
        let (folder, url) = (library.folder, address.publicURL)
        let isSecure = url.hasPrefix("https:")
        do throws(AccountError) {
            let key = try HubKey.read("\(folder)/key")
            let signer = Signer(key: key)
            let limits = try RateLimits(
                path: "\(folder)/limits.sqlite", scale: settings.limitScale, now: library.now)
            let accounts = library.accounts(
                PasswordDesk(cost: settings.passwordCost, clock: clock), key: LetterKey(key), limits: limits,
                hubWords: links.authority.prefix { $0 != ":" }.split(separator: ".").map(String.init))
            return AccountDesk(
                book: accounts,
                limits: limits,
                visits: SessionVisits(accounts),
                postman: Postman(
                    accounts: accounts, post: settings.post(folder: folder), publicURL: url, from: settings.mailFrom,
                    now: library.now, logger: logger),
                entrance: entrance, prefix: links.prefix,
                // Cookies know no ports: beside the real hub, this one must not end its sessions.
                cookie: HostCookie(settings.isStaging ? "staging" : "session", isSecure: isSecure),
                forgery: ForgeryCheck(signer: signer, origin: links.origin, isSecure: isSecure),
                browsers: KnownBrowsers(signer: signer, isSecure: isSecure),
                newcomers: NewcomerProof(signer: signer, isSecure: isSecure),
                doors: IdentityDoors(
                    settings.identity, publicURL: url, signer: signer, clock: clock, now: library.now, logger: logger))
        } catch {
            throw .inputOutput(path: folder, reason: error.whatHappened)
        }
    }
}
