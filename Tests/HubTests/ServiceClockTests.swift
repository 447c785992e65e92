import ChirpAccounts
import ChirpCommunity
import ChirpTestKit
import Foundation
import GRDB
import HubHousehold
import Testing

/// What a hub does every minute goes by the clock that it was given.
@Suite struct ServiceClockTests {
    private static func state(of name: String, in house: HubHousehold) async throws -> HubAccount.State? {
        try await house.accounts.account(Handle(typed: name))?.state
    }

    @Test func `suspensions end and uses are written while the hub runs, without waiting for a minute`() async throws {
        let house = try HubHousehold()
        try await house.person("ann")
        try await withLiveHub(house, clock: HurriedClock()) { port in
            _ = try await curl(["http://127.0.0.1:\(port)/"])
            let end = Int(house.now.timeIntervalSince1970 + 3600) * 1000
            try await house.change("UPDATE accounts SET state = 'suspended', until = \(end) WHERE id = 'id-ann'")
            #expect(try await Self.state(of: "ann", in: house) != .active)
            house.wait(3601)
            #expect(try await until { try await Self.state(of: "ann", in: house) == .active })
            #expect(
                try await until {
                    try await UsageBook(house.library).hours(limit: 10).contains { $0.counts[.home] == 1 }
                })
        }
    }

    @Test func `what was committed moves into the file while the hub runs`() async throws {
        let house = try HubHousehold()
        // The database by itself, without its log, as somebody finds it who copies the one file.
        let (file, alone) = ("\(house.library.folder)/hub.sqlite", house.folder.path("alone.sqlite"))
        let isThere: @Sendable () throws -> Bool = {
            try? FileManager.default.removeItem(atPath: alone)
            try FileManager.default.copyItem(atPath: file, toPath: alone)
            let queue = try DatabaseQueue(path: alone)
            let sql = "SELECT COUNT(*) FROM accounts WHERE handle = 'ann'"
            return try queue.read { try Int.fetchOne($0, sql: sql) } == 1
        }
        try await withLiveHub(house, clock: HurriedClock()) { _ in
            try await house.person("ann")
            // A file that is written while it is copied may not be readable.
            let isMoved = await until { (try? isThere()) == true }
            #expect(isMoved)
        }
    }

    @Test func `parts of the index of words are brought together while the hub runs`() async throws {
        let house = try HubHousehold()
        // Each is a part of its own.
        for number in 1...20 {
            try await house.change("INSERT INTO itemWords (rowid, title) VALUES (\(number), 'lantern')")
        }
        let file = "\(house.library.folder)/hub.sqlite"
        let parts: @Sendable () throws -> Int = {
            let queue = try DatabaseQueue(path: file)
            let sql = "SELECT COUNT(DISTINCT segid) FROM itemWords_idx"
            return try queue.read { try Int.fetchOne($0, sql: sql) } ?? 0
        }
        #expect(try parts() == 20)
        try await withLiveHub(house, clock: HurriedClock()) { _ in
            let areFew = await until { (try? parts()).map { $0 < 8 } == true }
            #expect(areFew)
        }
    }
}
