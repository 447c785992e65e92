internal import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
internal import Crypto
internal import FoundationEssentials
internal import GRDB

/// Licences that were granted: one for an order, however often it is asked for (AR-12).
package struct GrantStore: Sendable {
    package let library: HubLibrary
    /// The address at which a grant is checked by anybody.
    private let address: @Sendable (HubID) -> String

    package init(library: HubLibrary, address: @escaping @Sendable (_ grant: HubID) -> String) {
        self.library = library
        self.address = address
    }

    /// Puts a licence on paper, signs it and writes it down. For an order that has one it gives that again, whatever the draft says by now.
    /// Draws for some hundred milliseconds, away from those who wait for the processor's threads.
    package func issue(_ draft: GrantDraft, key: GrantKey) async throws(GrantRefusal) -> Grant {
        if let known = try await grant(ofOrder: draft.order) { return known }
        let draft = try draft.checked()
        // Who sells the same work at the same moment changes what the paper has to name.
        for _ in 0..<Self.tries {
            let seen = try await reading { try Scene(draft, at: library.now(), in: $0) }
            if let known = seen.known { return known }
            let id = Self.id(of: draft.order)
            let paper = GrantPaper(draft: draft, text: seen.text, earlier: seen.earlier, address: address(id))
            let issued = try await offPool { () throws(GrantRefusal) in try paper.issue(signedWith: key) }
            let grant = try await transact { database -> Grant? in
                let now = try Scene(draft, at: library.now(), in: database)
                if let known = now.known { return known }
                guard now.earlier == seen.earlier else { return nil }
                try Self.write(issued.document, issued.pdf, id: id, draft, key.publicKey, library.now(), database)
                return try Self.grant(id, in: database)
            }
            if let grant { return grant }
        }
        throw .library(.busy(path: "grants"))
    }

    /// Made of the order, so that the same order has the same paper on whichever day it is drawn. Who knows the order holds the paper.
    static func id(of order: HubID) -> HubID {
        let letters = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")
        let digest = SHA256.hash(data: Data("licence of order:\(order)".utf8))
        let text = String(digest.prefix(HubID.length).map { letters[Int($0) % letters.count] })
        return HubID(text) ?? HubID()
    }

    /// How often a paper is drawn again before its buyer is asked to wait.
    private static let tries = 5

    /// Takes a grant back. Its paper stays, and says at its address that it ended. Once it has ended nothing changes any more.
    package func end(_ grant: HubID, why: Grant.Reason) async throws(GrantRefusal) -> Grant {
        try await transact { database in
            try database.cachedStatement(sql: "UPDATE grants SET ended = ?, why = ? WHERE id = ? AND ended IS NULL")
                .execute(arguments: [Accounts.milliseconds(library.now()), why.rawValue, grant.text])
            guard let found = try Self.grant(grant, in: database) else { throw GrantRefusal.noSuchGrant }
            return found
        }
    }

    /// What a grant is drawn from, as the library has it.
    private struct Scene: Sendable {
        /// The order has its grant.
        let known: Grant?
        let text: LicenceTextVersion
        let earlier: [EarlierGrant]

        init(_ draft: GrantDraft, at instant: Date, in database: Database) throws {
            known = try GrantStore.grants("buyOrder = ?", [draft.order.text], in: database).first
            guard let text = try LicenceTextStore.version(draft.text, in: database) else {
                throw GrantRefusal.noSuchText
            }
            self.text = text
            guard known == nil, draft.terms.kind == .exclusive else {
                earlier = []
                return
            }
            let standing = try GrantStore.standing(draft.work, at: instant, in: database)
            if let exclusive = standing.first(where: { $0.terms.kind == .exclusive }) {
                throw GrantRefusal.soldExclusively(exclusive.id)
            }
            earlier = standing
        }
    }

    private static func write(
        _ document: GrantDocument, _ pdf: [UInt8], id: HubID, _ draft: GrantDraft, _ key: GrantPublicKey, _ now: Date,
        _ database: Database
    ) throws {
        let isKnown = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM grantKeys WHERE id = ? AND bytes = ?)"),
            arguments: [key.id, Data(key.bytes)])
        if isKnown != true {
            try database.cachedStatement(sql: "INSERT INTO grantKeys (id, bytes, since) VALUES (?, ?, ?)")
                .execute(arguments: [key.id, Data(key.bytes), Accounts.milliseconds(now)])
        }
        // The index knows nothing of the time.
        try database.cachedStatement(
            sql: """
                UPDATE grants SET ended = expires, why = 'expired'
                WHERE work = ? AND kind = 'exclusive' AND ended IS NULL AND expires <= ?
                """
        ).execute(arguments: [draft.work.text, Accounts.milliseconds(now)])
        try database.cachedStatement(
            sql: """
                INSERT INTO grants (id, buyOrder, work, kind, licence, text, licensor, licensee, sold, expires, statement,
                    signature, seal, signer, sha256)
                VALUES (?, ?, ?, ?, ?, (SELECT sequence FROM licenceTexts WHERE id = ?),
                    (SELECT id FROM accounts WHERE id = ?), (SELECT id FROM accounts WHERE id = ?), ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                id.text, draft.order.text, draft.work.text, draft.terms.kind.rawValue, draft.licence, draft.text.text,
                draft.licensor.account, draft.licensee.account, Accounts.milliseconds(draft.sold),
                expiry(of: draft).map(Accounts.milliseconds), Data(document.statement), Data(document.signature),
                Data(document.seal), document.key, document.sha256,
            ])
        try database.cachedStatement(sql: "INSERT INTO grantPapers (grantID, pdf) VALUES (?, ?)")
            .execute(arguments: [database.lastInsertedRowID, Data(pdf)])
    }

    /// The same day so many years later, in UTC; the last of February for the 29th.
    static func expiry(of draft: GrantDraft) -> Date? {
        guard let years = draft.terms.limits.years, let utc = TimeZone(secondsFromGMT: 0) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = utc
        return calendar.date(byAdding: .year, value: years, to: draft.sold)
    }
}
