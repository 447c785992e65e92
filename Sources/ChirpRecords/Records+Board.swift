package import ChirpBoards
package import ChirpMap
internal import ChirpWeb

extension Records {
    /// The board over a hub.
    ///
    /// - Parameter stakes: what its owner allows of pledges.
    package static func whole(_ desk: BoardDesk, ground: MapGround, stakes: StakeLimits = .off) -> Board {
        let records = RecordDesk(desk, ground: ground, stakes: stakes)
        return Board(
            name: board, title: { word("challenge.board") }, routes: RecordParts.routes(records),
            sweep: { for sweep in RecordParts.sweeps(records) { await sweep() } }, errand: records.errand,
            profile: { try await records.profile(of: $0, for: $1) }, comments: records.comments, votes: records.votes)
    }
}
