import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import Foundation
import GRDB
import HubHousehold
import Testing

/// What the board keeps of people: all of it is in an export, and nothing stays (boards.md 5.1.13).
@Suite struct BeatColumnTests {
    private func filled() async throws -> (cast: BeatCast, track: HubID) {
        let cast = try await BeatCast()
        let id = try await cast.offer("zinnober beat", by: cast.pia, facts: BeatCast.facts(93)) {
            $0.text = "zinnober words"
            $0.versionName = "zinnober version"
            $0.tags = ["zinnober"]
        }
        try await cast.offer("Another", by: cast.rob)
        return (cast, id)
    }

    @Test func `all that the board has of somebody is in her export`() async throws {
        let (cast, id) = try await filled()
        let export = try await cast.library.export(of: cast.pia)
        let documents = Dictionary(
            uniqueKeysWithValues: export.documents.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) })
        let beats = try #require(documents["beats.json"])
        for text in ["\"role\" : \"producer\"", "zinnober version", id.text, "\"tempo\" : 93", "\"works\""] {
            #expect(beats.contains(text), "\(text): \(beats)")
        }
        #expect(documents["items.json"]?.contains("zinnober words") == true)
        let master = try #require(try await cast.track(id, for: .member(cast.pia)).master)
        #expect(export.films == [master], "what she has sent is a file of the archive")
    }

    @Test func `an erasure leaves nothing of her, and what others offer`() async throws {
        let (cast, _) = try await filled()
        #expect(try await cast.house.traces(of: ["zinnober", "id-pia"]).count > 5)
        _ = try await cast.library.accounts().delete(cast.pia)
        #expect(try await cast.house.traces(of: ["zinnober", "id-pia"]).isEmpty)
        let (broken, left) = try await cast.library.reading { database in
            (
                try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").count,
                try Int.fetchOne(
                    database, sql: "SELECT (SELECT COUNT(*) FROM tracks) * 10 + (SELECT COUNT(*) FROM works)")
            )
        }
        #expect(broken == 0 && left == 11)
    }

    @Test func `a preview stays as long as its track, and what nothing uses is swept`() async throws {
        let cast = try await BeatCast()
        let used = try await cast.offer("Stays", by: cast.pia) { $0.appears = false }
        let unused = try await cast.master(of: cast.pia)
        for _ in 0..<2 {
            cast.house.wait(8 * 24 * 3600)
            _ = try await cast.library.sweep(at: cast.house.now)
        }
        #expect(try await cast.track(used, for: .member(cast.pia)).item.clip != nil)
        #expect(try await cast.library.film(unused) == nil)
        let clips = try await cast.library.reading { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM clips") }
        #expect(clips == 1)
        let compared = try await cast.library.reading {
            try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM trackComparisons")
        }
        #expect(compared == 0)
    }
}
