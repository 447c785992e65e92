internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird
internal import Logging

/// Claiming a listing, and deciding about claims: pages and the same for programs.
struct ClaimRoutes {
    let desk: ListingDesk
    private let store: ClaimStore

    init(_ desk: ListingDesk) {
        self.desk = desk
        store = ClaimStore(library: desk.desk.library)
    }

    private static let path = ListingDesk.path
    private static let api = ListingDesk.api

    /// What is decided about a claim, and who may: its state says the rest.
    private enum Act: String, CaseIterable { case acceptance, refusal, withdrawal }

    var routes: [WebRoute] { pages + programs + Act.allCases.flatMap(decisions) }

    private var pages: [WebRoute] {
        [
            .get("\(Self.path)/claims", .signedIn) { request, context in
                try await page(try await store.claims(for: context.account), request, context)
            },
            .get("\(Self.path)/claims/:claim/sound.mp3", .signedIn) { try await sound($0, $1) },
            .get("\(Self.path)/:id/claims", .signedIn) { request, context in
                try await desk.answering(request, context) {
                    let listing = try await desk.own(context)
                    return try await page(
                        try await store.claims(of: listing.id, for: context.account), request, context)
                }
            },
            .get("\(Self.path)/:id/claim", .active) { request, context in
                try await desk.answering(request, context) {
                    form(try await desk.listing(context), request, context)
                }
            },
            .post(
                "\(Self.path)/:id/claim", .active,
                files: [FileForm.Files("voice", mostBytes: ListingFiles.mostClipBytes)],
                upTo: ListingFiles.mostClipBytes + 2 * Form.mostBytes
            ) { request, context, sent in
                try await desk.answering(request, context) {
                    let listing = try await desk.listing(context)
                    let answer = sent.fields["answer"]
                    do {
                        _ = try await claim(listing, answer, voice: sent.files("voice").first, clip: nil, context)
                        return desk.goOn(to: "\(Self.path)/\(listing.id)")
                    } catch let problem as Problem where problem.status == .unprocessableContent {
                        return form(listing, request, context, typed: answer, problem)
                    }
                }
            },
        ]
    }

    private var programs: [WebRoute] {
        [
            .api(
                .get, "\(Self.api)/claims", .signedIn, scope: "read:statuses",
                summary: "Lists one's own claims, and those at one's listings"
            ) { _, context in list(try await store.claims(for: context.account), context) },
            .api(
                .get, "\(Self.api)/:id/claims", .signedIn, scope: "read:statuses",
                summary: "Lists the claims at a listing: all for its author, one's own for others"
            ) { request, context in
                try await desk.answering(request, context) {
                    let listing = try await desk.listing(context)
                    return list(try await store.claims(of: listing.id, for: context.account), context)
                }
            },
            .api(
                .post, "\(Self.api)/:id/claims", .active, scope: "write:statuses", body: .upTo(Form.mostBytes),
                summary: "Claims a listing, with words or one's own clip, for its author alone",
                takes: [
                    .text("answer", isRequired: false), .text("clip", isRequired: false, "the id of one's own clip"),
                ],
                gives: 201
            ) { request, context in
                try await desk.answering(request, context) {
                    let (listing, sent) = (try await desk.listing(context), try await request.fields())
                    let clip = sent["clip"].flatMap { HubID($0) }
                    let id = try await claim(listing, sent["answer"] ?? "", voice: nil, clip: clip, context)
                    return try await one(id, context, status: .created)
                }
            },
            .api(
                .get, "\(Self.api)/claims/:claim/sound.mp3", .signedIn, scope: "read:statuses",
                summary: "The answer by voice, for the listing's author and who has spoken it", givesType: "audio/mpeg"
            ) { try await sound($0, $1) },
        ]
    }

    private func decisions(_ act: Act) -> [WebRoute] {
        [
            .post("\(Self.path)/claims/:claim/\(act.rawValue)", .active) { request, context, form in
                try await desk.answering(request, context) {
                    let claim = try await decide(act, form["greeting"], context)
                    let thread = desk.desk.library.seen(by: context.viewer).threadID(with: [claim.claimant.id])
                    return desk.goOn(to: act == .acceptance ? "/messages/\(thread)" : "\(Self.path)/claims")
                }
            },
            .api(
                .post, "\(Self.api)/claims/:claim/\(act.rawValue)", .active, scope: "write:statuses",
                summary: act == .withdrawal ? "Takes one's claim back" : "Decides about a claim at one's listing",
                takes: act == .acceptance ? [.text("greeting", isRequired: false, "the first words")] : []
            ) { request, context in
                try await desk.answering(request, context) {
                    let claim = try await decide(act, try await request.fields()["greeting"] ?? "", context)
                    return try await one(claim.id, context)
                }
            },
        ]
    }

