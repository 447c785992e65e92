package import ChirpAccounts
package import ChirpCommunity
package import ChirpOrders
internal import FoundationEssentials
internal import GRDB

extension SaleDesk {
    /// What the buyer of an exclusive of a work is told of before paying.
    package func earlier(_ work: HubID) async throws -> EarlierLicences {
        try await library.reading { try EarlierLicences(work, at: library.now(), in: $0) }
    }

    /// How often somebody reserves, from whatever page or program.
    private static let reservations = RateRule(100, per: 24 * 3600)

    /// Reserves what somebody buys. What costs nothing is delivered at once. How often somebody reserves is limited here, and how much may
    /// wait to be paid where it is written down (``OrderStore/mostOpen``).
    ///
    /// What the buyer has been shown is compared in the transaction that reserves it: nothing comes in between.
    ///
    /// - Parameters:
    ///   - seen: ``EarlierLicences/digest`` of what the buyer of an exclusive was told.
    ///   - key: of the form; the same of the same buyer is the same order.
    /// - Returns: the order; ``Order/address`` is where it is paid.
    package func buy(
        _ offer: LicenceOffer, of track: Track, by buyer: AccountID, named name: String, seen: String, key: String
    ) async throws(PurchaseRefusal) -> Order {
        guard offer.work == track.work else { throw .notFound }
        guard offer.terms.price != .offer else { throw .onlyByOffer }
        do throws(AccountError) {
            try await limits?.consume("beat-buying", Self.reservations, by: .account(buyer))
        } catch { throw PurchaseRefusal(error) }
        let draft = PurchaseDraft(key: key, offer, of: track, by: buyer, named: name)
        do {
            let kinds = try await masters.kinds(of: track.work)
            let order = try await freeing(track.work) {
                try await library.transact { try orderDraft(of: draft, offer, seen: seen, kinds, in: $0) }
            }
            return try await bring(try await orders.buy(order))
        } catch let error as OrderRefusal { throw .order(error) } catch { throw PurchaseRefusal(error) }
    }

    /// Writes down what is bought, with its order.
    private func orderDraft(
        of draft: PurchaseDraft, _ offer: LicenceOffer, seen: String, _ kinds: Set<LicenceTerms.File>,
        in database: Database
    ) throws -> OrderDraft {
        let purchase = try purchases.write(draft, in: database)
        guard let terms = purchase.orderTerms() else { throw OrderRefusal.badTerms }
        let order = OrderDraft(
            key: "beats:\(purchase.id)", buyer: draft.buyer, seller: draft.seller, item: purchase.item, terms: terms,
            provider: try provider(for: draft.seller, in: database))
        // A form that is sent again is answered as the first time, whatever has changed meanwhile.
        guard try orders.reserve(order, in: database) else { return order }
        guard purchase.licence == draft.licence, purchase.terms == draft.terms,
            try OfferStore.offer(offer.id, in: database)?.ended == nil
        else { throw PurchaseRefusal.changed }
        let item = try Items.item(
            draft.item, board: Beats.board, for: .member(draft.buyer), library: library, in: database)
        guard let item, item.state == .open, !item.isFrozen else { throw PurchaseRefusal.ended }
        guard kinds.isSuperset(of: offer.terms.files) else { throw PurchaseRefusal.otherFiles }
        guard offer.terms.kind == .exclusive else { return order }
        guard try !AuctionStore.isPromised(work: draft.work, in: database) else { throw PurchaseRefusal.promised }
        guard try EarlierLicences(draft.work, at: library.now(), in: database).digest == seen else {
            throw PurchaseRefusal.moreLicences
        }
        return order
    }

    /// Whoever had reserved a work has had her time, although nobody has swept: her order is looked at, and it is tried again.
    private func freeing<Done>(_ work: HubID, _ act: () async throws -> Done) async throws -> Done {
        do { return try await act() } catch OrderRefusal.taken(let until) where until <= library.now() {
            if let other = try await orders.store.exclusive(of: work.text) { try await orders.look(at: other.id) }
            return try await act()
        }
    }
}
