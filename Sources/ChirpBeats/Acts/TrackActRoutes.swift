internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// What is done with a track: an act is a noun with one handler and two answers, a page and a document.
struct TrackActRoutes {
    let desk: BeatDesk

    private func path(_ act: String) -> String { "\(BeatDesk.path)/:id/\(act)" }
    private func api(_ act: String) -> String { "\(BeatDesk.api)/:id/\(act)" }

    var routes: [WebRoute] {
        [
            question("withdrawal") { .withdraw($0, reason: "") }, question("closure") { .close($0) },
            question("publication") { .publish($0) },
            .post(path("withdrawal"), .active) { request, context, form in
                try await desk.answering(request) {
                    let track = try await desk.ownTrack(context)
                    do {
                        try await withdraw(track, form["reason"], isSure: !form["sure"].isEmpty, context)
                    } catch let refusal as TrackRefusal where !refusal.faults.isEmpty {
                        return page(
                            .withdraw(track, reason: form["reason"]), request, context, faults: refusal.faults)
                    }
                    return desk.desk.goOn(to: "\(BeatDesk.path)/mine")
                }
            },
            .post(path("closure"), .active) { request, context, _ in
                try await desk.answering(request) {
                    let track = try await desk.ownTrack(context)
                    try await desk.tracks.retire(track.id, by: try context.account)
                    return desk.desk.goOn(to: track.path)
                }
            },
            .post(path("publication"), .active) { request, context, _ in
                try await desk.answering(request) {
                    let track = try await desk.ownTrack(context)
                    try await desk.tracks.publish(track.id, by: try context.account)
                    return desk.desk.goOn(to: track.path)
                }
            },
            .post(path("like"), .active) { request, context, form in
                try await desk.answering(request) {
                    let track = try await desk.track(context)
                    try await like(track, !form["on"].isEmpty, context)
                    return desk.desk.goOn(to: track.path)
                }
            },
            .post(path("archive"), .active) { request, context, form in
                try await desk.answering(request) {
                    let track = try await desk.track(context)
                    try await desk.desk.mark(
                        track.id, .save, isOn: !form["on"].isEmpty, by: try context.account)
                    return desk.desk.goOn(to: track.path)
                }
            },
        ] + programs + likes + archives
    }

    private var programs: [WebRoute] {
        [
            .api(
                .post, api("withdrawal"), .active, scope: ["read:statuses", "write:statuses"],
                summary: "Takes a track down: it is gone for everybody else",
                takes: [.text("reason"), .flag("sure", isRequired: true)]
            ) { request, context in
                try await desk.answering(request) {
                    let fields = try await request.fields()
                    let track = try await desk.ownTrack(context)
                    try await withdraw(track, fields["reason"] ?? "", isSure: fields.bool("sure") == true, context)
                    return try await desk.document(try await desk.track(context), context)
                }
            },
            .api(
                .post, api("closure"), .active, scope: ["read:statuses", "write:statuses"],
                summary: "Takes a track out of the shop: its page stays readable"
            ) { request, context in
                try await desk.answering(request) {
                    let track = try await desk.ownTrack(context)
                    try await desk.tracks.retire(track.id, by: try context.account)
                    return try await desk.document(try await desk.track(context), context)
                }
            },
            .api(
                .post, api("publication"), .active, scope: ["read:statuses", "write:statuses"],
                summary: "Lets a track appear that is ready and was kept as a draft"
            ) { request, context in
                try await desk.answering(request) {
                    let track = try await desk.ownTrack(context)
                    try await desk.tracks.publish(track.id, by: try context.account)
                    return try await desk.document(try await desk.track(context), context)
                }
            },
        ]
    }

    private var likes: [WebRoute] {
        [(HTTPRequest.Method.put, "Likes a track"), (.delete, "Likes a track no longer")].map { method, summary in
            .api(method, api("like"), .active, scope: "write:favourites", summary: summary) { request, context in
                try await desk.answering(request) {
                    let sight = context.reading("read:statuses")
                    try await like(try await desk.track(sight), method == .put, context)
                    return try await desk.document(try await desk.track(sight), sight)
                }
            }
        }
    }

    private var archives: [WebRoute] {
        [(HTTPRequest.Method.put, "Archives a track"), (.delete, "Archives a track no longer")].map { method, summary in
            .api(method, api("archive"), .active, scope: "write:bookmarks", summary: summary) { request, context in
                try await desk.answering(request) {
                    let sight = context.reading("read:statuses")
                    let track = try await desk.track(sight)
                    try await desk.desk.mark(
                        track.id, .save, isOn: method == .put, by: try context.account)
                    return try await desk.document(try await desk.track(sight), sight)
                }
            }
        }
    }

    // MARK: the acts themselves

    private func withdraw(_ track: Track, _ reason: String, isSure: Bool, _ context: WebContext) async throws {
        var faults: [TrackField: TrackFault] = [:]
        if !isSure { faults[.sure] = .missing }
        guard faults.isEmpty else { throw TrackRefusal.fields(faults) }
        try await desk.tracks.withdraw(track.id, reason: reason, by: try context.account)
    }

    private func like(_ track: Track, _ isOn: Bool, _ context: WebContext) async throws {
        let account = try context.account
        try await desk.consume("beat-like", BeatDesk.Rate.likes, context)
        do throws(VoteRefusal) {
            try await desk.tracks.like(track.id, isOn, by: account, from: context.address)
        } catch {
            switch error {
            case .notFound: throw Problem.noTrack
            case .notActive: throw TrackRefusal.item(.noAccount)
            case .own: throw Problem(.forbidden, "own-vote", word("beat.refused.own"))
            case .ended(let state): throw TrackRefusal.item(.state(state))
            case .library(let error): throw error
            }
        }
    }

    private func question(_ act: String, _ make: @escaping @Sendable (Track) -> TrackQuestion) -> WebRoute {
        .get(path(act), .active) { request, context in
            try await desk.answering(request) { page(make(try await desk.ownTrack(context)), request, context) }
        }
    }

    private func page(
        _ question: TrackQuestion, _ request: Request, _ context: WebContext, faults: [TrackField: TrackFault] = [:]
    ) -> Response {
        desk.show(request, context, status: faults.isEmpty ? .ok : .unprocessableContent) { token in
            TrackQuestionPage(question: question, faults: faults, layout: desk.layout(token), links: desk.links).html
        }
    }
}
