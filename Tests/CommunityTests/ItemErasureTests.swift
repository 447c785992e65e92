import ChirpAccounts
import ChirpCommunity
import ChirpDatabase
import ChirpPlaces
import ChirpTestKit
import Foundation
import GRDB
import HubHousehold
import Testing

/// What is exported, and that nothing is left of somebody who has gone (boards.md 5.1.13); backups of it.
@Suite(.tags(.computing)) struct ItemErasureTests {
    /// A board that keeps something beside.
    private static let shelf = BoardTables(
        name: "attic",
        steps: [
            SchemaStep(
                "attic-001",
                """
                CREATE TABLE shelves (
                    item TEXT PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
                    note TEXT NOT NULL
                ) STRICT;
                """)
        ],
        personal: { person, database in
            let notes = try String.fetchAll(
                database, sql: "SELECT note FROM shelves JOIN items ON items.id = shelves.item WHERE account = ?",
                arguments: [person])
            return [try PersonalExport.document("shelves.json", notes)]
        })

    private func filled() async throws -> (ItemWorld, HubID) {
        let world = try await ItemWorld(boards: [Self.shelf])
        let draft = world.draft("Xylophone of Ann", at: (50.7, 7.1), text: "quixotic")
        let id = try await world.library.transact { database in
            let id = try Items.create(draft, by: world.library, in: database)
            try database.execute(
                sql: "INSERT INTO shelves (item, note) VALUES (?, ?)", arguments: [id.text, "third shelf"])
            return id
        }
        try await world.library.mark(id, .save, isOn: true, by: world.bob)
        let other = try await world.list("Bob's", by: world.bob, at: (50.7, 7.1))
        try await world.library.mark(other, .up, isOn: true, by: world.ann)
        try await world.library.transact { try Items.letSeePlace(of: other, world.ann, at: 1, in: $0) }
        return (world, id)
    }

    @Test func `everything of hers is in the export`() async throws {
        let (world, id) = try await filled()
        let export = try await world.library.export(of: world.ann)
        func text(_ name: String) throws -> String {
            String(decoding: try #require(export.documents.first { $0.name == name }).bytes, as: UTF8.self)
        }
        #expect(try text("items.json").contains(id.text) && text("items.json").contains("quixotic"))
        #expect(try text("items.json").contains("50.7") && !text("items.json").contains("Bob's"))
        #expect(try text("item-marks.json").contains("up") && !text("item-marks.json").contains("save"))
        #expect(try text("shelves.json").contains("third shelf"))
    }

    @Test func `an erased account leaves nothing behind in any table or index`() async throws {
        let (world, id) = try await filled()
        try await world.house.change("DELETE FROM accounts WHERE handle = 'ann'")
        try await world.checkIndexes()
        #expect(try await world.reader().item(id, board: ItemWorld.board) == nil)
        #expect(try await world.titles(world.query("xylophone")) == [])
        #expect(try await world.titles(world.query()) == ["Bob's"])
        try await world.library.reading { database in
            let tables = try String.fetchAll(
                database, sql: "SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main'")
            for table in tables {
                for row in try Row.fetchAll(database, sql: "SELECT * FROM \"\(table)\"") {
                    let text = row.databaseValues.map { "\($0)" }.joined(separator: "|")
                    #expect(!text.contains(world.ann.rawValue) && !text.contains(id.text), "\(table): \(text)")
                }
            }
            #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM itemPoints") == 1)
            #expect(try Int.fetchOne(database, sql: "SELECT SUM(n) FROM itemCells WHERE grid = 8") == 1)
        }
    }

    @Test func `a backup has the items and what they are found by, with the tables of boards`() async throws {
        let (world, id) = try await filled()
        let (file, copy) = (world.house.folder.path("hub.tar"), world.house.folder.path("copy/hub"))
        _ = try await HubBackup(folder: world.house.folder.path("hub"), program: "1").write(to: file)
        await #expect(throws: BackupError.self) { _ = try await HubRestore(file: file, folder: copy).run() }
        _ = try await HubRestore(file: file, folder: copy, boards: [Self.shelf]).run()
        let library = try HubLibrary(folder: copy, boards: [Self.shelf])
        let found = try await library.seen(by: .visitor).items(world.query("xylophone"))
        #expect(found.items.map(\.id) == [id])
        let report = try await LibraryCheck(folder: copy, boards: [Self.shelf]).run(readsClips: true)
        #expect(report.tables == .current && report.complaints.isEmpty)
        #expect(try await LibraryCheck(folder: copy).run(readsClips: false).tables == .newer)
    }

    @Test func `who has a library of boards and does not know them leaves it alone`() async throws {
        let (world, _) = try await filled()
        #expect(throws: LibraryError.self) { try HubLibrary(folder: world.house.folder.path("hub")) }
    }
}
