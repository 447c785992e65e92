import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import Foundation
import HubHousehold
import Testing

@Suite struct OfferStoreTests {
    @Test func `other terms are another offer, and what was offered stays as it was`() async throws {
        let cast = try await SaleCast()
        let first = try await cast.offer()
        #expect(try await cast.offer() == first, "the same again is the one that is there")
        let dearer = try await cast.offer(
            at: .amount(LicenceAmount(4900, "EUR", decimals: 2)), instead: first.id)
        #expect(try await cast.sales.offers.offers(of: cast.track.work) == [dearer])
        let old = try #require(try await cast.sales.offers.offer(first.id))
        #expect(old.terms == first.terms && old.ended != nil)
        await #expect(throws: (any Error).self, "the database itself minds it") {
            try await cast.house.change("UPDATE licenceOffers SET terms = '{}' WHERE id = '\(first.id)'")
        }
    }

    @Test func `others, a second exclusive, and files that there are not are refused`() async throws {
        let cast = try await SaleCast()
        let text = try await cast.sales.texts.template(.wav, in: .english)
        func offer(_ template: LicenceTemplate, by account: AccountID) async -> OfferRefusal? {
            let draft = OfferDraft(name: "A licence", text: text.id, terms: template.terms(at: .free))
            do throws(OfferRefusal) {
                _ = try await cast.sales.offers.offer(
                    draft, of: cast.track.work, instead: nil, files: [.wav], by: account)
                return nil
            } catch { return error }
        }
        #expect(await offer(.mp3, by: cast.beats.pia) == .fields([.files: .noFile(.mp3)]))
        _ = try await cast.offer(.exclusive)
        let second = OfferDraft(
            name: "Another", text: text.id, terms: LicenceTerms(kind: .exclusive, files: [.wav], price: .offer))
        for (account, refusal) in [
            (cast.beats.pia, OfferRefusal.secondExclusive), (cast.beats.rob, .notFound), (cast.beats.uma, .notFound),
        ] {
            await #expect(throws: refusal) {
                try await cast.sales.offers.offer(
                    second, of: cast.track.work, instead: nil, files: [.wav], by: account)
            }
        }
        #expect(try await cast.sales.masters.kinds(of: cast.track.work) == [.wav])
    }
}
