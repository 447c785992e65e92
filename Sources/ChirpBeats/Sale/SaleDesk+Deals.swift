internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpOrders
internal import ChirpWeb
internal import GRDB

extension SaleDesk {
    /// How deals are paid: by the same orders as all that is sold, with the licence written down first.
    package var deals: DealMoney {
        DealMoney(
            orders: orders, provider: { try await provider(for: $0) }, pages: pages,
            terms: { deal in
                let purchase = try await purchases.write(try await draft(of: deal))
                return purchase.orderTerms(deal.kind) ?? deal.terms
            }, earlier: { try await earlier($0) })
    }

    /// An exclusive licence by the template's text in the seller's language, at the price that both agreed on.
    private func draft(of deal: DealPurchase) async throws -> PurchaseDraft {
        let language = try await language(of: deal.seller)
        let text: LicenceTextVersion
        do { text = try await texts.template(.exclusive, in: language) } catch { throw PurchaseRefusal(error) }
        let track = try await track(of: deal)
        var draft = PurchaseDraft(
            key: "deal:\(deal.key)", buyer: deal.buyer, seller: deal.seller, item: track.item, work: track.work,
            title: track.title, licence: deal.subject.text, licenceName: LicenceTemplate.exclusive.name(in: language),
            terms: LicenceTemplate.exclusive.terms(at: LicencePrice(deal.price)), text: text.id,
            licensor: try await name(deal.seller), licensee: try await name(deal.buyer))
        switch deal.subject {
        case .auction(let id): draft.auction = id
        case .request(let id): draft.request = id
        }
        return draft
    }

    private func track(of deal: DealPurchase) async throws -> (item: HubID, work: HubID, title: String) {
        switch deal.subject {
        case .request(let id): return (id, id, word("deal.request"))
        case .auction:
            guard let item = deal.item,
                case .track(let track) = try await TrackStore(library: library).track(item, for: .member(deal.seller))
            else { throw PurchaseRefusal.notFound }
            return (item, track.work, track.item.title)
        }
    }

    private func language(of account: AccountID) async throws -> LicenceLanguage {
        let code = try await library.reading { database in
            try String.fetchOne(
                database.cachedStatement(sql: "SELECT language FROM accounts WHERE id = ?"), arguments: [account])
        }
        return code.flatMap(LicenceLanguage.init) ?? .english
    }

    /// As a contract names somebody who has said nothing else.
    private func name(_ account: AccountID) async throws -> String {
        guard let person = try await library.author(account) else { throw PurchaseRefusal.notFound }
        return person.name.isEmpty ? "@\(person.handle)" : person.name
    }
}
