internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpFederation
internal import ChirpFediverse
internal import ChirpHTTP
internal import ChirpWeb
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird

/// What other servers ask for and send, by ActivityPub, WebFinger and NodeInfo. Where the hub speaks with none, nothing of it is there.
struct FederationRoutes {
    /// Nil where the hub speaks with no other servers.
    let fediverse: Fediverse?
    let limits: RateLimits
    /// Who may sign up.
    let registration: @Sendable () async throws -> Registration

    /// How many activities come from one address: a large server sends for many people.
    private static let activities = RateRule(1200, per: 60)

    var routes: [WebRoute] {
        [
            document(
                "/.well-known/webfinger", "Finds somebody by a name", "application/jrd+json",
                [.text("resource", "acct:ann@hub.example, or an address")]
            ) {
                try await find($0, $1, $2)
            },
            document("/.well-known/nodeinfo", "Says where the hub describes itself", "application/json") {
                fediverse, _, _ in
                .activity(NodeInfo.discovery(at: fediverse.links.page("/nodeinfo/2.1")), type: "application/json")
            },
            document("/nodeinfo/2.1", "Describes the hub (NodeInfo 2.1)", "application/json") { fediverse, _, _ in
                try await nodeInfo(fediverse)
            },
            document("/ap/actors/:id", "Reads an actor") { fediverse, request, context in
                let actor = try await actor(fediverse, context)
                if request.isByPerson { return .elsewhere(actor.local.page.text) }
                return .activity(actor.local.document)
            },
            document("/ap/actors/:id/outbox", "Lists the clips that somebody has posted for everybody") {
                try await outbox($0, $1, $2)
            },
            document("/ap/actors/:id/followers", "Counts followers") { fediverse, _, context in
                let actor = try await actor(fediverse, context)
                let count = try await fediverse.followers(of: actor.kept)
                return .activity(Collection(id: fediverse.links.followers(actor.kept.id), count: count).document)
            },
            document("/ap/actors/:id/following", "Counts whom somebody follows") { fediverse, _, context in
                let actor = try await actor(fediverse, context)
                return .activity(Collection(id: fediverse.links.following(actor.kept.id), count: nil).document)
            },
            document("/ap/notes/:id", "Reads a clip that was posted for everybody") { fediverse, request, context in
                let note = try await note(fediverse, context.parameters.get("id"))
                if request.isByPerson { return .elsewhere(note.page.text) }
                return .activity(note.document)
            },
            document("/ap/notes/:id/activity", "Reads that a clip was posted") { fediverse, _, context in
                let id = context.parameters.get("id")
                let note = try await note(fediverse, id)
                return .activity(fediverse.creation(of: note, post: id ?? "").document)
            },
            inbox("/ap/inbox"), inbox("/ap/actors/:id/inbox"),
        ]
    }

    private typealias Answer = @Sendable (Fediverse, Request, WebContext) async throws -> Response

    private func document(
        _ path: String, _ summary: String, _ type: String = MediaType.activity, _ query: [WebField] = [],
        _ answer: @escaping Answer
    ) -> WebRoute {
        .api(.get, path, .everybody, scope: .open, summary: summary, query: query, givesType: type) {
            request, context in
            guard let fediverse else { throw HTTPError(.notFound) }
            return try await answer(fediverse, request, context)
        }
    }

    private func inbox(_ path: String) -> WebRoute {
        .api(
            .post, path, .everybody, scope: .open, body: .upTo(InboxDesk.mostBytes),
            summary: "Takes an activity of another server's",
            gives: 202
        ) { request, context in
            guard let fediverse else { throw HTTPError(.notFound) }
            do throws(AccountError) {
                try await limits.consume("inbox", Self.activities, by: .network(context.network))
            } catch {
                guard case .tooOften(let seconds) = error else { throw error }
                throw Problem(.tooManyRequests, "too-often", "Too many activities", retryAfter: seconds)
            }
            let body = try await request.body.collect(upTo: InboxDesk.mostBytes)
            guard let incoming = IncomingRequest(request, Array(body.readableBytesView), fediverse.links) else {
                throw HTTPError(.badRequest)
            }
            return Response(try await fediverse.inbox.receive(incoming))
        }
    }

    // MARK: Documents

