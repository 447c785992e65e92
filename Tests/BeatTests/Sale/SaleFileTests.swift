import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import ChirpCore
import ChirpFiles
import ChirpOrders
import ChirpTestKit
import Foundation
import GRDB
import HubHousehold
import Synchronization
import Testing

/// Which files come with a licence, that they stay, and whose they are (AR-5, AR-12, AR-17).
@Suite struct SaleFileTests {
    /// Makes another file each time that it is asked.
    private final class Copies: Sendable {
        private let count = Atomic(0)
        var made: Int { count.load(ordering: .relaxed) }

        var make: SaleMasters.MakeMP3 {
            { [self] master, goal in
                let number = count.add(1, ordering: .relaxed).newValue
                try Data(Array("ID3 copy \(number) of ".utf8) + SaleCast.wave).write(to: URL(filePath: goal))
            }
        }
    }

    private func paid(_ cast: SaleCast, _ offer: LicenceOffer, by buyer: AccountID, key: String) async throws -> Order {
        let order = try await cast.buy(offer, by: buyer, named: "A buyer", key: key)
        return try await cast.sales.markPaid(order.id, by: cast.beats.pia)
    }

    private func uploads(_ cast: SaleCast) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: cast.house.folder.path("hub/uploads")))
    }

    @Test func `stems come with the master, and what becomes of the track later changes nothing`() async throws {
        let cast = try await SaleCast()
        try await cast.setStems(["Drums", "Kick & bass"])
        let offer = try await cast.offer(.stems, files: [.wav, .stems])
        let order = try await paid(cast, offer, by: cast.beats.uma, key: "1")
        #expect(order.state == .delivered)
        let files = try await cast.files(of: order)
        #expect(
            files == [
                "Slow-rain.wav": Data(SaleCast.wave), "Slow-rain-Drums.wav": Data(SaleCast.wave + Array("Drums".utf8)),
                "Slow-rain-Kick-bass.wav": Data(SaleCast.wave + Array("Kick & bass".utf8)),
            ])
        let grant = try #require(try await cast.sales.grants.grant(ofOrder: order.id))
        #expect(grant.says.terms.files == [.wav, .stems])
        // Other stems, and the recordings themselves gone.
        try await cast.setStems(["Choir"])
        let master = try #require(try await cast.beats.track(cast.track.id, for: .member(cast.beats.pia)).master)
        cast.beats.library.films.remove(master)
        _ = try await cast.beats.library.sweep(at: Date().addingTimeInterval(7 * 86_400))
        #expect(try await cast.files(of: order) == files)
        #expect(try await cast.sales.grants.verdict(on: grant.id).verdict == .valid)
    }

    @Test(arguments: [(residual: -60.0, hasThem: true), (residual: -12.0, hasThem: false)])
    func `only stems that make up the mix can be promised`(_ given: (residual: Double, hasThem: Bool)) async throws {
        let cast = try await SaleCast()
        #expect(try await cast.sales.masters.kinds(of: cast.track.work) == [.wav])
        try await cast.setStems(["Drums"], residual: given.residual)
        #expect(try await cast.sales.masters.kinds(of: cast.track.work).contains(.stems) == given.hasThem)
        if !given.hasThem {
            await #expect(throws: OfferRefusal.self) { try await cast.offer(.stems, files: [.wav, .stems]) }
        }
    }

    @Test func `what is promised and not there is not sold, and stems stay while somebody pays`() async throws {
        let cast = try await SaleCast()
        try await cast.setStems(["Drums"])
        let offer = try await cast.offer(.stems, files: [.wav, .stems])
        try await cast.setStems([])
        await #expect(throws: PurchaseRefusal.otherFiles) { try await cast.buy(offer, by: cast.beats.uma) }
        try await cast.setStems(["Bass"])
        var parts = BeatParts()
        parts.sell(by: cast.sales)
        _ = try await cast.buy(offer, by: cast.beats.uma)
        let held = TrackStore(library: cast.beats.library, hold: parts.hold)
        await #expect(throws: TrackRefusal.self) { try await held.setStems([], of: cast.track.id, by: cast.beats.pia) }
    }

    @Test func `money for stems that have come to nothing goes back, and less is never delivered`() async throws {
        let cast = try await SaleCast()
        try await cast.setStems(["Drums"])
        let order = try await cast.buy(try await cast.offer(.stems, files: [.wav, .stems]), by: cast.beats.uma)
        // By a way that minds nothing.
        try await cast.house.change("DELETE FROM trackStems")
        try await cast.house.change("UPDATE trackStemChecks SET state = 'none'")
        #expect(try await cast.sales.markPaid(order.id, by: cast.beats.pia).state == .paid)
        _ = try await cast.sales.sweep()
        #expect(try await cast.sales.orders.store.order(order.id)?.state == .refunding)
        #expect(try await cast.sales.grants.grant(ofOrder: order.id) == nil)
    }

    @Test func `an MP3 of a WAV is made once, and every buyer gets the same bytes`() async throws {
        let copies = Copies()
        let cast = try await SaleCast(makeMP3: copies.make)
        #expect(try await cast.sales.masters.kinds(of: cast.track.work) == [.mp3, .wav])
        let before = try uploads(cast)
        let (small, large) = (try await cast.offer(.mp3, files: [.mp3]), try await cast.offer(files: [.mp3, .wav]))
        let first = try await paid(cast, small, by: cast.beats.uma, key: "1")
        #expect(copies.made == 1)
        async let second = paid(cast, large, by: cast.beats.rob, key: "2")
        async let third = paid(cast, small, by: cast.beats.ari, key: "3")
        let orders = [first, try await second, try await third]
        #expect(copies.made == 1 && orders.allSatisfy { $0.state == .delivered })
        let copy = Data(Array("ID3 copy 1 of ".utf8) + SaleCast.wave)
        for order in orders { #expect(try await cast.files(of: order)["Slow-rain.mp3"] == copy) }
        #expect(try await cast.files(of: first).count == 1)
        #expect(try await cast.files(of: orders[1])["Slow-rain.wav"] == Data(SaleCast.wave))
        // Whoever buys after another start gets it too, and a sweep leaves it for her.
        _ = try await cast.beats.library.sweep(at: Date().addingTimeInterval(7200))
        let later = SaleMasters(library: cast.beats.library) { _, _ in Issue.record("it is there") }
        #expect(try await later.kinds(of: cast.track.work) == [.mp3, .wav])
        #expect(try uploads(cast) == before, "nothing is left of the making")
    }

    @Test func `a copy that cannot be made keeps its order waiting`() async throws {
        struct Busy: Error {}
        let works = Atomic(false)
        let cast = try await SaleCast { master, goal in
            guard works.load(ordering: .relaxed) else { throw Busy() }
            try Data(SaleCast.wave).write(to: URL(filePath: goal))
        }
        let order = try await paid(cast, try await cast.offer(.mp3, files: [.mp3]), by: cast.beats.uma, key: "1")
        #expect(order.state == .paid)
        works.store(true, ordering: .relaxed)
        #expect(try await cast.sales.look(at: order.id).state == .delivered)
    }

    @Test func `a backup has what was bought, and a hub restored from it delivers it`() async throws {
        let cast = try await SaleCast()
        let order = try await paid(cast, try await cast.offer(), by: cast.beats.uma, key: "1")
        let (hub, tape) = (cast.house.folder.path("hub"), cast.house.folder.path("hub.tar"))
        let boards = [OrderTables.tables, Beats.tables]
        let report = try await HubBackup(folder: hub, program: "1", boards: boards).write(to: tape)
        #expect(report.keptFiles == 1 && report.missing.isEmpty)
        let goal = cast.house.folder.path("again")
        _ = try await HubRestore(file: tape, folder: goal, boards: boards).run()
        let check = try await LibraryCheck(folder: goal, boards: boards).run(readsClips: true)
        #expect(check.kept == 1 && check.missingKept.isEmpty && check.damagedKept.isEmpty)
        let library = try HubLibrary(folder: goal, reserve: ByteCount(Int64(0)), boards: boards)
        let sales = SaleDesk(library: library, links: HubLinks(publicURL: HubHousehold.publicURL))
        let grant = try #require(try await sales.grants.grant(ofOrder: order.id))
        let file = try #require(grant.says.files.first.flatMap { library.kept($0.sha256) })
        #expect(try Data(contentsOf: URL(filePath: file)) == Data(SaleCast.wave))
        #expect(try await sales.grants.verdict(on: grant.id).verdict == .valid)
        // It signs with the key that it had.
        #expect(
            try GrantKey.read("\(goal)/licence-key").publicKey == GrantKey.read("\(hub)/licence-key").publicKey)
    }

    @Test func `an export has papers, files that were bought, and stems`() async throws {
        let cast = try await SaleCast()
        try await cast.setStems(["Drums"])
        let order = try await paid(cast, try await cast.offer(), by: cast.beats.uma, key: "1")
        let grant = try #require(try await cast.sales.grants.grant(ofOrder: order.id))
        let paper = try await cast.sales.grants.paper(of: grant.id)
        let bought = "bought/\(FileDigest.sha256(of: SaleCast.wave)).wav"
        for (person, isBuyer) in [(cast.beats.uma, true), (cast.beats.pia, false)] {
            let export = try await cast.beats.library.export(of: person)
            let names = export.documents.map(\.name)
            #expect(names.contains("licences/\(grant.id).pdf") && names.contains(bought) == isBuyer)
            var (tape, bytes) = (ExportTape(export, library: cast.beats.library, at: cast.house.now), [UInt8]())
            while let piece = try await tape.next() { bytes += piece }
            #expect(bytes.firstRange(of: paper) != nil)
            func document(_ name: String) -> String {
                String(decoding: export.documents.first { $0.name == name }?.bytes ?? [], as: UTF8.self)
            }
            let (licences, beats) = (document("licences.json"), document("beats.json"))
            #expect(licences.contains(grant.document.sha256))
            #expect(beats.contains("\"name\" : \"Drums\"") == !isBuyer)
            if isBuyer { #expect(bytes.firstRange(of: SaleCast.wave) != nil) }
        }
        #expect(
            try await cast.beats.library.export(of: cast.beats.rob).documents.allSatisfy { !$0.name.hasSuffix("pdf") })
    }

    @Test func `a seller who is erased leaves what she has sold; a buyer takes the last use of the file along`()
        async throws
    {
        let cast = try await SaleCast()
        let order = try await paid(cast, try await cast.offer(), by: cast.beats.uma, key: "1")
        let files = try await cast.files(of: order)
        _ = try await cast.beats.library.accounts().delete(cast.beats.pia)
        _ = try await cast.beats.library.sweep(at: Date().addingTimeInterval(7200))
        let grant = try #require(try await cast.sales.grants.grant(ofOrder: order.id))
        #expect(grant.isInForce(at: cast.house.now) && grant.licensor == nil && grant.licensee == cast.beats.uma)
        #expect(try await cast.sales.grants.verdict(on: grant.id).verdict == .valid)
        #expect(try await cast.files(of: order) == files)
        _ = try await cast.beats.library.accounts().delete(cast.beats.uma)
        _ = try await cast.beats.library.sweep(at: Date().addingTimeInterval(7200))
        #expect(try FileManager.default.contentsOfDirectory(atPath: cast.house.folder.path("hub/sold")).isEmpty)
        #expect(try await cast.sales.grants.verdict(on: grant.id).verdict == .valid)
    }
}
