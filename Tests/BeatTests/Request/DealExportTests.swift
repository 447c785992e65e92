import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import ChirpOrders
import GRDB
import HubHousehold
import Testing

@Suite struct DealExportTests {
    @Test func `an export has all deals of a person in her own words, and nobody else's`() async throws {
        let cast = try await DealCast()
        let store = RequestStore(
            library: cast.library, board: "beats", links: HubLinks(publicURL: HubHousehold.publicURL)
        ) { _ in nil }
        let request = try await store.ask(
            RequestDraft(to: cast.pia, words: "Words of Ann", key: "k"), by: cast.ann)
        try await store.act(
            .price(DealCast.euros(4200)), on: request, seen: 0, by: cast.pia, words: "Words of Pia")
        let (auction, _) = try await cast.auction()
        try await cast.bid(1300, by: cast.ann, on: auction)
        try await ConnectionStore(library: cast.library).act(.ask, by: cast.ann, with: cast.pia)
        func export(_ person: AccountID) async throws -> [String: String] {
            try await cast.library.reading { database in
                let documents =
                    try AuctionExport.documents(of: person, in: database)
                    + RequestExport.documents(of: person, in: database)
                    + ConnectionExport.documents(of: person, in: database)
                return Dictionary(
                    documents.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) }
                ) { first, _ in first }
            }
        }
        let (ann, pia) = (try await export(cast.ann), try await export(cast.pia))
        let names: Set = ["auctions.json", "bid-tries.json", "bids.json", "requests.json", "connections.json"]
        #expect(Set(ann.keys) == names)
        #expect(Set(pia.keys) == names)
        #expect(ann["bids.json"]?.contains("1300") == true)
        #expect(ann["requests.json"]?.contains("Words of Ann") == true)
        #expect(ann["requests.json"]?.contains("Words of Pia") == false)
        #expect(ann["connections.json"]?.contains("id-pia") == true)
        #expect(pia["requests.json"]?.contains("Words of Pia") == true)
        #expect(pia["requests.json"]?.contains("Words of Ann") == false)
        #expect(pia["auctions.json"]?.contains("\"highest\" : 1300") == true)
        #expect(pia["auctions.json"]?.contains("id-ann") == false)
        #expect(pia["bids.json"] == "[\n\n]\n")
    }
}