    private func actor(
        _ fediverse: Fediverse, _ context: WebContext
    ) async throws -> (kept: FederationActor, local: LocalActor) {
        guard let id = context.parameters.get("id"), let kept = try await fediverse.library.federationActor(id) else {
            throw HTTPError(.notFound)
        }
        guard let local = try await fediverse.documents.actor(kept) else { throw HTTPError(.gone) }
        return (kept, local)
    }

    private func note(_ fediverse: Fediverse, _ id: String?) async throws -> LocalNote {
        guard let note = try await fediverse.note(id ?? "") else { throw HTTPError(.notFound) }
        return note
    }

    private func outbox(_ fediverse: Fediverse, _ request: Request, _ context: WebContext) async throws -> Response {
        let actor = try await actor(fediverse, context)
        let address = fediverse.links.outbox(actor.kept.id)
        let first = address.adding(["before": "\(PageCursor.end)"])
        let collection = Collection(
            id: address, count: try await fediverse.posts(of: actor.kept), first: first)
        guard let before = try request.cursor("before", from: 1) else {
            return .activity(collection.document)
        }
        let page = try await fediverse.outbox(of: actor.kept, before: before)
        return .activity(
            collection.page(
                address.adding(["before": "\(before)"]), items: page.items,
                next: page.next.map { address.adding(["before": "\($0)"]) }))
    }

    private func find(_ fediverse: Fediverse, _ request: Request, _ context: WebContext) async throws -> Response {
        let resource = PercentEncoding.decode(request.uri.queryParameters["resource"] ?? "")
        guard let subject = WebFinger.subject(resource) else { throw HTTPError(.badRequest) }
        guard let actor = try await fediverse.actor(of: subject) else { throw HTTPError(.notFound) }
        var response = Response.activity(
            WebFinger.document(of: actor, host: fediverse.links.host), type: "application/jrd+json")
        // Any page may ask who somebody is (RFC 7033, section 5).
        response.headers[.accessControlAllowOrigin] = "*"
        return response
    }

    private func nodeInfo(_ fediverse: Fediverse) async throws -> Response {
        let figures = try await fediverse.library.federationFigures()
        let info = NodeInfo(
            version: "1", isOpen: try await registration() == .open, people: figures.people,
            activeHalfYear: figures.activeHalfYear, activeMonth: figures.activeMonth, posts: figures.posts)
        return .activity(info.document, type: NodeInfo.mediaType)
    }
}

extension Request {
    /// Whether a browser asks, which shows no documents.
    fileprivate var isByPerson: Bool {
        let accepted = headers[.accept]
        return accepted?.contains("text/html") == true && !MediaType.wantsActivity(accepted)
    }
}

extension Response {
    /// A document for other servers. What is at its address is another thing for people.
    static func activity(
        _ document: DocumentValue, type: String = "\(MediaType.activity); charset=utf-8"
    ) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: type, .vary: "Accept", .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: document.bytes)))
    }

    /// The way of people to the page about something.
    fileprivate static func elsewhere(_ page: String) -> Response {
        Response(status: .seeOther, headers: [.location: page, .vary: "Accept", .cacheControl: "no-cache"])
    }

    fileprivate init(_ answer: InboxDesk.Answer) {
        func said(_ status: HTTPResponse.Status, _ reason: String) -> Response {
            Response(
                status: status, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "\(PlainText(reason, limit: 300))\n")))
        }
        switch answer {
        case .accepted: self = Response(status: .accepted, headers: [.cacheControl: "no-store"])
        case .unproved(let reason): self = said(.unauthorized, reason)
        case .forbidden(let reason): self = said(.forbidden, reason)
        case .malformed(let reason): self = said(.badRequest, reason)
        case .busy:
            self = said(.serviceUnavailable, "another time")
            headers[.retryAfter] = "60"
        }
    }
}

extension IncomingRequest {
    /// Nil for an address that is none.
    fileprivate init?(_ request: Request, _ body: [UInt8], _ links: FediverseLinks) {
        // What a proxy has taken away from the path is a part of what was signed.
        let prefix = links.publicURL.path == "/" ? "" : links.publicURL.path
        guard let address = WebAddress(links.publicURL.origin + prefix + (request.head.path ?? "/")) else { return nil }
        var headers = HTTPHeaders()
        for field in request.headers { headers.append(field.value, for: field.name.rawName) }
        self.init(method: request.method.rawValue, address: address, headers: headers, body: body)
    }
}
