package import ChirpAccounts
package import ChirpCommunity
internal import ChirpFiles
package import FoundationEssentials
internal import GRDB

/// A licence that somebody holds. What it says is what was signed; the rest is what has become of it since.
package struct Grant: Hashable, Sendable, Identifiable {
    package let id: HubID
    package let says: GrantStatement
    package let document: GrantDocument
    /// Nil: whose account is gone.
    package let licensor: AccountID?
    package let licensee: AccountID?
    /// When it ends by itself; nil: never.
    package let expires: Date?
    /// That it was taken back, as when the money was returned.
    package let ending: Ending?

    package struct Ending: Hashable, Sendable {
        package let at: Date
        package let why: Reason
    }

    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The buyer has the money back.
        case refunded
        /// One side has ended the contract.
        case ended
        /// Its time was over, and another was granted.
        case expired
        /// The seller had no right to sell it.
        case notTheirs = "not-theirs"
    }

    /// Whether its holder may still use and fetch what was bought.
    package func isInForce(at instant: Date) -> Bool {
        ending == nil && (expires.map { instant < $0 } ?? true)
    }

    static let columns = """
        id, licensor, licensee, expires, ended, why, statement, signature, seal, signer, sha256
        """

    init(_ row: Row) throws {
        let (id, statement): (String, Data) = (row["id"], row["statement"])
        guard let id = HubID(id), let says = GrantStatement(Array(statement)) else {
            throw GrantRefusal.library(.inputOutput(path: "grants", reason: "the statement of a grant cannot be read"))
        }
        let (signature, seal): (Data, Data) = (row["signature"], row["seal"])
        let (expires, ended, why): (Int64?, Int64?, String?) = (row["expires"], row["ended"], row["why"])
        self.id = id
        self.says = says
        document = GrantDocument(
            statement: Array(statement), signature: Array(signature), seal: Array(seal), key: row["signer"],
            sha256: row["sha256"])
        (licensor, licensee) = (row["licensor"], row["licensee"])
        self.expires = expires.map(Accounts.date)
        ending = ended.map {
            Ending(at: Accounts.date($0), why: why.flatMap { Reason(rawValue: $0) } ?? .ended)
        }
    }
}

/// Of a licence that somebody holds of a work, what others may know: not who.
package struct EarlierGrant: Hashable, Sendable, Identifiable {
    package let id: HubID
    package let licenceName: String
    package let terms: LicenceTerms
    package let sold: Date
    package let expires: Date?

    /// Its name in the exclusive's paper: the beginning of the SHA-256 of its id. A holder of both papers can compare it; the id itself opens one.
    var mark: String { String(FileDigest.sha256(of: id.text).prefix(16)) }

    init(_ grant: Grant) {
        (id, licenceName, terms) = (grant.id, grant.says.licenceName, grant.says.terms)
        (sold, expires) = (grant.says.sold, grant.expires)
    }
}
