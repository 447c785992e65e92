package import ChirpCommunity

/// The board of beats, and of vocals that look for one.
package enum Beats {
    /// Its name, and the address that it is at.
    package static let board = "beats"

    /// What the board keeps in a library.
    package static let tables = BoardTables(
        name: board,
        steps: RoleSchema.steps + TrackSchema.steps + [BoardTables.votes(on: board)] + LicenceParts.steps
            + AuctionSchema.steps + RequestSchema.steps + ConnectionSchema.steps,
        notices: [.bid, .request, .connection],
        personal: { person, database in
            try BeatExport.documents(of: person, in: database) + LicenceParts.documents(of: person, in: database)
                + AuctionExport.documents(of: person, in: database)
                + RequestExport.documents(of: person, in: database)
                + ConnectionExport.documents(of: person, in: database)
        },
        erase: { try LicenceParts.forget($0, in: $1) })
}
