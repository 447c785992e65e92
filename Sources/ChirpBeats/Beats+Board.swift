package import ChirpBoards
internal import ChirpWeb

extension Beats {
    /// The board over a hub.
    ///
    /// - Parameters:
    ///   - parts: what deals, licences and payment add to it.
    ///   - likeness: how tracks are compared; ``TrackLikeness/byFacts`` where nothing hears more.
    package static func whole(
        _ desk: BoardDesk, parts: BeatParts = BeatParts(), likeness: TrackLikeness = .byFacts
    ) -> Board {
        let beats = BeatDesk(desk, parts: parts, likeness: likeness)
        return Board(
            name: board, title: { word("beat.board") }, routes: beats.routes,
            sweep: { await beats.sweep() }, errand: beats.errand,
            profile: { try await beats.profile(of: $0, for: $1) }, comments: beats.comments)
    }
}