    /// - Throws: ``Problem``, and ``ListingRefusal`` for a recording.
    private func claim(
        _ listing: Listing, _ answer: String, voice: SentFile?, clip: HubID?, _ context: WebContext
    ) async throws -> HubID {
        let me = try context.account
        do {
            guard let voice else { return try await store.claim(listing, by: me, answer: answer, clip: clip) }
            try await store.check(listing, by: me)
            let title = word("claim.clip", ["title": listing.item.title])
            let said: HubID
            do { said = try await ListingFiles(desk: desk).clip(voice, title: title, of: me) } catch let refusal
                as ListingRefusal
            {
                throw refusal.problem
            }
            do { return try await store.claim(listing, by: me, answer: answer, clip: said) } catch {
                // Nobody was to hear it but the author.
                try? await desk.desk.library.release(said)
                throw error
            }
        } catch let refusal as ClaimRefusal { throw refusal.problem }
    }

    private func decide(_ act: Act, _ greeting: String, _ context: WebContext) async throws -> Claim {
        let (me, claim) = (try context.account, try await named(context))
        do {
            switch act {
            case .refusal: try await store.refuse(claim.id, by: me)
            case .withdrawal: try await store.withdraw(claim.id, by: me)
            case .acceptance:
                let words = PlainText.lines(greeting, limit: Claim.longestAnswer)
                try await store.accept(claim.id, by: me, greeting: words.isEmpty ? word("claim.greeting") : words)
            }
        } catch let refusal as ClaimRefusal { throw refusal.problem }
        guard act == .acceptance else { return claim }
        do { try await store.greet(claim.id, links: desk.links, under: desk.desk.policy) } catch {
            // It is written down, and the sweep does it, also where the author may not write now.
            desk.desk.logger.warning("an accepted claim's conversation is not open yet: \(error)")
        }
        return claim
    }

    /// The claim that a path names, if the asker may see it.
    private func named(_ context: WebContext) async throws -> Claim {
        guard let id = context.parameters.get("claim").flatMap({ HubID($0) }),
            let claim = try await store.claim(id, for: context.account)
        else { throw Problem.noListing }
        return claim
    }

    /// The answer by voice: those who may are known from who asks, whatever address they have.
    private func sound(_ request: Request, _ context: WebContext) async throws -> Response {
        try await desk.answering(request, context) {
            let reader = desk.desk.library.seen(by: context.viewer)
            guard let id = try await named(context).clip, let clip = try await reader.sent(id) else {
                throw Problem.noListing
            }
            return try await ClipSound(clip, reader: reader, for: .asker).send(to: request)
        }
    }

    private func form(
        _ listing: Listing, _ request: Request, _ context: WebContext, typed: String = "", _ problem: Problem? = nil
    ) -> Response {
        desk.show(request, context, status: problem?.status ?? .ok) { token in
            ClaimForm(
                listing: listing, typed: typed, problem: problem?.sentence, takesVoice: desk.desk.takeClip != nil,
                token: token, links: desk.links
            ).html
        }
    }

    private func page(_ claims: [Claim], _ request: Request, _ context: WebContext) async throws -> Response {
        let me = try context.account
        let listings = try await desk.store.listings(Array(Set(claims.map(\.listing))), for: .member(me))
        return desk.show(request, context) { token in
            ClaimsPage(claims: claims, listings: listings, me: me, token: token, links: desk.links).html
        }
    }

    private func list(_ claims: [Claim], _ context: WebContext) -> Response {
        .json { json in
            json.field("claims") { json in
                json.array(claims) { json, claim in json.object { write(claim, context, &$0) } }
            }
        }
    }

    private func one(_ id: HubID, _ context: WebContext, status: HTTPResponse.Status = .ok) async throws -> Response {
        guard let claim = try await store.claim(id, for: context.account) else { throw Problem.noListing }
        var text = JSONText()
        text.object { write(claim, context, &$0) }
        return .json(text, status: status)
    }

    private func write(_ claim: Claim, _ context: WebContext, _ json: inout JSONText) {
        json.field("id", claim.id.text)
        json.field("listing", claim.listing.text)
        json.field("kind", claim.kind.rawValue)
        json.field("state", claim.state.rawValue)
        json.field("own", claim.claimant.id.rawValue == context.person?.id)
        json.field("from", claim.claimant.handle)
        json.field("question", claim.question)
        json.field("answer", claim.answer)
        json.field("sound", claim.clip.map { _ in "\(desk.links.publicURL)\(Self.api)/claims/\(claim.id)/sound.mp3" })
        json.field("created", claim.created)
        json.field("decided", claim.decided)
    }
}
