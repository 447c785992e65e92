import ChirpAccounts
import ChirpCommunity
import Foundation
import GRDB
import HubHousehold
import Testing

/// A search of all tables by somebody's account, before and after it is erased (boards.md 5.1.13).
@Suite struct RecordTests {
    /// Tables that a virtual one keeps its index in; what is in it is made from the table that it is about.
    private static func isShadow(_ table: String) -> Bool {
        table.hasPrefix("itemWords") || table.hasPrefix("itemPoints") || table.hasPrefix("sqlite_")
    }

    /// The columns by which rows lead to accounts: those that refer to one, and where a table has none those that refer to a row that does
    /// and goes with it.
    private static func leading(in database: Database) throws -> Set<String> {
        let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
            .filter { !isShadow($0) }
        var found: Set<String> = []
        var reached: Set<String> = ["accounts"]
        var next = try references(of: tables, to: reached, in: database).filter { $0.parent == "accounts" }
        while !next.isEmpty {
            found.formUnion(next.map { "\($0.table).\($0.column)" })
            reached.formUnion(next.map(\.table))
            next = try references(of: tables.filter { !reached.contains($0) }, to: reached, in: database)
                .filter { $0.onDelete == "CASCADE" }
        }
        return found
    }

    private struct Reference { let table, column, parent, onDelete: String }

    private static func references(
        of tables: [String], to parents: Set<String>, in database: Database
    ) throws -> [Reference] {
        try tables.flatMap { table in
            try Row.fetchAll(database, sql: "SELECT * FROM pragma_foreign_key_list(?)", arguments: [table]).map { row in
                Reference(table: table, column: row["from"], parent: row["table"], onDelete: row["on_delete"])
            }
        }.filter { parents.contains($0.parent) }
    }

