package import ChirpCommunity

/// The board of beats, and of vocals that look for one.
package enum Beats {
    /// Its name, and the address that it is at.
    package static let board = "beats"

    /// What the board keeps in a library, beside the tables of orders, which come before.
    package static let tables = BoardTables(
        name: board,
        steps: RoleSchema.steps + TrackSchema.steps + [BoardTables.votes(on: board)] + LicenceParts.steps
            + AuctionSchema.steps + RequestSchema.steps + ConnectionSchema.steps + OfferSchema.steps + SaleSchema.steps,
        notices: [.bid, .request, .connection],
        personal: { person, database in
            try BeatExport.documents(of: person, in: database) + LicenceParts.documents(of: person, in: database)
                + AuctionExport.documents(of: person, in: database)
                + RequestExport.documents(of: person, in: database)
                + ConnectionExport.documents(of: person, in: database)
                + SaleExport.documents(of: person, in: database)
        },
        erase: {
            try SaleExport.forget($0, in: $1)
            try LicenceParts.forget($0, in: $1)
        },
        files: { try GrantStore.keptFiles(in: $0) + SaleMasters.keptFiles(in: $0) })
}
