package import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// What whoever cares for frames does from afar: looks at them, changes whom they show and how, adds one by its code, ends one.
struct FrameCareRoutes: Sendable {
    let desk: FrameDesk

    private static let base = "/api/hub/v1/frames"

    var routes: [WebRoute] {
        [
            .get("/settings/frames", .signedIn) { request, context in
                try await page(request, try person(context))
            },
            .post("/settings/frames", .confirmed) { request, context, form in
                let account = try person(context)
                let problem: Problem
                do throws(Problem) {
                    _ = try await pair(form["code"], account, context)
                    return back
                } catch { problem = error }
                return try await page(request, account, problem)
            },
            .post("/settings/frames/change", .signedIn) { _, context, form in
                let frame = try await own(form["id"], try person(context))
                let switches = ["takeYourTime", "dims", "spoken", "answers"]
                var fields = switches.map { ("style[\($0)]", form[$0].isEmpty ? "false" : "true") }
                if !form["rate"].isEmpty { fields.append(("style[rate]", form["rate"])) }
                _ = try await desk.change(
                    frame, RequestFields(fields + [("vip", form["vip"] == frame.vip?.rawValue ? "" : form["vip"])]),
                    maySpeak: true)
                return back
            },
            .post("/settings/frames/end", .signedIn) { _, context, form in
                try await desk.end(try await own(form["id"], try person(context)), why: .ended)
                return back
            },
            .api(
                .get, Self.base, .signedIn, scope: "read:frames", summary: "The frames that the account cares for"
            ) { _, context in
                let frames = try await documents(of: try person(context))
                return .json { json in
                    json.field("frames") { json in json.array(frames) { write($1, &$0) } }
                }
            },
            .api(
                .post, Self.base, .confirmed, scope: FrameDesk.joining,
                summary: "Takes care of the frame that shows a code", takes: [.text("code")]
            ) { request, context in
                let code = try await request.fields()["code"] ?? ""
                return try await told(try await pair(code, try person(context), context))
            },
            .api(
                .post, "\(Self.base)/link", .confirmed, scope: FrameDesk.joining,
                summary: "A link that begins a frame of the account in a browser, once and within ten minutes"
            ) { _, context in
                let account = try person(context)
                try await desk.limits.allow("frame-link", FrameDesk.Rule.starts, by: .account(account))
                let link = try await desk.library.frameLink(for: account, by: context.shown)
                return .json { json in
                    json.field("address", FrameLink.address(link, publicURL: desk.links.publicURL))
                }
            },
            .api(
                .get, "\(Self.base)/:id", .signedIn, scope: "read:frames",
                summary: "A frame that the account cares for"
            ) { _, context in try await told(try await own(context.parameters.get("id") ?? "", try person(context))) },
            .api(
                .put, "\(Self.base)/:id", .signedIn, scope: "write:frames",
                summary: "Changes whom a frame shows, and how; its screen follows at once",
                takes: [.text("name", isRequired: false), .text("vip", isRequired: false)]
            ) { request, context in
                let frame = try await own(context.parameters.get("id") ?? "", try person(context))
                let fields = try await request.fields()
                if let name = fields["name"], !name.isEmpty {
                    var change = HubLibrary.FrameChange()
                    change.name = name
                    change.isSilent = true
                    try await desk.library.change(frame.id, change)
                }
                // What a frame sends is a message of its carer's.
                let maySpeak = context.allows("write:statuses")
                return try await told(try await desk.change(frame, fields, maySpeak: maySpeak))
            },
            .api(
                .delete, "\(Self.base)/:id", .signedIn, scope: "write:frames",
                summary: "Ends a frame: nothing of it is left", gives: 204
            ) { _, context in
                let frame = try await own(context.parameters.get("id") ?? "", try person(context))
                try await desk.end(frame, why: .ended)
                return .empty
            },
        ]
    }

    private var back: Response { .goOn(to: "\(desk.links.prefix)/settings/frames") }

    private func person(_ context: WebContext) throws -> AccountID {
        guard let person = context.person else { throw HTTPError(.unauthorized) }
        return AccountID(rawValue: person.id)
    }

    /// Somebody else's frame is not there.
    private func own(_ id: String, _ account: AccountID) async throws -> FrameDevice {
        guard let frame = try await desk.library.frame(id), frame.account == account else {
            throw Problem(.notFound, "not-found", "There is no such frame")
        }
        return frame
    }

    /// Takes care of the frame that shows a code. Tries are counted for the account and for where they come from.
    private func pair(_ typed: String, _ account: AccountID, _ context: WebContext) async throws(Problem) -> FrameDevice
    {
        let found: FrameDevice?
        do {
            try await desk.limits.allow("frame-pair", FrameDesk.Rule.codes, by: .account(account))
            try await desk.limits.allow("frame-pair", FrameDesk.Rule.codes, by: .network(context.network))
            let code = FrameCode(typed: typed)
            found =
                if let code {
                    try await desk.library.pairFrame(
                        code: desk.seal.digest(ofCode: code.text), with: account, by: context.shown)
                } else { nil }
        } catch let problem as Problem { throw problem } catch {
            throw Problem(.serviceUnavailable, "busy", "Too much is asked of this hub now", retryAfter: 2)
        }
        guard let found else {
            throw Problem(.unprocessableContent, "dead-link", "No frame shows that code, or it has ended")
        }
        return found
    }

    private func documents(of account: AccountID) async throws -> [FrameDocument] {
        var documents: [FrameDocument] = []
        for frame in try await desk.library.frames(of: account) { documents.append(try await desk.document(frame)) }
        return documents
    }

    private func write(_ document: FrameDocument, _ json: inout JSONText) { document.write(&json, forCaretaker: true) }

    private func told(_ frame: FrameDevice?) async throws -> Response {
        guard let frame else { throw Problem(.notFound, "not-found", "There is no such frame") }
        var json = JSONText()
        write(try await desk.document(frame), &json)
        return .json(json)
    }

    private func page(_ request: Request, _ account: AccountID, _ problem: Problem? = nil) async throws -> Response {
        let wrong = problem.map { $0.status == .tooManyRequests ? word("frames.often") : word("frames.wrong") }
        let frames = try await documents(of: account)
        let friends = try await desk.library.seen(by: .member(account)).people(.followed(by: account), limit: 200)
        var response = desk.forgery.page(request) { token in
            .page(
                FrameCarePage(
                    frames: frames, friends: friends.map(FrameDesk.person), wrong: wrong, token: token,
                    prefix: desk.links.prefix
                ).html, status: problem?.status ?? .ok
            ).unkept
        }
        if let seconds = problem?.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
        return response
    }
}

/// The link by which a program begins a frame in a browser of its machine.
package enum FrameLink {
    /// - Parameter publicURL: what the hub's links begin with; without a slash at the end.
    package static func address(_ link: OpaqueToken, publicURL: String) -> String {
        "\(publicURL)/frame/open?token=\(link.secret.reveal())"
    }
}
