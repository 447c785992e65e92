internal import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
package import ChirpWeb
internal import Foundation
internal import Hummingbird
internal import NIOCore

/// Live listening for programs and for the page's script.
package struct LiveRoutes: Sendable {
    let desk: ListeningDesk
    let links: HubLinks
    let forgery: ForgeryCheck
    private let shares: AddressShares
    private let mayStay: @Sendable (WebContext) async -> Bool
    private let signOuts: SignOuts

    /// - Parameters:
    ///   - mayStay: whether the session or the token that a listener came with holds still.
    ///   - signOuts: when that is to be asked.
    package init(
        desk: ListeningDesk, links: HubLinks, forgery: ForgeryCheck, shares: AddressShares,
        mayStay: @escaping @Sendable (WebContext) async -> Bool, signOuts: SignOuts
    ) {
        self.desk = desk
        self.links = links
        self.forgery = forgery
        self.shares = shares
        self.mayStay = mayStay
        self.signOuts = signOuts
    }

    private static let scope: TokenRule = "read:statuses"
    private static let path = "/api/hub/v1/live"
    /// Ids of as many accounts as one may choose.
    static let mostBytes = 256 << 10
    private static let times: [WebField] = [
        .text("for", isRequired: false, "how long, as in 10m, 2h or 1h30m; 24h at most"),
        .text("between", isRequired: false, "instead: two times of day, as in 22:00-02:00"),
        .text("zone", isRequired: false, "of these times, as in Europe/Berlin; the hub's own where it is not given"),
    ]

    package var routes: [WebRoute] { programs + pages }

    private var programs: [WebRoute] {
        [
            .api(
                .get, Self.path, .signedIn, scope: Self.scope,
                summary: "The live session that runs, with what arrived"
            ) { _, context in
                guard let bytes = try await desk.document(of: try context.listener) else { throw Problem.noSession }
                return Self.json(bytes)
            },
            .api(
                .post, Self.path, .signedIn, scope: Self.scope, body: .upTo(Self.mostBytes),
                summary: "Begins to listen live",
                takes: [.list("accounts", isRequired: true, "ids or @handles of people who are followed")] + Self.times,
                gives: 201
            ) { request, context in try await begin(request, context) },
            .api(
                .put, Self.path, .signedIn, scope: Self.scope, body: .upTo(Self.mostBytes),
                summary: "Changes the accounts or the time of the live session; the time counts from now",
                takes: [.list("accounts", "ids or @handles of people who are followed")] + Self.times
            ) { request, context in try await change(request, context) },
            .api(
                .post, "\(Self.path)/requests", .signedIn, scope: Self.scope, body: .upTo(4 << 10),
                summary: "Pauses, resumes, skips, stops, or plays a clip again",
                takes: [
                    .text("do", "pause, resume, skip, stop or replay"),
                    .number("play", "which to play again; the last one where it is not given"),
                ]
            ) { request, context in try await ask(request, context) },
            .api(
                .post, "\(Self.path)/turns", .signedIn, scope: Self.scope, body: .upTo(4 << 10),
                summary: "Tells how far the loudspeaker is with a turn",
                takes: [
                    .number("turn", isRequired: true), .text("state", "started, position, ended or failed"),
                    .number("seconds", "heard so far"), .text("why", isRequired: false, "it failed"),
                ], gives: 204
            ) { request, context in try await report(request, context) },
            .api(
                .get, "\(Self.path)/events", .signedIn, scope: Self.scope,
                summary: "What the loudspeaker is to do and what arrives, as it happens", givesType: "text/event-stream"
            ) { _, context in try await events(context) },
        ]
    }

    private func begin(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.listener
        let fields = try await request.fields(upTo: Self.mostBytes)
        guard let chosen = try await chosen(fields, account) else { throw Problem.nobodyChosen }
        guard let window = try window(fields) else { throw Problem.badTime(LiveTimes.Refusal.length.detail) }
        switch try await desk.begin(account, chosen: chosen, window: window) {
        case .begun(let document): return Self.json(document, status: .created)
        case .alreadyLive(let id): throw Problem.alreadyLive(id)
        }
    }

    private func change(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.listener
        let fields = try await request.fields(upTo: Self.mostBytes)
        let chosen = try await chosen(fields, account)
        let window = try window(fields)
        guard try await desk.change(account, chosen: chosen, window: window),
            let document = try await desk.document(of: account)
        else { throw Problem.noSession }
        return Self.json(document)
    }

    private func ask(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.listener
        let fields = try await request.fields(upTo: 4 << 10)
        let play = try fields["play"].map { text in
            guard let play = text.safeInteger, play > 0 else { throw Problem.unclear("play") }
            return play
        }
        let wish: ListeningRequest =
            switch fields["do"] {
            case "pause": .pause
            case "resume": .resume
            case "skip": .skip
            case "stop": .stop
            case "replay": .replay(play)
            default: throw Problem.unclear("do")
            }
        guard let document = try await desk.ask(wish, of: account) else {
            guard try await desk.document(of: account) != nil else { throw Problem.noSession }
            throw Problem(.notFound, "not-found", "Record not found", detail: "The session has no such play")
        }
        return Self.json(document)
    }

    private func report(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.listener
        let fields = try await request.fields(upTo: 4 << 10)
        guard let turn = fields["turn"]?.safeInteger else { throw Problem.unclear("turn") }
        let report: LoudspeakerReport
        switch fields["state"] {
        case "started": report = .started
        case "ended": report = .ended
        case "failed": report = .failed(why: fields["why"] ?? "")
        case "position":
            guard let seconds = fields["seconds"]?.decimal(in: 0 ... .greatestFiniteMagnitude) else {
                throw Problem.unclear("seconds")
            }
            report = .position(seconds)
        default: throw Problem.unclear("state")
        }
        try await desk.report(report, turn: turn, of: account)
        return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }

    private func events(_ context: WebContext) async throws -> Response {
        let account = try context.listener
        guard try await desk.document(of: account) != nil else { throw Problem.noSession }
        let (desk, mayStay) = (desk, mayStay)
        let place = EarPlace()
        return try PushListener.answer(
            context, shares: shares, for: FeedPerson(account: account.rawValue) { await mayStay(context) },
            signOuts: signOuts,
            begin: { listener in
                let ear = LiveEar(push: listener.push, beat: listener.beat, end: listener.end)
                guard let number = try? await desk.connect(ear, of: account) else { return listener.end() }
                place.set(number)
            },
            end: { _ in
                if let number = place.number { await desk.disconnect(number, of: account) }
            })
    }

    /// - Returns: nil when nobody is named.
    private func chosen(_ fields: RequestFields, _ account: AccountID) async throws -> [AccountID]? {
        let names = fields.list("accounts")
        guard !names.isEmpty else { return nil }
        guard names.count <= ListeningStore.mostChosen else { throw Problem.unclear("accounts") }
        let found = try await desk.store.choose(names, for: account)
        guard found.notFollowed.isEmpty else { throw Problem.notFollowed(found.notFollowed) }
        return found.accounts
    }

    private func window(_ fields: RequestFields) throws -> ListeningWindow? {
        let times = LiveTimes(
            length: fields["for"] ?? "", frame: fields["between"] ?? "", zone: fields["zone"] ?? "")
        do throws(LiveTimes.Refusal) { return try times.window(now: desk.times.date()) } catch {
            throw Problem.badTime(error.detail)
        }
    }

    private static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
