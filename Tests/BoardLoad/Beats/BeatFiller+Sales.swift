import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import Foundation
import GRDB

extension BeatFiller {
    /// A lease that can be bought.
    private struct Lease: Sendable {
        let offer, work, name, text, textDigest, item, title: String
        let textNumber: Int64
        let terms: LicenceTerms
        let seller: AccountID
        let sellerName: String
    }

    /// How many leases are sold: some tracks often, most never.
    private var sales: Int { options.tracks * 3 / 10 }

    /// Orders that were paid by hand and delivered, with both sides of the ledger and the licences that were granted, signed with this library's
    /// key; one of fifty was paid back. Papers are not drawn: each takes a processor for some hundred milliseconds.
    @Sendable func addSales() async throws -> Int {
        let leases = try await leases()
        guard !leases.isEmpty else { return 0 }
        let key = try GrantKey.read("\(library.folder)/licence-key")
        let now = Accounts.milliseconds(clock.now)
        try await library.transact { database in
            try database.execute(
                sql: "INSERT INTO grantKeys (id, bytes, since) VALUES (?, ?, ?)",
                arguments: [key.publicKey.id, Data(key.publicKey.bytes), now])
        }
        for start in stride(from: 0, to: sales, by: 10_000) {
            let numbers = start..<min(sales, start + 10_000)
            try await library.transact { database in
                var generator = SplitMix(seed: options.seed &* 6_000_011 &+ UInt64(start))
                for number in numbers {
                    let lease = leases[generator.favourite(of: leases.count)]
                    let buyer = account(generator.favourite(of: options.accounts))
                    guard buyer != lease.seller else { continue }
                    let sold = now - Int64(Double(sales - number) / Double(sales) * 30 * Self.day * 1000)
                    let order = try sell(lease, to: buyer, number, at: sold, in: database)
                    try grant(lease, to: buyer, order: order.id, signedWith: key, at: sold, in: database)
                    if number % 50 == 49 { try payBack(order.sequence, lease, buyer, at: sold, in: database) }
                }
            }
        }
        return sales
    }

