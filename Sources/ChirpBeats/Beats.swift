package import ChirpCommunity

/// The board of beats, and of vocals that look for one.
package enum Beats {
    /// Its name, and the address that it is at.
    package static let board = "beats"

    /// What the board keeps in a library.
    package static let tables = BoardTables(
        name: board, steps: RoleSchema.steps + TrackSchema.steps + [BoardTables.votes(on: board)],
        personal: { try BeatExport.documents(of: $0, in: $1) })
}
