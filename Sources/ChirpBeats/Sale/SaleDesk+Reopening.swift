package import ChirpAccounts
internal import ChirpBoards
package import ChirpCommunity
internal import ChirpOrders
internal import ChirpWeb
internal import GRDB
internal import HTTPTypes

extension SaleDesk {
    /// Whether a track that was sold exclusively may be offered again, since the money has gone back whole.
    func mayReopen(_ track: Track) async throws -> Bool {
        guard track.item.state == .settled, track.item.outcome == TrackOutcome.sold else { return false }
        return try await library.reading { try !OrderStore.isSold(track.work.text, in: $0) }
    }

    /// Offers one again, in its seller's name: nothing is in the shop without her word. Licences that others hold stay as they are.
    package func reopen(_ track: HubID, by seller: AccountID) async throws(TrackRefusal) {
        try await TrackStore(library: library).reopen(track, by: seller) { work, database in
            try OrderStore.isSold(work.text, in: database)
        }
    }
}

/// Offering again what was sold exclusively and whose money has gone back.
struct ReopeningRoutes {
    let desk: BeatDesk
    let sales: SaleDesk

    var routes: [WebRoute] {
        [
            .post("\(BeatDesk.path)/:id/reopening", .active) { request, context, _ in
                try await desk.answering(request) {
                    let track = try await desk.ownTrack(context)
                    try await sales.reopen(track.id, by: try context.account)
                    return desk.desk.goOn(to: track.path)
                }
            },
            .api(
                .post, "\(BeatDesk.api)/:id/reopening", .active, scope: "write:orders",
                summary: "Offers a track again that was sold exclusively, once the money has gone back"
            ) { request, context in
                try await desk.answering(request) {
                    let track = try await desk.ownTrack(context)
                    try await sales.reopen(track.id, by: try context.account)
                    return try await desk.document(try await desk.track(context), context)
                }
            },
        ]
    }

    /// On the track's page, for its seller.
    static func section(_ track: Track, _ view: TrackView, _ desk: BeatDesk, _ sales: SaleDesk) async throws -> HTML {
        guard view.isAuthor, try await sales.mayReopen(track) else { return .nothing }
        return """
            <div class="beat-state"><p>\(word("beat.again.lead"))</p>
            \(desk.layout(view.token).button(word("beat.again.send"), to: "\(desk.prefix)\(track.path)/reopening"))</div>

            """
    }
}
