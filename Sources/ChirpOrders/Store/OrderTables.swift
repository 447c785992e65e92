internal import ChirpAccounts
package import ChirpCommunity
internal import FoundationEssentials
internal import GRDB

/// What orders keep in a library, for every opening of it.
package enum OrderTables {
    /// What goes by its own when somebody is erased is her name, in orders and in the ledger.
    package static let tables = BoardTables(
        name: "orders", steps: OrderSchema.steps, notices: [.cardsTaken, .cardsRefused],
        personal: { person, database in
            [
                try PersonalExport.document("orders.json", orders(of: person, in: database)),
                try PersonalExport.document("payments.json", entries(of: person, in: database)),
                try PersonalExport.document("cards.json", cards(of: person, in: database)),
            ]
        },
        // Bids that nobody stands behind bind nobody. What she is paying for goes back when it is paid.
        erase: { person, database in
            let bids = try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT * FROM orders WHERE buyer = ? AND state IN ('asking', 'bound')"), arguments: [person]
            ).compactMap(Order.init)
            for bid in bids {
                try bid.move(
                    to: .releasing, reason: "the buyer is gone", at: Accounts.milliseconds(bid.changed), in: database)
            }
        })

    private struct OrderEntry: Encodable {
        let id, kind, subject, amount, currency, provider, state, reason: String
        let isSale: Bool
        let item, work, licence: String?
        /// Hers, of what she has sold.
        let account: String?
        let created, changed: Date
    }

    private struct MoneyEntry: Encodable {
        let order, why, amount, currency: String
        let at: Date
    }

    /// The account that she has connected.
    private struct CardEntry: Encodable {
        let account: String?
        let state: String
        let since: Date
    }

    private static func cards(of person: AccountID, in database: Database) throws -> [CardEntry] {
        try SellerCard.fetch(person, in: database).map {
            [CardEntry(account: $0.account, state: $0.state.rawValue, since: $0.since)]
        } ?? []
    }

    private static func orders(of person: AccountID, in database: Database) throws -> [OrderEntry] {
        try Row.fetchAll(
            database.cachedStatement(sql: "SELECT * FROM orders WHERE buyer = ?1 OR seller = ?1 ORDER BY sequence"),
            arguments: [person]
        ).compactMap(Order.init).map { order in
            OrderEntry(
                id: order.id.text, kind: order.terms.kind.rawValue, subject: order.terms.subject,
                amount: order.terms.price.digits, currency: order.terms.price.currency.code, provider: order.provider,
                state: order.state.rawValue, reason: order.reason, isSale: order.seller == person,
                item: order.item?.text, work: order.terms.scope, licence: order.terms.licence?.rawValue,
                account: order.seller == person ? order.account.name : nil, created: order.created,
                changed: order.changed)
        }
    }

    private static func entries(of person: AccountID, in database: Database) throws -> [MoneyEntry] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: OrderStore.entries + "WHERE orderLedger.account = ? ORDER BY orderLedger.sequence"),
            arguments: [person]
        ).compactMap(LedgerEntry.init).map { entry in
            MoneyEntry(
                order: entry.order.text, why: entry.why.rawValue, amount: entry.money.digits,
                currency: entry.money.currency.code, at: entry.at)
        }
    }
}
