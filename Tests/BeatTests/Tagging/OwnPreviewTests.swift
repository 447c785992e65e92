import ChirpAccounts
import ChirpBeats
import ChirpBoards
import ChirpCommunity
import ChirpFiles
import ChirpMusic
import ChirpWeb
import Foundation
import GRDB
import HubHousehold
import Testing

/// Previews that tell whose they are: how they are asked for, made, kept and forgotten (boards.md 3.1, idea 2).
@Suite struct OwnPreviewTests {
    let cast: TaggingCast
    private var beats: BeatCast { cast.beats }
    private var store: TrackStore { cast.store }

    init() async throws { cast = try await TaggingCast() }

    private func names() throws -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: "\(beats.library.folder)/own-previews").sorted()) ?? []
    }

    @Test func `nobody gets one of her own until the author wishes for that`() async throws {
        #expect(try await store.tag(of: cast.track) == nil)
        #expect(try await store.ownPreview(of: cast.track, for: beats.uma) == .none)
        try await store.askForOwnPreview(of: cast.track, for: beats.uma)
        try await store.setTag(true, of: cast.track, by: beats.pia)
        #expect(try await store.tag(of: cast.track)?.isHeard == false, "where the voice may be is not known")
        #expect(try await store.ownPreview(of: cast.track, for: beats.uma) == .none)
        #expect(try await store.prepareNextTag(by: cast.tagging))
        #expect(try await !store.prepareNextTag(by: cast.tagging), "once")
        #expect(try await store.tag(of: cast.track)?.isHeard == true)
        #expect(try await store.ownPreview(of: cast.track, for: beats.uma) == .unmade)
        await #expect(throws: TrackRefusal.item(.notFound)) {
            try await store.setTag(false, of: cast.track, by: beats.rob)
        }
    }

    @Test func `two listeners get two patterns, which are written down before anything is made`() async throws {
        try await cast.begin()
        try await store.askForOwnPreview(of: cast.track, for: beats.uma)
        #expect(try await store.ownPreview(of: cast.track, for: beats.uma) == .coming)
        let rows = try await beats.library.reading { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM trackListeners") }
        #expect(rows == 1 && cast.script.orders.isEmpty)
        #expect(try await store.makeNextOwnPreview(by: cast.tagging))
        try await cast.make(for: beats.ari)
        #expect(try await !store.makeNextOwnPreview(by: cast.tagging), "nothing is left to do")
        let (hers, his) = (try await cast.file(of: beats.uma), try await cast.file(of: beats.ari))
        #expect(hers.sha256 != his.sha256 && hers.path != his.path)
        #expect(try await store.tag(of: cast.track)?.listeners == 2)
        let order = try #require(cast.script.orders.first)
        #expect(order.title == "Slow rain" && order.person == "Pia" && order.voice == Array("Pia".utf8))
        #expect(order.places != TaggingCast.common.places && order.places.count == TaggingCast.slots.beats.count)
        #expect(
            order.master
                == beats.library.master(try #require(try await beats.track(cast.track, for: .member(beats.pia)).master))
        )
    }

    @Test func `a copy names its listener, the common one nobody, and another recording no track`() async throws {
        try await cast.begin()
        try await cast.make(for: beats.uma)
        try await cast.make(for: beats.ari)
        func uploads() throws -> Set<String> {
            Set(try FileManager.default.contentsOfDirectory(atPath: "\(beats.library.folder)/uploads"))
        }
        let before = try uploads()
        let copy = try Data(contentsOf: URL(filePath: try await cast.file(of: beats.ari).path))
        let found = try await store.owner(
            ofCopy: SentFile(Array(copy)), of: cast.track, by: beats.pia, tagging: cast.tagging)
        guard case .listener(let person) = found.owner else {
            Issue.record("\(found)")
            return
        }
        #expect(person.id == beats.ari && found.part == 40...70 && found.heard == found.agreeing && found.heard > 1)
        #expect(found.confidence >= 0.99)
        #expect(try await cast.owner(of: TaggingCast.file(TaggingCast.common.places)) == .everybody)
        #expect(try await cast.owner(of: TaggingCast.file(TagPlan(TaggingCast.slots, seed: 77).places)) == .unknown)
        #expect(try await cast.owner(of: TaggingCast.file([])) == .otherTrack)
        await #expect(throws: ListenerTagging.Failure.refused("it is no sound")) { try await cast.owner(of: Data([1])) }
        await #expect(throws: TrackRefusal.item(.notFound)) {
            try await store.owner(ofCopy: SentFile([1]), of: cast.track, by: beats.uma, tagging: cast.tagging)
        }
        // What was sent is kept nowhere.
        #expect(try uploads() == before)
    }

    @Test func `whose copy it is is known after it was switched off, and nobody gets one then`() async throws {
        try await cast.begin()
        try await cast.make(for: beats.uma)
        let copy = try Data(contentsOf: URL(filePath: try await cast.file(of: beats.uma).path))
        try await store.askForOwnPreview(of: cast.track, for: beats.ari)
        try await store.setTag(false, of: cast.track, by: beats.pia)
        #expect(try await store.ownPreview(of: cast.track, for: beats.uma) == .none)
        #expect(try await !store.makeNextOwnPreview(by: cast.tagging))
        guard case .listener = try await cast.owner(of: copy) else {
            Issue.record("nobody is named")
            return
        }
        try await store.setTag(true, of: cast.track, by: beats.pia)
        #expect(try await !store.prepareNextTag(by: cast.tagging), "what was found holds")
        #expect(try await cast.file(of: beats.uma).sha256 == FileDigest.sha256(of: Array(copy)))
    }

    @Test func `a listener who was erased is named no more, and her export held what there was`() async throws {
        try await cast.begin()
        try await cast.make(for: beats.uma)
        let copy = try Data(contentsOf: URL(filePath: try await cast.file(of: beats.uma).path))
        let export = try await beats.library.export(of: beats.uma)
        let document = export.documents.first { $0.name == "beats.json" }.map {
            String(decoding: $0.bytes, as: UTF8.self)
        }
        #expect(document?.contains(cast.track.text) == true && document?.contains("\"ownPreviews\"") == true)
        let author = try await beats.library.export(of: beats.pia).documents.first { $0.name == "beats.json" }
        #expect(author.map { String(decoding: $0.bytes, as: UTF8.self) }?.contains("\"isOn\" : true") == true)
        _ = try await beats.library.accounts().delete(beats.uma)
        #expect(try await cast.owner(of: copy) == .unknown)
        #expect(try await beats.house.traces(of: ["id-uma"]).isEmpty)
        beats.house.wait(2 * 24 * 3600)
        try await store.sweepOwnPreviews()
        #expect(try names().isEmpty)
    }

    @Test func `those that were fetched longest ago make room, and are made again to the same bytes`() async throws {
        try await cast.begin()
        for account in [beats.uma, beats.ari] {
            try await cast.make(for: account)
            beats.house.wait(2 * 3600)
        }
        let first = try await cast.file(of: beats.uma)
        let size = Int64(try Data(contentsOf: URL(filePath: first.path)).count)
        try await cast.make(for: beats.rob, most: size * 5 / 2)
        // Hers was fetched since his was, so his goes.
        #expect(try await store.ownPreview(of: cast.track, for: beats.ari) == .unmade)
        #expect(try await cast.file(of: beats.uma).sha256 == first.sha256 && names().count == 2)
        let (before, orders) = (cast.script.orders[1], cast.script.orders.count)
        try await cast.make(for: beats.ari)
        #expect(cast.script.orders.count == orders + 1 && cast.script.orders.last == before)
        // A backup has rows and no files.
        try FileManager.default.removeItem(atPath: first.path)
        try await store.loseOwnPreview(of: cast.track, for: beats.uma)
        try await cast.make(for: beats.uma)
        #expect(try await cast.file(of: beats.uma).sha256 == first.sha256)
    }

    @Test func `who dies leaves it to the next one, and what kills three is given up`() async throws {
        try await store.setTag(true, of: cast.track, by: beats.pia)
        cast.script.fail(.notNow("full"), .died)
        for _ in 0..<2 { #expect(try await !store.prepareNextTag(by: cast.tagging)) }
        #expect(try await store.prepareNextTag(by: cast.tagging))
        try await store.askForOwnPreview(of: cast.track, for: beats.uma)
        cast.script.fail(.died)
        #expect(try await !store.makeNextOwnPreview(by: cast.tagging))
        #expect(try await store.ownPreview(of: cast.track, for: beats.uma) == .coming, "nothing half is there")
        #expect(try await store.makeNextOwnPreview(by: cast.tagging))
        _ = try await cast.file(of: beats.uma)
        try await store.askForOwnPreview(of: cast.track, for: beats.ari)
        cast.script.fail(.died, .died, .died)
        for _ in 0..<3 { #expect(try await !store.makeNextOwnPreview(by: cast.tagging)) }
        #expect(try await store.makeNextOwnPreview(by: cast.tagging), "it is given up")
        #expect(try await !store.makeNextOwnPreview(by: cast.tagging))
        #expect(try await store.ownPreview(of: cast.track, for: beats.ari) == .coming)
    }

    @Test func `a track that no voice fits says why, and is tried again when its author wishes`() async throws {
        try await store.setTag(true, of: cast.track, by: beats.pia)
        cast.script.fail(.refused("it is too short for a voice"))
        #expect(try await store.prepareNextTag(by: cast.tagging))
        let tag = try #require(try await store.tag(of: cast.track))
        #expect(tag.state == .failed && tag.why == "it is too short for a voice" && !tag.isHeard)
        await #expect(throws: TrackRefusal.notReady) { try await cast.owner(of: Data([1])) }
        try await store.setTag(true, of: cast.track, by: beats.pia)
        #expect(try await store.prepareNextTag(by: cast.tagging))
        #expect(try await store.tag(of: cast.track)?.isHeard == true)
    }

    @Test func `no more are made than may be made now`() async throws {
        try await cast.begin()
        #expect(try await !store.makeNextOwnPreview(by: cast.tagging) { throw Unexpected() }, "nobody asks for none")
        try await store.askForOwnPreview(of: cast.track, for: beats.uma)
        #expect(try await !store.makeNextOwnPreview(by: cast.tagging) { false })
        #expect(try await store.makeNextOwnPreview(by: cast.tagging) { true })
    }
}
