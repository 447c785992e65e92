internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpFiles
internal import ChirpOrders
internal import ChirpWeb
internal import FoundationEssentials
internal import GRDB

/// What the buyer of an exclusive is told of before paying (AR-17): licences that stay valid, sold or being paid for. Never who holds them,
/// nor the ids of their grants, since those open the papers that name both sides.
package struct EarlierLicences: Hashable, Sendable {
    package let grants: [EarlierGrant]
    /// Leases that are paid for and have no paper yet, or are being paid for.
    package let coming: Int

    package static let none = EarlierLicences(grants: [], coming: 0)

    package init(grants: [EarlierGrant], coming: Int) { (self.grants, self.coming) = (grants, coming) }

    init(_ work: HubID, at instant: Date, in database: Database) throws {
        grants = try GrantStore.standing(work, at: instant, in: database)
        coming = try OrderStore.leases(of: work.text, in: database).count { $0.state != .delivered }
    }

    package var isEmpty: Bool { grants.isEmpty && coming == 0 }

    /// The same as long as nothing has come. A hash, since everybody who asks for the price is told.
    package var digest: String {
        FileDigest.sha256(of: (grants.map(\.id.text).sorted() + ["\(coming)"]).joined(separator: ","))
    }

    /// In a page.
    var html: HTML {
        guard !isEmpty else { return "<p>\(word("beat.buy.noearlier"))</p>" }
        let items = grants.map { grant -> HTML in
            "<li><bdi>\(grant.licenceName)</bdi> · \(Wording.time(grant.sold))</li>"
        }
        let coming: HTML =
            coming > 0 ? "<li>\(word("beat.buy.coming", count: coming))</li>" : .nothing
        return """
            <section aria-labelledby="earlier"><h2 class="section" id="earlier">\(word("beat.buy.earlier"))</h2>
            <p>\(word("beat.buy.earlier.lead"))</p><ul>\(HTML(joining: items))\(coming)</ul></section>
            """
    }

    /// As programs read it.
    var documents: [Document] { grants.map(Document.init) }

    func write(_ json: inout JSONText) {
        json.field("earlier") { json in
            json.array(grants) { json, grant in
                json.object { json in
                    json.field("name", grant.licenceName)
                    json.field("kind", grant.terms.kind.rawValue)
                    json.field("sold", grant.sold)
                }
            }
        }
        json.field("coming", coming)
        json.field("seen", digest)
    }

    struct Document: Encodable {
        let name, kind: String
        let sold: Date

        init(_ grant: EarlierGrant) {
            (name, kind, sold) = (grant.licenceName, grant.terms.kind.rawValue, grant.sold)
        }
    }
}
