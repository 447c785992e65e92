package import ChirpCommunity
package import FoundationEssentials
internal import GRDB

/// A licence that a work is offered under. It never changes: other terms or another price are another one.
package struct LicenceOffer: Hashable, Sendable, Identifiable {
    package let id: HubID
    package let work: HubID
    /// As in the shop.
    package let name: String
    /// The version of the text that a buyer reads.
    package let text: HubID
    package let terms: LicenceTerms
    /// Since when nobody can buy it any more; nil: it can be bought.
    package let ended: Date?

    static let columns = """
        licenceOffers.id, work, name, licenceTexts.id AS textID, terms, ended
        FROM licenceOffers CROSS JOIN licenceTexts ON licenceTexts.sequence = licenceOffers.text
        """

    /// Nil for a row that makes no sense.
    init?(_ row: Row) {
        guard let id = HubID(row["id"] as String), let work = HubID(row["work"] as String),
            let text = HubID(row["textID"] as String), let terms = LicenceTerms(json: row["terms"] as String)
        else { return nil }
        (self.id, self.work, self.text, self.terms) = (id, work, text, terms)
        name = row["name"]
        ended = (row["ended"] as Int64?).map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }
}

/// What an author offers, before it is written down.
package struct OfferDraft: Hashable, Sendable {
    package var name: String
    /// A version of a text: a template's, or one of her own.
    package var text: HubID
    package var terms: LicenceTerms

    package init(name: String, text: HubID, terms: LicenceTerms) {
        (self.name, self.text, self.terms) = (name, text, terms)
    }

    /// Licences of one work.
    package static let most = 12
    /// Characters, as a contract shows them.
    package static let longestName = 60
}

/// What a form about one licence has.
package enum OfferField: String, Hashable, Sendable, CaseIterable {
    case name, template, text, price, amount, currency, files, copies, streams, years, credit, profit, exclusive
}

/// What is wrong with a field.
package enum OfferFault: Hashable, Sendable {
    case missing
    case unknown
    case tooLong(most: Int)
    case outOfRange(Int, Int)
    case noAmount
    /// The track has no such file to deliver.
    case noFile(LicenceTerms.File)
}

/// Why a licence was not offered.
package enum OfferRefusal: Error, Hashable, Sendable {
    case fields([OfferField: OfferFault])
    case notFound
    case tooMany(most: Int)
    /// The exclusive is sold, or somebody is paying for it.
    case sold
    /// Somebody has bid: until the auction is over everything stays as bidders have seen it.
    case bidding
    /// There is an exclusive licence already.
    case secondExclusive
    case notActive
    case library(LibraryError)

    /// What a transaction has thrown.
    init(_ error: any Error) {
        switch error {
        case let error as OfferRefusal: self = error
        case let error as LibraryError: self = .library(error)
        default: self = .library(.inputOutput(path: "offers", reason: "\(error)"))
        }
    }
}
