import Foundation
import Testing

@Suite struct BenchTests {
    @Test func `bench encode times clips beside the encoder alone and leaves nothing behind`() async throws {
        let home = try Household()
        let outcome = try await home.run("bench", "encode", "--seconds", "1", "--rounds", "1", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let rows = try #require(try outcome.json()["rows"] as? [[String: Any]])
        #expect(rows.count >= 2)
        #expect(rows.first?["name"] as? String == "LAME alone")
        #expect(rows.first?["ratio"] as? Double == 1)
        #expect(rows.allSatisfy { ($0["wallSeconds"] as? Double ?? 0) > 0 && $0["seconds"] as? Double == 1 })
        #expect(home.files(in: "tmp").isEmpty)
    }

    @Test func `bench refuses what it cannot do`() async throws {
        let home = try Household()
        #expect(try await home.run("bench", "encode", "--rounds", "0").status == 64)
        #expect(try await home.run("bench", "encode", "--seconds", "-1").status == 64)
    }
}
