internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb
internal import Foundation
internal import Hummingbird

/// The pages, and what their forms do where no script runs.
extension LiveRoutes {
    private static let perPage = 40

    var pages: [WebRoute] {
        [
            .get("/live", .signedIn) { request, context in try await show(request, context) },
            .post("/live", .signedIn) { request, context, form in try await act(request, context, form) },
            .get("/replay", .signedIn) { request, context in try await replay(request, context) },
        ]
    }

    /// - Parameter form: what was sent, when it is refused.
    private func show(
        _ request: Request, _ context: WebContext, _ form: Form? = nil, _ refusal: LivePage.Refusal? = nil
    ) async throws -> Response {
        let account = try context.listener
        let state = try await desk.state(of: account)
        let chosen =
            form.map { Set($0.list("account")) } ?? Set((state?.row.chosen ?? []).map(\.id.rawValue))
        let followed = try await desk.store.following(of: account)
        let people = followed.enumerated().compactMap { place, person -> LivePage.Person? in
            let isChosen = chosen.contains(person.id.rawValue)
            guard place < LivePage.mostListed || isChosen else { return nil }
            return LivePage.Person(
                id: person.id.rawValue, handle: person.handle, name: person.name, isChosen: isChosen)
        }
        let session = state.map { row, plays, posts in
            LivePage.Session(
                begins: row.begins, ends: row.ends, isWaiting: desk.times.date() < row.begins,
                clips: plays.map { play in
                    let post = play.post.flatMap { posts[$0] }
                    let listed = row.ends.addingTimeInterval(desk.store.retention)
                    let absence: HeardPlay.Absence? = post != nil ? nil : play.post == nil ? .deleted : .withheld
                    return LivePage.Clip(
                        play, post, keptUntil: post?.clip?.expires.map { min($0, listed) } ?? listed, absence)
                })
        }
        let typed = form.map { LivePage.Typed(duration: $0["for"], begins: $0["begins"], ends: $0["ends"]) }
        var response = forgery.page(request) { token in
            let page = LivePage(
                people: people, isWhole: people.count == followed.count, session: session, typed: typed,
                refusal: refusal, token: token, prefix: links.prefix)
            return .page(page.html, status: refusal == nil ? .ok : .unprocessableContent)
        }
        response.headers[.cacheControl] = "no-store"
        return response
    }

    private func act(_ request: Request, _ context: WebContext, _ form: Form) async throws -> Response {
        let account = try context.listener
        if form["do"] == "stop" {
            _ = try await desk.ask(.stop, of: account)
            return goOn
        }
        let found = try await desk.store.choose(
            Array(form.list("account").prefix(ListeningStore.mostChosen)), for: account)
        guard found.notFollowed.isEmpty, !found.accounts.isEmpty else {
            let sentence = found.notFollowed.isEmpty ? word("live.refused.nobody") : word("live.refused.stranger")
            return try await show(request, context, form, .init(field: .accounts, sentence: sentence))
        }
        let window: ListeningWindow?
        do throws(LivePage.Refusal) { window = try self.window(form) } catch {
            return try await show(request, context, form, error)
        }
        // While a session runs, no time leaves its time as it is.
        if try await desk.change(account, chosen: found.accounts, window: window) { return goOn }
        guard let window else {
            return try await show(
                request, context, form, .init(field: .duration, sentence: word("live.refused.duration")))
        }
        _ = try await desk.begin(account, chosen: found.accounts, window: window)
        return goOn
    }

    private func window(_ form: Form) throws(LivePage.Refusal) -> ListeningWindow? {
        let (begins, ends) = (form["begins"], form["ends"])
        let hasFrame = !begins.isEmpty || !ends.isEmpty
        if hasFrame, begins.isEmpty || ends.isEmpty {
            throw LivePage.Refusal(field: begins.isEmpty ? .begins : .ends, sentence: word("live.refused.half"))
        }
        let times = LiveTimes(length: form["for"], frame: hasFrame ? "\(begins)-\(ends)" : "", zone: form["zone"])
        do throws(LiveTimes.Refusal) { return try times.window(now: desk.times.date()) } catch {
            switch error {
            case .length: throw LivePage.Refusal(field: .duration, sentence: word("live.refused.duration"))
            case .frame, .zone: throw LivePage.Refusal(field: .begins, sentence: word("live.refused.frame"))
            case .window: throw LivePage.Refusal(field: .ends, sentence: word("live.refused.past"))
            }
        }
    }

    private var goOn: Response {
        Response(status: .seeOther, headers: [.location: "\(links.prefix)/live", .cacheControl: "no-store"])
    }

    private func replay(_ request: Request, _ context: WebContext) async throws -> Response {
        let before = try request.cursor("before", from: 1)
        // One more than is shown tells whether there is another page.
        let found = try await desk.store.heard(
            by: try context.listener, before: before ?? .end, limit: Self.perPage + 1)
        let shown = found.prefix(Self.perPage)
        let page = ReplayPage(
            clips: shown.map { LivePage.Clip($0.play, $0.post, keptUntil: $0.keptUntil, $0.absence) },
            older: found.count > shown.count ? shown.last?.id : nil, isFirst: before == nil, prefix: links.prefix)
        var response = Response.page(page.html)
        response.headers[.cacheControl] = "no-store"
        return response
    }
}

extension LivePage.Refusal: Error {}

extension LivePage.Clip {
    init(_ play: ListeningPlay, _ post: HubPost?, keptUntil: Date, _ absence: HeardPlay.Absence?) {
        let state = absence == nil ? State(rawValue: play.state.rawValue) ?? .failed : .gone
        self.init(
            number: play.id, clip: post?.clip?.id.text ?? "", seconds: post?.clip?.sound?.seconds ?? 0,
            handle: post?.author.handle ?? "", name: post?.author.name ?? "", text: post?.text ?? "",
            spoiler: post?.spoiler ?? "", language: post?.language ?? "", transcript: "", arrived: play.arrived,
            keptUntil: keptUntil, state: state, reason: Self.reason(play, absence),
            fileName: post?.clip?.fileName ?? "")
    }

    private static func reason(_ play: ListeningPlay, _ absence: HeardPlay.Absence?) -> String {
        switch absence {
        case .deleted: return word("live.why.deleted")
        case .expired: return word("live.why.expired")
        case .withheld: return word("live.why.withheld")
        case nil: break
        }
        return switch play.why {
        case "left": word("live.why.left")
        case "withheld": word("live.why.withheld")
        case "many": word("live.why.many")
        case "ended": word("live.why.ended")
        default: play.why
        }
    }
}
