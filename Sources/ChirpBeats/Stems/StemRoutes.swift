internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpMusic
internal import ChirpWeb
internal import Hummingbird

/// Where an author says what a track is mixed of.
struct StemRoutes {
    let desk: BeatDesk

    private static let files = [
        FileForm.Files("stem", most: StemCheck.mostStems, mostBytes: TrackFiles.mostFormBytes)
    ]

    var routes: [WebRoute] {
        [
            .get("\(BeatDesk.path)/:id/stems", .active) { request, context in
                try await desk.answering(request) {
                    page(try await desk.ownTrack(context), request, context)
                }
            },
            .post("\(BeatDesk.path)/:id/stems", .active, files: Self.files, upTo: TrackFiles.mostFormBytes) {
                request, context, sent in
                try await desk.answering(request) {
                    let track = try await desk.ownTrack(context)
                    guard let tracks = desk.desk.tracks else { throw TrackRefusal.fields([.track: .takenNowhere]) }
                    let files = sent.files("stem")
                    guard !files.isEmpty else {
                        return page(track, request, context, problem: word("beat.fault.missing"))
                    }
                    var stems: [(film: HubID, name: String)] = []
                    for (number, file) in files.enumerated() {
                        try await desk.consume("beat-file", BeatDesk.Rate.files, context)
                        let name = word("beat.stems.name", ["number": "\(number + 1)"])
                        stems.append((try await tracks.take(file, name, try context.account), name))
                    }
                    try await desk.tracks.setStems(stems, of: track.id, by: try context.account)
                    await desk.errand.arise()
                    return desk.desk.goOn(to: track.path)
                }
            },
            .api(
                .post, "\(BeatDesk.api)/:id/stems", .active, scope: "write:statuses", body: .upTo(Form.mostBytes),
                summary: "Says what a track is mixed of: it is compared with the mix",
                takes: [
                    .list("stems", isRequired: true, "the ids of at most 12 uploads with use=track"),
                    .list("names", "of each"),
                ]
            ) { request, context in
                try await desk.answering(request) {
                    let track = try await desk.ownTrack(context)
                    let fields = try await request.fields()
                    let names = fields.list("names")
                    let stems = try fields.list("stems").enumerated().map { place, text in
                        guard let id = HubID(text) else { throw TrackRefusal.fields([.track: .notYours]) }
                        let name = names.indices.contains(place) ? names[place] : "\(place + 1)"
                        return (film: id, name: name)
                    }
                    try await desk.tracks.setStems(stems, of: track.id, by: try context.account)
                    await desk.errand.arise()
                    return desk.answer(try .json(try await document(track.id), status: .ok), context)
                }
            },
            .api(
                .get, "\(BeatDesk.api)/:id/stems", .everybody, scope: "read:statuses",
                summary: "What a track is mixed of, and what is left of the mix without it"
            ) { request, context in
                try await desk.answering(request) {
                    desk.answer(try .json(try await document(try await desk.track(context).id)), context)
                }
            },
        ]
    }

    private struct StemsDocument: Encodable {
        let names: [String]
        let state: String
        /// In dB below the mix.
        var residual: Double?
        /// The share of the mix that was cut off at full scale, 0 to 1.
        var cut: Double?
        /// Of a mix whose level was changed after mixing: what is left when that is followed, in dB below the mix.
        var mastered: Double?
    }

    private func document(_ id: HubID) async throws -> StemsDocument {
        guard let stems = try await desk.tracks.stems(of: id) else {
            return StemsDocument(names: [], state: "none")
        }
        let names = stems.stems.map(\.name)
        return switch stems.check {
        case .waiting: StemsDocument(names: names, state: "waiting")
        case .found(let found):
            StemsDocument(
                names: names, state: "found", residual: found.residual, cut: found.cut,
                mastered: found.mastering?.residual)
        case .failed: StemsDocument(names: names, state: "failed")
        }
    }

    private func page(
        _ track: Track, _ request: Request, _ context: WebContext, problem: String? = nil
    ) -> Response {
        desk.show(request, context, status: problem == nil ? .ok : .unprocessableContent) { token in
            let wrong: HTML = problem.map { "<span class=\"problem\" id=\"stem-problem\">\($0).</span>" } ?? .nothing
            let points: HTML =
                problem == nil
                ? " aria-describedby=\"stem-hint\""
                : " aria-describedby=\"stem-problem stem-hint\" aria-invalid=\"true\""
            let hint = word(
                "beat.stems.hint",
                ["most": "\(StemCheck.mostStems)", "form": Wording.size(Int64(TrackFiles.mostFormBytes))])
            return desk.layout(token).page(
                title: word("beat.stems"), head: BeatLayout.unlisted,
                body: """
                    <div class="form wide beat-form"><h1>\(word("beat.stems"))</h1>
                    <p role="status"></p><div role="alert" class="problem"></div>
                    <p><b dir="auto">\(track.item.title)</b></p><p>\(word("beat.stems.lead"))</p>
                    <form method="post" action="\(desk.prefix)\(track.path)/stems" enctype="multipart/form-data">
                    <input type="hidden" name="token" value="\(token ?? "")">
                    <div class="field"><label for="stem">\(word("beat.stems.field"))</label>\(wrong)
                    <span class="hint" id="stem-hint">\(hint)</span>
                    <input id="stem" name="stem" type="file" multiple required accept="audio/wav,audio/x-wav,audio/mpeg,.wav,.mp3"\(points)></div>
                    <p class="actions"><button class="main">\(word("beat.stems.send"))</button>
                    <a class="quiet" href="\(desk.prefix)\(track.path)">\(word("beat.keep"))</a></p></form></div>
                    """)
        }
    }
}
