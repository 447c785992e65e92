package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
internal import FoundationEssentials
package import GRDB

/// The licences that works are offered under.
package struct OfferStore: Sendable {
    package let library: HubLibrary

    package init(library: HubLibrary) { self.library = library }

    /// What a work can be bought under, in the order it was offered.
    package func offers(of work: HubID) async throws(OfferRefusal) -> [LicenceOffer] {
        do {
            return try await library.reading { try Self.offers(of: work, in: $0) }
        } catch { throw OfferRefusal(error) }
    }

    /// One, also when it has ended; nil when there is none.
    package func offer(_ id: HubID) async throws(OfferRefusal) -> LicenceOffer? {
        do { return try await library.reading { try Self.offer(id, in: $0) } } catch { throw OfferRefusal(error) }
    }

    /// Offers a licence of a work of one's own. The same again is the one that is there.
    ///
    /// - Parameters:
    ///   - old: what it takes the place of, which ends; nil: it is one more.
    ///   - files: what there is to deliver.
    package func offer(
        _ draft: OfferDraft, of work: HubID, instead old: HubID?, files: Set<LicenceTerms.File>, by account: AccountID
    ) async throws(OfferRefusal) -> LicenceOffer {
        let name = try Self.checked(draft, files)
        do {
            return try await library.transact { database in
                let now = Accounts.milliseconds(library.now())
                try Self.checkOwner(account, work, at: now, in: database)
                guard let text = try LicenceTextStore.version(draft.text, in: database),
                    text.account == nil || text.account == account
                else { throw OfferRefusal.fields([.text: .unknown]) }
                let there = try Self.offers(of: work, in: database)
                if let same = there.first(where: {
                    $0.name == name && $0.text == draft.text && $0.terms == draft.terms
                }) {
                    return same
                }
                if let old {
                    guard there.contains(where: { $0.id == old }) else { throw OfferRefusal.notFound }
                    try Self.end(old, at: now, in: database)
                }
                let left = there.filter { $0.id != old }
                guard left.count < OfferDraft.most else { throw OfferRefusal.tooMany(most: OfferDraft.most) }
                if draft.terms.kind == .exclusive, left.contains(where: { $0.terms.kind == .exclusive }) {
                    throw OfferRefusal.secondExclusive
                }
                let id = HubID()
                try database.cachedStatement(
                    sql: """
                        INSERT INTO licenceOffers (id, work, name, text, terms, made)
                        VALUES (?, ?, ?, (SELECT sequence FROM licenceTexts WHERE id = ?), ?, ?)
                        """
                ).execute(arguments: [id.text, work.text, name, draft.text.text, draft.terms.json, now])
                guard let made = try Self.offer(id, in: database) else { throw OfferRefusal.notFound }
                return made
            }
        } catch { throw OfferRefusal(error) }
    }

    /// Offers a licence no longer. Who is buying it goes on, and what was sold stays sold.
    package func end(_ id: HubID, of work: HubID, by account: AccountID) async throws(OfferRefusal) {
        do {
            try await library.transact { database in
                let now = Accounts.milliseconds(library.now())
                try Self.checkOwner(account, work, at: now, in: database)
                guard let offer = try Self.offer(id, in: database), offer.work == work else {
                    throw OfferRefusal.notFound
                }
                if offer.ended == nil { try Self.end(id, at: now, in: database) }
            }
        } catch { throw OfferRefusal(error) }
    }

    private static func end(_ id: HubID, at now: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "UPDATE licenceOffers SET ended = ? WHERE id = ?").execute(
            arguments: [now, id.text])
    }

    private static func checked(
        _ draft: OfferDraft, _ files: Set<LicenceTerms.File>
    ) throws(OfferRefusal) -> String {
        var faults: [OfferField: OfferFault] = [:]
        let name = PlainText(draft.name, limit: OfferDraft.longestName + 1).value
        if name.isEmpty { faults[.name] = .missing }
        if !name.isWithin(OfferDraft.longestName) { faults[.name] = .tooLong(most: OfferDraft.longestName) }
        for (field, fault) in draft.terms.faults {
            switch (field, fault) {
            case (.files, _): faults[.files] = .missing
            case (.copies, .outOfRange(let low, let high)): faults[.copies] = .outOfRange(low, high)
            case (.streams, .outOfRange(let low, let high)): faults[.streams] = .outOfRange(low, high)
            case (.years, .outOfRange(let low, let high)): faults[.years] = .outOfRange(low, high)
            case (.price, _): faults[.amount] = .noAmount
            default: faults[.text] = .unknown
            }
        }
        if let lacking = draft.terms.files.first(where: { !files.contains($0) }) { faults[.files] = .noFile(lacking) }
        guard faults.isEmpty else { throw .fields(faults) }
        return name
    }

    /// Its author changes what it costs, as long as nobody has relied on it.
    private static func checkOwner(
        _ account: AccountID, _ work: HubID, at now: Int64, in database: Database
    ) throws {
        let author = try String.fetchOne(
            database.cachedStatement(sql: "SELECT author FROM works WHERE id = ?"), arguments: [work.text])
        guard author == account.rawValue else { throw OfferRefusal.notFound }
        guard try AccountStanding(of: account, at: now, in: database)?.isActive == true else {
            throw OfferRefusal.notActive
        }
        let isBidding = try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM tracks JOIN auctions ON auctions.item = tracks.item
                        WHERE tracks.work = ? AND auctions.state IN ('running', 'paying')
                        AND EXISTS (SELECT 1 FROM bids WHERE bids.auction = auctions.sequence))
                    """), arguments: [work.text])
        if isBidding == true { throw OfferRefusal.bidding }
        if try GrantStore.exclusive(
            of: work, at: Date(timeIntervalSince1970: Double(now) / 1000), in: database) != nil
        {
            throw OfferRefusal.sold
        }
    }

    static func offers(of work: HubID, in database: Database) throws -> [LicenceOffer] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT \(LicenceOffer.columns) WHERE work = ? AND ended IS NULL ORDER BY licenceOffers.sequence"),
            arguments: [work.text]
        ).compactMap(LicenceOffer.init)
    }

    /// One, also when it has ended; for those who buy within a transaction of their own.
    package static func offer(_ id: HubID, in database: Database) throws -> LicenceOffer? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT \(LicenceOffer.columns) WHERE licenceOffers.id = ?"),
            arguments: [id.text]
        ).flatMap(LicenceOffer.init)
    }
}
