internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// The page that fills the screen of a frame. It shows nothing without its script, and says so.
struct FramePage: Sendable {
    let desk: FrameDesk

    private struct Choice: Encodable {
        let id, name: String
        var hint: String?
    }

    var route: WebRoute {
        .get("/frame", .everybody) { request, context in
            var (step, ended, shownWhy) = ("welcome", nil as OpaqueToken?, nil as String?)
            let token = desk.cookie.value(in: request).flatMap { OpaqueToken(shown: $0) }
            if let token {
                if let frame = try await desk.frame(of: token) {
                    ended = try await FrameStart(desk: desk).arrive(frame, context)
                    step = (try await desk.library.frame(frame.id) ?? frame).step.rawValue
                    try await desk.library.visit(frame)
                    shownWhy =
                        context.person?.isConfirmed == false
                        ? word("problem.unconfirmed")
                        : FrameAnswerRefusal(rawValue: request.query("answers") ?? "")?.sentence
                } else {
                    shownWhy = try await desk.library.frameEnd(of: token)?.sentence
                }
            }
            let hasFrame = step != "welcome"
            var response = desk.forgery.page(request) { formToken in
                .page(html(step: step, signedIn: context.person != nil && ended == nil, why: shownWhy, formToken))
                    .unkept
            }
            if ended != nil { response = response.setting(desk.session, to: "", seconds: 0) }
            guard let token else { return response }
            return hasFrame
                ? desk.carrying(token, response) : response.setting(desk.cookie, to: "", seconds: 0)
        }
    }

    /// A browser comes back from X.
    var back: WebRoute {
        .get(FrameNetworks.path, .everybody) { request, _ in try await back(request, at: nil) }
    }

    /// A browser comes back from a Mastodon server, which has this address for itself.
    var backFromServer: WebRoute {
        .get("\(FrameNetworks.path)/:server", .everybody) { request, context in
            try await back(request, at: context.parameters.get("server") ?? "")
        }
    }

    /// Another site leads here, so nothing is changed unless the state is that of the frame's own attempt.
    private func back(_ request: Request, at callback: String?) async throws -> Response {
        let token = desk.cookie.value(in: request).flatMap { OpaqueToken(shown: $0) }
        if let token, let frame = try await desk.frame(of: token) {
            let answer = FrameSignInAnswer(
                callback: callback, state: request.query("state") ?? "", issuer: request.query("iss") ?? "",
                code: request.query("code") ?? "")
            if let refusal = try await desk.elsewhere.arrive(frame, answer, desk) {
                return .goOn(to: "\(desk.links.prefix)/frame?answers=\(refusal.rawValue)")
            }
        }
        return .goOn(to: "\(desk.links.prefix)/frame")
    }

    private func html(step: String, signedIn: Bool, why: String?, _ token: String) -> HTML {
        let networks =
            [Choice(id: "hub", name: word("frame.network.hub"))]
            + desk.elsewhere.offered.map { Choice(id: $0.network.rawValue, name: $0.name, hint: $0.hint) }
        let list = (try? WebJSON.encode(networks)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
        return Layout(prefix: desk.links.prefix).bare(
            title: "\(word("frame.title")) – Chirp", kind: "frame",
            script: PageScript(
                .frame, words: ["frame.", "watch."], token: token,
                facts: ["step": step, "signedIn": signedIn ? "yes" : "", "networks": list, "why": why ?? ""],
                hasStyle: true),
            body: """
                <h1 class="visually-hidden">\(word("frame.title"))</h1>
                <p class="visually-hidden" role="status" data-status></p>
                <p class="visually-hidden" role="alert" data-alert>\(why ?? "")</p>
                <noscript><p>\(word("frame.noscript"))</p></noscript>
                """)
    }
}
