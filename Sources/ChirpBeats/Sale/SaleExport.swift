internal import ChirpAccounts
internal import ChirpCommunity
internal import GRDB

/// What sales keep of one person beside orders and licences.
enum SaleExport {
    private struct PurchaseEntry: Encodable {
        let id, item, title, licence, terms: String
        let isSale: Bool
        /// Her own name in the contract.
        let name: String
    }

    private struct OfferEntry: Encodable {
        let id, work, name, terms: String
        let isOpen: Bool
    }

    private struct Everything: Encodable {
        let purchases: [PurchaseEntry]
        let offers: [OfferEntry]
        let contractName, payment: String
    }

    static func documents(of person: AccountID, in database: Database) throws -> [PersonalExport.Document] {
        let purchases = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT * FROM beatPurchases WHERE buyer = ?1 OR seller = ?1 ORDER BY sequence"),
            arguments: [person]
        ).map { row in
            let isSale = (row["seller"] as String?) == person.rawValue
            return PurchaseEntry(
                id: row["id"], item: row["item"], title: row["title"], licence: row["licenceName"],
                terms: row["terms"], isSale: isSale, name: isSale ? row["licensor"] : row["licensee"])
        }
        let offers = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT licenceOffers.* FROM works CROSS JOIN licenceOffers ON licenceOffers.work = works.id
                    WHERE works.author = ? ORDER BY licenceOffers.sequence
                    """), arguments: [person]
        ).map {
            OfferEntry(
                id: $0["id"], work: $0["work"], name: $0["name"], terms: $0["terms"],
                isOpen: ($0["ended"] as Int64?) == nil)
        }
        let seller = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT name, words FROM beatSellers WHERE account = ?"),
            arguments: [person])
        return [
            try PersonalExport.document(
                "sales.json",
                Everything(
                    purchases: purchases, offers: offers, contractName: seller?["name"] ?? "",
                    payment: seller?["words"] ?? ""))
        ]
    }

    /// Names go with who is erased; what was sold is a contract with somebody else, and stays (``LicenceParts``). Her texts that somebody has
    /// bought under are no longer hers alone.
    static func forget(_ person: AccountID, in database: Database) throws {
        try database.cachedStatement(sql: "UPDATE beatPurchases SET licensee = '' WHERE buyer = ?").execute(
            arguments: [person])
        try database.cachedStatement(sql: "UPDATE beatPurchases SET licensor = '' WHERE seller = ?").execute(
            arguments: [person])
        try database.cachedStatement(
            sql: "DELETE FROM licenceOffers WHERE work IN (SELECT id FROM works WHERE author = ?)"
        )
        .execute(arguments: [person])
    }
}
