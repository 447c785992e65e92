import ChirpAccounts
import ChirpBeats
import ChirpBoards
import ChirpCommunity
import ChirpDatabase
import ChirpMusic
import ChirpOrders
import Foundation
import GRDB
import HubHousehold
import Testing

/// New prints are known at once, and stay known while their keys are merged (boards.md 5.1.1, AR-8).
struct PrintMergeTests {
    let cast: BeatCast

    init() async throws { cast = try await BeatCast() }

    /// So little at once that a pass over three short recordings takes some ten steps.
    private static var limits: PrintMerge.Limits {
        var limits = PrintMerge.Limits()
        (limits.gathered, limits.passed, limits.added, limits.removed) = (1, 20, 8, 1)
        return limits
    }

    private func offerThree() async throws -> [HubID] {
        var ids: [HubID] = []
        for seed in 1...3 {
            let facts = try TwinTests.facts(seed: UInt64(seed))
            ids.append(try await cast.offer("Beat \(seed)", by: cast.pia, facts: facts))
        }
        return ids
    }

    private func count(_ table: String) async throws -> Int {
        try await cast.library.reading { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM \(table)") ?? 0 }
    }

    private func isWhole(_ database: Database) throws -> Bool {
        try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok"
            && Row.fetchOne(database, sql: "PRAGMA foreign_key_check") == nil
    }

    /// What the table has to have when all is merged: the keys of the prints that tracks have.
    private func expectMerged() async throws {
        let (rows, wanted) = try await cast.library.reading { database in
            let tracks = try Row.fetchAll(
                database,
                sql: "SELECT number, tracks.print FROM trackPrints JOIN tracks ON tracks.item = trackPrints.item")
            let wanted = tracks.flatMap { row in
                (RecordingPrint(bytes: Array(row[1] as Data))?.keys ?? []).map { [Int64($0), row[0] as Int64] }
            }
            let rows = try Row.fetchAll(database, sql: "SELECT key, print FROM trackPrintKeys")
            return (rows.map { [$0[0] as Int64, $0[1] as Int64] }, wanted)
        }
        #expect(!wanted.isEmpty && rows.count == wanted.count && Set(rows) == Set(wanted))
        #expect(try await count("trackPrintsGathered") == 0)
        #expect(try await count("trackPrintsErased") == 0)
        #expect(try await cast.library.reading { try isWhole($0) })
    }

    @Test func `a recording is known again before, within and after a merge, wherever that is broken off`() async throws
    {
        _ = try await offerThree()
        let copy = try await cast.made("Copy", by: cast.rob, try TwinTests.facts(seed: 2, noise: 0.02))
        let same = try await cast.tracks.findings(in: copy.master)?.same
        #expect(same?.count == 1)
        var steps = 0, isDone = false
        while !isDone {
            // The process before this one died after so many steps.
            let house = try HubHousehold(sharing: cast.house, boards: [OrderTables.tables, Beats.tables])
            let tracks = TrackStore(library: house.library)
            var merge = try await PrintMerge(house.library, limits: Self.limits)
            for _ in 0..<steps where !isDone {
                isDone = try await merge?.step() != true
                #expect(try await tracks.findings(in: copy.master)?.same == same, "after \(steps) steps")
            }
            steps += 1
        }
        #expect(steps > 8)
        try await expectMerged()
        #expect(try await PrintMerge(cast.library, limits: Self.limits) == nil, "there is nothing left to do")
    }

    @Test func `two of the same minute know each other, and one that was merged`() async throws {
        _ = try await offerThree()
        try await cast.tracks.mergePrints(.unresting, limits: Self.limits)
        try await cast.roles.choose([.producer], for: cast.uma)
        cast.house.wait(60)
        let early = try await cast.offer("Early", by: cast.rob, facts: try TwinTests.facts(seed: 3, noise: 0.01))
        let late = try await cast.offer("Late", by: cast.uma, facts: try TwinTests.facts(seed: 3, noise: 0.02))
        #expect(try await count("trackPrintsGathered") == 2)
        let track = try await cast.track(late, for: .member(cast.uma))
        #expect(try await cast.tracks.twins(of: track, for: .member(cast.uma)).count == 2)
        let other = try await cast.track(early, for: .member(cast.rob))
        #expect(try await cast.tracks.twins(of: other, for: .member(cast.rob)).map(\.isEarlier) == [true, false])
    }

    @Test(arguments: [0, 1, 3, 7, 1000])
    func `of an erased track nothing stays, merged or not`(steps: Int) async throws {
        let ids = try await offerThree()
        let copy = try await cast.made("Copy", by: cast.rob, try TwinTests.facts(seed: 2, noise: 0.02))
        var merge = try await PrintMerge(cast.library, limits: Self.limits)
        for _ in 0..<steps { guard try await merge?.step() == true else { break } }
        try await cast.library.transact { database in
            try database.execute(sql: "DELETE FROM items WHERE id = ?", arguments: [ids[1].text])
        }
        let left = try await cast.library.reading { database in
            try Int.fetchOne(
                database,
                sql: "SELECT COUNT(*) FROM trackPrintsGathered WHERE print NOT IN (SELECT number FROM trackPrints)")
        }
        #expect(left == 0)
        #expect(try await cast.tracks.findings(in: copy.master)?.same == [])
        // The pass that was on its way goes on, and adds nothing of it.
        while try await merge?.step() == true {}
        try await cast.tracks.mergePrints(.unresting, limits: Self.limits)
        try await expectMerged()
        #expect(try await cast.tracks.findings(in: copy.master)?.same == [])
    }

    @Test func `little is done at once, and nothing before enough is gathered`() async throws {
        _ = try await offerThree()
        var limits = Self.limits
        limits.gathered = 4
        #expect(try await PrintMerge(cast.library, limits: limits) == nil)
        try await cast.tracks.mergePrints(.unresting, limits: limits)
        #expect(try await count("trackPrintKeys") == 0)
        limits.gathered = 3
        var merge = try await PrintMerge(cast.library, limits: limits)
        var (keys, rows) = (0, 3)
        while try await merge?.step() == true {
            let now = (try await count("trackPrintKeys"), try await count("trackPrintsGathered"))
            #expect(now.0 - keys <= limits.added && rows - now.1 <= limits.removed)
            #expect(now.0 == keys || now.1 == rows, "rows go when all keys are there")
            (keys, rows) = now
        }
        try await expectMerged()
    }

    @Test func `a library of an earlier release keeps its keys, and loses those of what goes`() async throws {
        let earlier = BoardTables(
            name: Beats.tables.name,
            steps: Beats.tables.steps.filter { !["beats-print-002", "beats-print-003"].contains($0.name) },
            notices: Beats.tables.notices)
        let before = try HubHousehold(boards: [OrderTables.tables, earlier])
        var configuration = Configuration()
        // Two prints without their tracks suffice here.
        configuration.foreignKeysEnabled = false
        let old = try DatabaseQueue(path: "\(before.library.folder)/hub.sqlite", configuration: configuration)
        let keys = [[10, 7], [10, 8], [4_000_000_000, 7]] as [[Int64]]
        try await old.write { database in
            try database.execute(sql: "INSERT INTO trackPrints (number, item) VALUES (7, 'a'), (8, 'b')")
            for key in keys {
                try database.execute(
                    sql: "INSERT INTO trackPrintKeys (key, print) VALUES (?, ?)", arguments: [key[0], key[1]])
            }
        }
        let house = try HubHousehold(sharing: before, boards: [OrderTables.tables, Beats.tables])
        func kept() async throws -> [[Int64]] {
            try await house.library.reading {
                try Row.fetchAll($0, sql: "SELECT key, print FROM trackPrintKeys").map { [$0[0], $0[1]] }
            }
        }
        #expect(try await kept() == keys)
        try await house.library.transact { database in
            #expect(try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok")
            try database.execute(sql: "DELETE FROM trackPrints WHERE number = 7")
        }
        try await TrackStore(library: house.library).mergePrints(.unresting)
        #expect(try await kept() == [[10, 8]])
    }
}
