import ChirpCommunity
import ChirpHub
import ChirpTestKit
import GRDB
import HubHousehold
import Testing

/// What the shop does every hour beside its errand.
struct PrintSweepTests {
    @Test func `whoever serves a library takes out keys of tracks that went`() async throws {
        let house = try HubHousehold(boards: Boards.tables)
        try await house.change("INSERT INTO trackPrintKeys (key, print) VALUES (1, 7), (2, 7), (2, 8)")
        try await house.change("INSERT INTO trackPrintsErased (print) VALUES (7)")
        try await withLiveHub(house) { _ in
            let isDone = try await until {
                try await house.library.reading {
                    try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM trackPrintsErased") == 0
                }
            }
            #expect(isDone)
        }
        let left = try await house.library.reading {
            try Row.fetchAll($0, sql: "SELECT key, print FROM trackPrintKeys").map { [$0[0], $0[1]] as [Int64] }
        }
        #expect(left == [[2, 8]])
    }
}