    private func leases() async throws -> [Lease] {
        try await library.reading { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT licenceOffers.id, licenceOffers.work, licenceOffers.name, licenceOffers.terms,
                        licenceOffers.text AS number, licenceTexts.id AS text, sha256, tracks.item, items.title,
                        works.author, accounts.name AS seller
                    FROM licenceOffers JOIN licenceTexts ON licenceTexts.sequence = licenceOffers.text
                    JOIN works ON works.id = licenceOffers.work JOIN accounts ON accounts.id = works.author
                    JOIN tracks ON tracks.work = works.id AND tracks.version = '' JOIN items ON items.id = tracks.item
                    WHERE licenceOffers.sequence % 5 = 0 AND terms LIKE '%"kind":"lease"%' AND terms LIKE '%"amount":%'
                    ORDER BY licenceOffers.sequence
                    """
            ).compactMap { row in
                LicenceTerms(json: row["terms"] as String).map {
                    Lease(
                        offer: row["id"], work: row["work"], name: row["name"], text: row["text"],
                        textDigest: row["sha256"], item: row["item"], title: row["title"], textNumber: row["number"],
                        terms: $0, seller: row["author"], sellerName: row["seller"])
                }
            }
        }
    }

    /// From the purchase to its delivery, as an order goes.
    private func sell(
        _ lease: Lease, to buyer: AccountID, _ number: Int, at now: Int64, in database: Database
    ) throws -> (id: HubID, sequence: Int64) {
        guard case .amount(let amount) = lease.terms.price else { throw BrokenOff() }
        let (purchase, order) = (HubID(), HubID())
        try database.cachedStatement(
            sql: """
                INSERT INTO beatPurchases (id, key, buyer, seller, item, work, title, licence, licenceName, terms, text,
                    licensor, licensee, made)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            purchase.text, "load:\(number)", buyer, lease.seller, lease.item, lease.work, lease.title, lease.offer,
            lease.name, lease.terms.json, lease.text, lease.sellerName, "Somebody \(number)", now,
        ])
        try database.cachedStatement(
            sql: """
                INSERT INTO orders (id, key, buyer, seller, item, scope, kind, licence, subject, amount, currency, provider,
                    method, state, created, changed, checkout)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'buy', 'lease', ?7, ?8, ?9, 'by-hand', 'checkout', 'reserved', ?10, ?10, ?1)
                """
        ).execute(arguments: [
            order.text, "beats:\(purchase)", buyer, lease.seller, lease.item, lease.work, purchase.text,
            amount.smallest, amount.currency, now,
        ])
        let sequence = database.lastInsertedRowID
        try database.cachedStatement(sql: "INSERT INTO handMarks (purchase, mark, at) VALUES (?, 'paid', ?)").execute(
            arguments: [sequence, now])
        try move("payment", of: sequence, amount, from: buyer, to: lease.seller, at: now, in: database)
        for state in ["paid", "delivered"] {
            try database.cachedStatement(sql: "UPDATE orders SET state = ? WHERE sequence = ?").execute(
                arguments: [state, sequence])
        }
        return (order, sequence)
    }

    /// Both rows of a movement of money.
    private func move(
        _ why: String, of order: Int64, _ amount: LicenceAmount, from buyer: AccountID, to seller: AccountID,
        at now: Int64, in database: Database
    ) throws {
        try database.cachedStatement(
            sql: "INSERT INTO orderMovements (purchase, why, currency, at) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [order, why, amount.currency, now])
        let movement = database.lastInsertedRowID
        let given = why == "payment" ? amount.smallest : -amount.smallest
        for (side, account, amount) in [("buyer", buyer, -given), ("seller", seller, given)] {
            try database.cachedStatement(
                sql: "INSERT INTO orderLedger (movement, side, account, amount) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [movement, side, account, amount])
        }
    }

    private func payBack(
        _ order: Int64, _ lease: Lease, _ buyer: AccountID, at now: Int64, in database: Database
    ) throws {
        guard case .amount(let amount) = lease.terms.price else { throw BrokenOff() }
        try database.cachedStatement(sql: "UPDATE orders SET state = 'refunding' WHERE sequence = ?").execute(
            arguments: [order])
        try move("refund", of: order, amount, from: buyer, to: lease.seller, at: now, in: database)
        try database.cachedStatement(sql: "UPDATE orders SET state = 'refunded' WHERE sequence = ?").execute(
            arguments: [order])
    }

    private func grant(
        _ lease: Lease, to buyer: AccountID, order: HubID, signedWith key: GrantKey, at now: Int64,
        in database: Database
    ) throws {
        guard let work = HubID(lease.work), let text = HubID(lease.text) else { throw BrokenOff() }
        let digest = String(repeating: "0", count: 64)
        let draft = GrantDraft(
            order: order, work: work, title: lease.title, licence: lease.offer, licenceName: lease.name,
            terms: lease.terms, text: text, licensor: GrantParty(lease.sellerName, account: lease.seller),
            licensee: GrantParty("Somebody", account: buyer), sold: Accounts.date(now),
            files: [GrantFile(name: "track.mp3", bytes: 5_000_000, sha256: digest)])
        let statement = GrantStatement(draft, textDigest: lease.textDigest, body: digest).bytes
        let seal = try key.signature(of: GrantDocument.sealed(statement: statement, sha256: digest))
        let years = lease.terms.limits.years ?? 1
        try database.cachedStatement(
            sql: """
                INSERT INTO grants (id, buyOrder, work, kind, licence, text, licensor, licensee, sold, expires, statement,
                    signature, seal, signer, sha256)
                VALUES (?, ?, ?, 'lease', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            HubID().text, order.text, lease.work, lease.offer, lease.textNumber, lease.seller, buyer, now,
            now + Int64(years) * 365 * Int64(Self.day) * 1000, Data(statement),
            Data(try key.signature(of: statement)), Data(seal), key.publicKey.id, digest,
        ])
    }
}
