package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
package import ChirpOrders
package import GRDB

/// Purchases in the library, and how sellers are named and paid.
package struct PurchaseStore: Sendable {
    package let library: HubLibrary

    package init(library: HubLibrary) { self.library = library }

    /// How a seller is named in contracts, and how she is paid without a service.
    package struct Seller: Hashable, Sendable {
        /// Empty: as in her profile.
        package var name: String
        package var words: String

        package init(name: String = "", words: String = "") { (self.name, self.words) = (name, words) }

        package static let longestWords = 500
    }

    /// Writes down what is to be bought; once for buyer and key, then that is given again.
    package func write(_ draft: PurchaseDraft) async throws(PurchaseRefusal) -> Purchase {
        do { return try await library.transact { try write(draft, in: $0) } } catch { throw PurchaseRefusal(error) }
    }

    /// The same within the transaction of those who agree on something.
    package func write(_ draft: PurchaseDraft, in database: Database) throws -> Purchase {
        if let known = try Self.known(draft.key, of: draft.buyer, in: database) { return known }
        let licensee = PlainText(draft.licensee.prefix(4 * GrantDraft.longestName), limit: 4 * GrantDraft.longestName)
            .value
        guard !licensee.isEmpty, licensee.isWithin(GrantDraft.longestName) else {
            throw PurchaseRefusal.name(most: GrantDraft.longestName)
        }
        guard !draft.key.isEmpty, draft.key.utf8.count <= 100 else { throw PurchaseRefusal.order(.badKey) }
        let own = try Self.seller(draft.seller, in: database).name
        let id = HubID()
        try database.cachedStatement(
            sql: """
                INSERT INTO beatPurchases (id, key, buyer, seller, item, work, title, licence, licenceName, terms, text,
                    licensor, licensee, auction, request, made)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                id.text, draft.key, draft.buyer, draft.seller, draft.item.text, draft.work.text, draft.title,
                draft.licence, draft.licenceName, draft.terms.json, draft.text.text,
                own.isEmpty ? draft.licensor : own, licensee, draft.auction?.text, draft.request?.text,
                Accounts.milliseconds(library.now()),
            ])
        guard let made = try Self.purchase("id = ?", [id.text], in: database) else {
            throw PurchaseRefusal.notFound
        }
        return made
    }

    /// That of an order; nil for one of another board.
    package func purchase(of order: Order) async throws(PurchaseRefusal) -> Purchase? {
        do { return try await library.reading { try Self.purchase(of: order, in: $0) } } catch {
            throw PurchaseRefusal(error)
        }
    }

    /// What a form has bought before; nil: nothing yet.
    static func known(_ key: String, of buyer: AccountID, in database: Database) throws -> Purchase? {
        try purchase("buyer = ? AND key = ?", [buyer, key], in: database)
    }

    static func purchase(of order: Order, in database: Database) throws -> Purchase? {
        try purchase("id = ?", [order.terms.subject], in: database)
    }

    /// It cannot be delivered any more, unless somebody has delivered it in this moment.
    func end(_ id: HubID, of order: Order, why: String) async throws(PurchaseRefusal) {
        do {
            try await library.transact { database in
                try database.cachedStatement(
                    sql: """
                        UPDATE beatPurchases SET over = ? WHERE id = ? AND over IS NULL
                            AND NOT EXISTS (SELECT 1 FROM orders WHERE id = ? AND state = 'delivered')
                        """
                ).execute(arguments: [String(why.prefix(200)), id.text, order.id.text])
            }
        } catch { throw PurchaseRefusal(error) }
    }

    package func seller(_ account: AccountID) async throws(PurchaseRefusal) -> Seller {
        do { return try await library.reading { try Self.seller(account, in: $0) } } catch {
            throw PurchaseRefusal(error)
        }
    }

    package func set(_ seller: Seller, of account: AccountID) async throws(PurchaseRefusal) {
        let name = PlainText(seller.name.prefix(500), limit: 500).value
        guard name.isWithin(GrantDraft.longestName) else { throw .name(most: GrantDraft.longestName) }
        let words = PlainText.lines(seller.words, limit: Seller.longestWords)
        do {
            try await library.transact { database in
                try database.cachedStatement(
                    sql: """
                        INSERT INTO beatSellers (account, name, words) VALUES (?, ?, ?)
                        ON CONFLICT (account) DO UPDATE SET name = excluded.name, words = excluded.words
                        """
                ).execute(arguments: [account, name, words])
            }
        } catch { throw PurchaseRefusal(error) }
    }

    private static func seller(_ account: AccountID, in database: Database) throws -> Seller {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT name, words FROM beatSellers WHERE account = ?"),
            arguments: [account])
        return row.map { Seller(name: $0["name"], words: $0["words"]) } ?? Seller()
    }

    /// - Parameter condition: SQL of this type, never from outside.
    private static func purchase(
        _ condition: String, _ arguments: StatementArguments, in database: Database
    ) throws -> Purchase? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM beatPurchases WHERE \(condition)"), arguments: arguments
        ).flatMap(Purchase.init)
    }
}
