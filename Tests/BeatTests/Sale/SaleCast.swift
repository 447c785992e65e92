import ChirpAccounts
import ChirpBeats
import ChirpBoards
import ChirpCommunity
import ChirpCore
import ChirpMusic
import ChirpOrders
import Foundation
import GRDB
import HubHousehold
import Testing

/// Pia sells a WAV of hers by hand; Rob, Ari and Uma buy.
struct SaleCast {
    let beats: BeatCast
    let sales: SaleDesk
    /// Of Pia's, in the shop.
    let track: Track
    static let wave = Array("RIFF\u{24}\0\0\0WAVEfmt a beat of Pia's".utf8)

    var house: HubHousehold { beats.house }

    init(makeMP3: SaleMasters.MakeMP3? = nil) async throws {
        beats = try await BeatCast()
        sales = SaleDesk(library: beats.library, links: HubLinks(publicURL: HubHousehold.publicURL), makeMP3: makeMP3)
        let id = try await beats.offer("Slow @rain", by: beats.pia)
        let master = try #require(try await beats.track(id, for: .member(beats.pia)).master)
        try Data(Self.wave).write(to: URL(filePath: beats.library.master(master)))
        _ = try await beats.tracks.settleMade()
        track = try await beats.track(id, for: .member(beats.uma))
    }

    func offer(
        _ template: LicenceTemplate = .wav, at price: LicencePrice = .amount(LicenceAmount(2990, "EUR", decimals: 2)),
        instead old: HubID? = nil, files: [LicenceTerms.File] = [.wav]
    ) async throws -> LicenceOffer {
        let text = try await sales.texts.template(template, in: .english)
        var terms = template.terms(at: price)
        terms = LicenceTerms(kind: terms.kind, files: files, limits: terms.limits, price: price)
        return try await sales.offers.offer(
            OfferDraft(name: template.name(in: .english), text: text.id, terms: terms), of: track.work, instead: old,
            files: try await sales.masters.kinds(of: track.work), by: beats.pia)
    }

    func buy(
        _ offer: LicenceOffer, by buyer: AccountID, named name: String = "Uma Jones", key: String = "form-1"
    ) async throws -> Order {
        try await sales.buy(
            offer, of: track, by: buyer, named: name, seen: try await sales.earlier(track.work).digest, key: key)
    }

    /// Sends stems of the track, which make up its mix or not.
    func setStems(_ names: [String], residual: Double = -60) async throws {
        var stems: [(film: HubID, name: String)] = []
        for name in names {
            let film = try await beats.master(of: beats.pia)
            try Data(Self.wave + Array(name.utf8)).write(to: URL(filePath: beats.library.master(film)))
            stems.append((film, name))
        }
        try await beats.tracks.setStems(stems, of: track.id, by: beats.pia)
        let found = StemFindings(residual: residual, faults: [])
        if !names.isEmpty {
            #expect(
                try await beats.tracks.checkNextStems { (_, _) async throws(TrackMaking.Failure) in found })
        }
    }

    /// What was delivered: names, and what each file holds.
    func files(of order: Order) async throws -> [String: Data] {
        let grant = try #require(try await sales.grants.grant(ofOrder: order.id))
        var found: [String: Data] = [:]
        for file in grant.says.files {
            let path = try #require(beats.library.kept(file.sha256))
            found[file.name] = try Data(contentsOf: URL(filePath: path))
        }
        return found
    }

    /// What was written to somebody in messages, the newest first.
    func letters(to person: AccountID) async throws -> [String] {
        let reader = beats.library.seen(by: .member(person))
        return try await reader.posts(at: try await reader.threads().flatMap(\.posts)).map(\.text)
    }
}
