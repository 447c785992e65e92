package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
package import ChirpPlaces
internal import ChirpWeb
internal import HTTPTypes

/// The board on this machine, served or not, for whoever has its library: asked and answered in the words of the HTTP interface.
package struct ListingShelf: Sendable {
    private let store: ListingStore
    private let gazetteer: Gazetteer?
    private let links: HubLinks
    private let account: AccountID

    /// What was not taken.
    package struct Refusal: Error, Hashable, Sendable {
        package let title: String
        /// Sentences by the names of fields.
        package let fields: [String: String]
    }

    /// - Parameter account: who acts.
    package init(library: HubLibrary, gazetteer: Gazetteer?, publicURL: String, account: AccountID) {
        store = ListingStore(library: library)
        self.gazetteer = gazetteer
        links = HubLinks(publicURL: publicURL)
        self.account = account
    }

    /// A page of listings as JSON.
    package func search(_ fields: [String: String]) async throws -> [UInt8] {
        let search = ListingSearch(RequestFields(fields.map { ($0.key, $0.value) }))
        let resolved = try await search.resolved(in: gazetteer)
        let page = resolved.isUnknown ? .init() : try await store.page(resolved.query, for: .member(account))
        return Array(try WebJSON.encode(ListingListDocument(page, place: resolved, links: links)))
    }

    /// Places one, once for its key; it is given as JSON.
    package func place(_ fields: [String: String], pictures: [HubID]) async throws -> [UInt8] {
        let pictures = pictures.map(\.text)
        let form = ListingForm(one: { fields[$0] ?? "" }, list: { $0 == "pictures" ? pictures : [] })
        let reading = try await form.read(at: store.library.now(), in: gazetteer)
        guard let draft = reading.draft else { throw Refusal(.fields(reading.faults)) }
        do throws(ListingRefusal) {
            return try await document(try await store.create(draft, by: account, key: "api:\(form.key)"))
        } catch {
            throw Refusal(error)
        }
    }

    package func settle(_ id: HubID, as outcome: String) async throws -> [UInt8] {
        guard let outcome = ListingStore.Outcome(rawValue: outcome) else {
            throw Refusal(.fields([.outcome: .unknown]))
        }
        do throws(ListingRefusal) {
            try await store.settle(id, as: outcome, by: account)
            return try await document(id)
        } catch {
            throw Refusal(error)
        }
    }

    package func renew(_ id: HubID) async throws -> [UInt8] {
        do throws(ListingRefusal) {
            try await store.renew(id, by: account)
            return try await document(id)
        } catch {
            throw Refusal(error)
        }
    }

    package func withdraw(_ id: HubID, reason: String) async throws {
        do throws(ListingRefusal) { try await store.withdraw(id, reason: reason, by: account) } catch {
            throw Refusal(error)
        }
    }

    private func document(_ id: HubID) async throws(ListingRefusal) -> [UInt8] {
        do {
            guard case .listing(let listing) = try await store.listing(id, for: .member(account)) else {
                throw ListingRefusal.item(.notFound)
            }
            return Array(try WebJSON.encode(ListingDocument(listing, links: links)))
        } catch {
            throw ListingRefusal(error)
        }
    }
}

extension ListingShelf.Refusal {
    init(_ refusal: ListingRefusal) {
        title = refusal.sentence
        fields = Dictionary(refusal.faults.map { ($0.key.rawValue, $0.value.sentence) }) { first, _ in first }
    }
}
