package import ChirpBoards
package import ChirpCommunity
internal import ChirpWeb

/// The board of beats, and of vocals that look for one.
package enum Beats {
    /// Its name, and the address that it is at.
    package static let board = "beats"

    /// What the board keeps in a library, beside the tables of orders, which come before.
    package static let tables = BoardTables(
        name: board,
        steps: RoleSchema.steps + TrackSchema.steps + [BoardTables.votes(on: board)] + LicenceParts.steps
            + AuctionSchema.steps + RequestSchema.steps + ConnectionSchema.steps + OfferSchema.steps + SaleSchema.steps
            + TagSchema.steps,
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

extension Beats {
    /// The board over a hub.
    ///
    /// - Parameters:
    ///   - parts: what deals, licences and payment add to it.
    ///   - likeness: how tracks are compared; ``TrackLikeness/byFacts`` where nothing hears more.
    ///   - patience: how long a page waits for what others answer.
    package static func whole(
        _ desk: BoardDesk, parts: BeatParts = BeatParts(), likeness: TrackLikeness = .byFacts,
        patience: Patience = Patience()
    ) -> Board {
        let beats = BeatDesk(desk, parts: parts, likeness: likeness, patience: patience)
        return Board(
            name: board, title: { word("beat.board") }, routes: beats.routes,
            sweep: { await beats.sweep() }, errand: beats.errand,
            profile: { try await beats.profile(of: $0, for: $1) }, comments: beats.comments)
    }
}
