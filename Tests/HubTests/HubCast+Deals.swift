import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import ChirpHub
import ChirpOrders
import ChirpWeb
import Foundation
import HubHousehold
import Hummingbird
import Testing

/// A hub at which sellers of beats say themselves that they were paid.
extension HubCast {
    /// - Parameter paysByHand: otherwise nothing is paid, and bids bind by word alone.
    func dealHub(
        paysByHand: Bool = true
    ) throws -> (application: HubApplication, deals: DealDesk, sales: SaleDesk) {
        let library = house.library
        let links = HubLinks(publicURL: HubHousehold.publicURL)
        let sales = SaleDesk(library: library, links: links)
        let money = paysByHand ? sales.deals : nil
        var parts = BeatParts()
        parts.addDeals(paidBy: money)
        parts.sell(by: sales)
        var settings = try settings(limitScale: 1000)
        settings.boards.removeAll { $0 == Beats.board }
        var application = HubApplication(settings: settings, library: library, logger: HubHousehold.logger)
        application.furtherBoards = { [parts] desk in [Beats.whole(desk, parts: parts)] }
        return (application, DealDesk(library: library, links: links, money: money), sales)
    }

    /// A beat of a producer's in the shop.
    func beat(by seller: HubAccount, _ title: String = "Rain", isDraft: Bool = false) async throws -> HubID {
        try await house.change(
            "INSERT OR IGNORE INTO beatRoles (account, role, since) VALUES ('\(seller.id)', 'producer', 0)")
        var draft = TrackDraft(kind: .beat, title: title)
        let master = try await house.track(of: seller.id)
        try Data("RIFF\u{24}\0\0\0WAVEfmt a beat".utf8).write(to: URL(filePath: house.library.master(master)))
        draft.master = master
        draft.appears = !isDraft
        return try await TrackStore(library: house.library).create(draft, by: seller.id, key: title)
    }

    func notices(_ account: HubAccount, _ kind: Notice.Kind) async throws -> Int {
        try await house.library.seen(by: .member(account.id)).notices(kinds: [kind], limit: 50).count
    }

    /// Presses a button: sends a form with the token of a page that always has one.
    func press<R>(
        _ visitor: Visitor<R>, _ path: String, _ fields: [(name: String, value: String)] = []
    ) async throws -> TestResponse {
        let token = Visitor<R>.hidden(in: try await visitor.get("/settings/profile").text).filter { $0.name == "token" }
        return try await visitor.post(path, token.prefix(1) + fields)
    }
}