    /// The columns that hold an account's id and nothing else, whether or not they refer to it.
    private static func holding(_ account: AccountID, in database: Database) throws -> Set<String> {
        var found: Set<String> = []
        for table in try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'") {
            for column in try database.columns(in: table).map(\.name) {
                let hit = try Bool.fetchOne(
                    database, sql: "SELECT 1 FROM \"\(table)\" WHERE CAST(\"\(column)\" AS TEXT) = ? LIMIT 1",
                    arguments: [account])
                if hit == true { found.insert("\(table).\(column)") }
            }
        }
        return found
    }

    @Test func `every column that leads to an account is in her export, or is left out for a reason`() async throws {
        let world = try await RecordWorld()
        let (leading, holding) = try await world.house.library.reading { database in
            (try Self.leading(in: database), try Self.holding(world.her, in: database))
        }
        let named = Set(RecordWorld.fates.keys)
        let unnamed = leading.union(holding).subtracting(named)
        #expect(unnamed.isEmpty, "say where an export has them, or why not: \(unnamed.sorted())")
        let unknown = named.subtracting(leading.union(holding))
        #expect(unknown.isEmpty, "no such columns: \(unknown.sorted())")
        // What follows looks at rows: there are some in all of these tables.
        let empty = try await world.house.library.reading { database in
            try named.compactMap { $0.split(separator: ".").first.map(String.init) }.filter { table in
                try Bool.fetchOne(database, sql: "SELECT NOT EXISTS (SELECT 1 FROM \"\(table)\")") == true
            }
        }
        #expect(empty.isEmpty, "no row of hers: \(empty)")
    }

    @Test func `an export holds what its tables say, none of her secrets, and no words of others`() async throws {
        let world = try await RecordWorld()
        let export = try await world.house.library.export(of: world.her)
        let documents = Dictionary(
            uniqueKeysWithValues: export.documents.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) })
        for (column, fate) in RecordWorld.fates {
            guard case .held(let document, let text) = fate else { continue }
            #expect(documents[document]?.contains(text) == true, "\(column): \(documents[document] ?? "no document")")
        }
        for (name, text) in documents {
            for word in [RecordWorld.secret, "Bob answers", "Bob reports", "Bob defends", "Eve reports", "said it"] {
                #expect(!text.contains(word), "\(name): \(word)")
            }
        }
        // Who has reported and who has decided is not told.
        #expect(documents["cases.json"]?.contains("eve") == false && documents["cases.json"]?.contains("bob") == false)
        #expect(documents["reports.json"]?.contains("\"what\" : \"bob\"") == true)
        #expect(documents.count == export.documents.count)
    }

    @Test func `an erasure leaves no word and no name of hers, and others' words stay`() async throws {
        let world = try await RecordWorld()
        let house = world.house
        let before = try await house.traces(of: [RecordWorld.mark])
        #expect(
            before.isSuperset(of: ["reports.text", "reports.reporter", "letters.cause", "letters.data", "pushes.path"]))
        _ = try await house.library.accounts().delete(world.her)
        // Names are given to nobody else, Bob's words are his, and one letter tells her of the erasure.
        let kept: Set = ["formerHandles.handle", "formerHandles.skeleton", "posts.text"]
        #expect(try await house.traces(of: [RecordWorld.mark]) == kept.union(["letters.recipient"]))
        #expect(try await house.traces(of: RecordWorld.goneIDs).isEmpty)
        let waiting = try await house.library.accounts().waitingLetters()
        #expect(
            waiting.filter { $0.letter.recipient.text.contains(RecordWorld.mark) }.map(\.letter.kind) == ["deleted"])
        #expect(waiting.count == 2, "the other tells Bob of Eve")
        for letter in waiting { try await house.library.accounts().letterEnded(letter.id, wasSent: true) }
        #expect(try await house.traces(of: [RecordWorld.mark]) == kept)

        try await house.library.reading { database in
            #expect(try Self.holding(world.her, in: database).isEmpty)
            // The case goes on with what others have reported, and decisions stay without names.
            let reports = try String.fetchAll(
                database, sql: "SELECT text FROM reports WHERE \"case\" = 'case2' ORDER BY rowid")
            #expect(reports == ["", "Eve reports"])
            #expect(try String.fetchAll(database, sql: "SELECT id FROM cases") == ["case2"])
            let ledger = try Row.fetchAll(
                database, sql: "SELECT \"by\" IS NULL AS isNobody, why FROM decisions ORDER BY sequence")
            #expect(ledger.map { $0["why"] } == ["Too loud", "Decided in office"])
            #expect(ledger.map { $0["isNobody"] } == [false, true])
            // What is answered stays where it was said.
            let said = try Row.fetchAll(database, sql: "SELECT state, text FROM comments ORDER BY sequence")
            #expect(
                said.map { $0["state"] } == ["removed", "shown"] && said.map { $0["text"] } == ["", "Bob answers"])
            #expect(try Bool.fetchOne(database, sql: "SELECT vip IS NULL FROM frames") == true)
            #expect(try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").isEmpty)
            // Nothing is found by her words any more.
            let found = try Int.fetchOne(
                database, sql: "SELECT COUNT(*) FROM itemWords WHERE itemWords MATCH 'zinnober*'")
            #expect(found == 0)
        }
    }

    @Test func `the next sweep has the index of words forget hers, while it finds others as before`() async throws {
        let world = try await RecordWorld()
        let library = world.house.library
        @Sendable func holdsWords() async throws -> Bool? {
            try await library.reading { database in
                try Bool.fetchOne(
                    database,
                    sql: "SELECT EXISTS (SELECT 1 FROM itemWords_data WHERE instr(block, CAST('zinnober' AS BLOB)))")
            }
        }
        _ = try await library.sweep(at: world.house.now)
        _ = try await library.accounts().delete(world.her)
        #expect(try await holdsWords() == true)
        _ = try await library.sweep(at: world.house.now)
        #expect(try await holdsWords() == false)
        let (found, left) = try await library.reading { database in
            (
                try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM itemWords WHERE itemWords MATCH 'five'"),
                try Int.fetchOne(database, sql: "SELECT erased - forgotten FROM itemErasures")
            )
        }
        #expect(found == 2 && left == 0)
        try await world.house.change("INSERT INTO itemWords (itemWords) VALUES ('integrity-check')")
    }

    @Test func `what was left of reports before is emptied when the library is brought up to date`() async throws {
        let world = try await RecordWorld()
        try await world.house.change(
            """
            DROP TRIGGER reportsUnsaid; DROP TRIGGER lettersUnsent; DROP TRIGGER pushesUnsent;
            DELETE FROM grdb_migrations WHERE identifier = 'erasure-001';
            UPDATE reports SET reporter = NULL WHERE reporter = 'id-zinnoberine';
            """)
        let again = try HubHousehold(sharing: world.house, boards: world.boards)
        let texts = try await again.library.reading { database in
            try String.fetchAll(database, sql: "SELECT text FROM reports ORDER BY rowid")
        }
        #expect(texts == ["Bob reports", "", "Eve reports"])
    }
}
