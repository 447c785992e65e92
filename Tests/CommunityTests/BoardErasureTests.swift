import ChirpAccounts
import ChirpCommunity
import ChirpDatabase
import Foundation
import GRDB
import HubHousehold
import Testing

/// A board that keeps what follows from several people's rows.
@Suite struct BoardErasureTests {
    /// The longest name of all that people have written.
    private static let longest = BoardTables(
        name: "attic",
        steps: [
            SchemaStep(
                "attic-001",
                """
                CREATE TABLE names (
                    account TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
                    name    TEXT NOT NULL
                ) STRICT;
                CREATE TABLE longest (name TEXT NOT NULL) STRICT;
                """)
        ],
        erase: { person, database in
            // Her row is still there.
            let name = try String.fetchOne(
                database, sql: "SELECT name FROM names WHERE account = ?", arguments: [person])
            if name == "stays" { throw DatabaseError(resultCode: .SQLITE_CONSTRAINT, message: "it stays") }
            try database.execute(
                sql: """
                    UPDATE longest SET name = (
                        SELECT name FROM names WHERE account <> ? ORDER BY length(name) DESC LIMIT 1)
                    """, arguments: [person])
        })

    private func world() async throws -> ItemWorld {
        let world = try await ItemWorld(boards: [Self.longest])
        try await world.house.change(
            """
            INSERT INTO names (account, name) VALUES ('id-ann', 'the longest'), ('id-bob', 'shorter');
            INSERT INTO longest (name) VALUES ('the longest');
            """)
        return world
    }

    private func names(_ world: ItemWorld) async throws -> [String] {
        try await world.library.reading { database in
            try String.fetchAll(database, sql: "SELECT name FROM longest")
                + String.fetchAll(database, sql: "SELECT name FROM names ORDER BY account")
        }
    }

    @Test func `it is made anew before somebody's rows go`() async throws {
        let world = try await world()
        _ = try await world.library.accounts().delete(world.ann)
        #expect(try await names(world) == ["shorter", "shorter"])
    }

    @Test func `it is made anew in the same transaction, or nobody is erased`() async throws {
        let world = try await world()
        try await world.house.change("UPDATE names SET name = 'stays' WHERE account = 'id-ann'")
        await #expect(throws: (any Error).self) { try await world.library.accounts().delete(world.ann) }
        #expect(try await names(world) == ["the longest", "stays", "shorter"])
        #expect(try await world.library.author(world.ann) != nil)
    }
}
