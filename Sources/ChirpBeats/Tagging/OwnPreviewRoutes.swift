internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import Hummingbird
internal import Logging

/// The preview of a track for who listens: one of her own where its author wishes for that, and until it is made the one for everybody.
struct OwnPreviewRoutes {
    let desk: BeatDesk

    var routes: [WebRoute] {
        [
            .get("\(BeatDesk.path)/:id/heard.mp3", .signedIn, answer: send),
            .api(
                .get, "\(BeatDesk.api)/:id/heard.mp3", .signedIn, scope: "read:media",
                summary: "What is heard of a track: one's own preview where its author wishes for that",
                givesType: "audio/mpeg", answer: send),
        ]
    }

    @Sendable private func send(_ request: Request, _ context: WebContext) async throws -> Response {
        try await desk.answering(request) {
            let track = try await desk.track(context)
            guard let clip = track.publicPreview else { throw Problem.noTrack }
            let account = try context.account
            if desk.makesOwnPreviews, track.item.author.id != account {
                switch try await desk.tracks.ownPreview(of: track.id, for: account) {
                case .ready(let file):
                    if let answer = try await answer(file, to: request) { return answer }
                    try await desk.tracks.loseOwnPreview(of: track.id, for: account)
                    try await ask(track, context)
                case .unmade: try await ask(track, context)
                case .none, .coming: break
                }
            }
            // Elsewhere, so that no player puts parts of two previews together.
            return desk.desk.goOn(to: "/media/\(clip.id.text).mp3")
        }
    }

    /// Nil when its file is gone.
    private func answer(_ file: OwnPreview.File, to request: Request) async throws -> Response? {
        guard let opened = await offPool({ MediaFile(file.path) }) else { return nil }
        return try await FileAnswer(sha256: file.sha256, modified: file.made, cacheControl: "private, no-cache").send(
            to: request, type: "audio/mpeg", further: [.crossOriginResourcePolicy: "same-origin"]
        ) { opened }
    }

    /// Who asks for very many hears the one for everybody.
    private func ask(_ track: Track, _ context: WebContext) async throws {
        let account = try context.account
        do throws(AccountError) {
            try await desk.desk.limits.consume("beat-own-preview", BeatDesk.Rate.ownPreviews, by: .account(account))
        } catch .tooOften {
            return
        }
        try await desk.tracks.askForOwnPreview(of: track.id, for: account)
        await desk.errand.arise()
    }
}

extension BeatDesk {
    /// Whether previews that tell whose they are can be made here.
    var makesOwnPreviews: Bool { desk.tracks?.tagging != nil }

    /// Finds out where voices may be heard, then makes one preview: whatever else the errand does is not kept waiting by a hundred of them.
    ///
    /// - Returns: whether there may be more to do.
    static func makeOwnPreviews(of tracks: TrackStore, by desk: BoardDesk) async -> Bool {
        guard let tagging = desk.tracks?.tagging else { return false }
        do {
            while try await tracks.prepareNextTag(by: tagging) {}
            return try await tracks.makeNextOwnPreview(by: tagging) {
                do throws(AccountError) {
                    try await desk.limits.consume("beat-own-previews", Rate.madePreviews, by: .everybody)
                } catch {
                    guard case .tooOften = error else { throw error }
                    return false
                }
                return true
            }
        } catch {
            if !Task.isCancelled { desk.logger.warning("previews for listeners are not made yet: \(error)") }
            return false
        }
    }
}
