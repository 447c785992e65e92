package import ChirpAccounts
internal import Foundation
internal import ChirpTestKit
internal import GRDB

extension HubHousehold {
    /// The library's file, opened beside the hub. Waits for whoever writes, as a hub that runs does every minute.
    private func tables(_ adjust: (inout Configuration) -> Void = { _ in }) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(300)
        adjust(&configuration)
        return try DatabaseQueue(path: folder.path("hub/hub.sqlite"), configuration: configuration)
    }

    /// Somebody with an account, without the way of a new one through mail and password.
    @discardableResult
    package func person(_ name: String, role: String = "member", state: String = "active") async throws -> AccountID {
        let database = try tables()
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO accounts (id, handle, skeleton, name, role, state, created)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    "id-\(name)", name, name, name.capitalized, role, state,
                    Int(Self.start.timeIntervalSince1970) * 1000,
                ])
        }
        return AccountID(rawValue: "id-\(name)")
    }

    /// Does something to the tables that nothing in the hub does.
    package func change(_ sql: String) async throws {
        let database = try tables()
        try await database.write { try $0.execute(sql: sql) }
    }

    /// Reads texts out of the tables.
    package func texts(_ sql: String) async throws -> [String] {
        let database = try tables()
        return try await database.read { try String.fetchAll($0, sql: sql) }
    }

    /// Does something while another process has begun to write and does not end: who wants to write waits.
    package func whileWriting<Done>(_ body: () async throws -> Done) async throws -> Done {
        let writer = try tables { $0.allowsUnsafeTransactions = true }
        try await writer.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let done: Result<Done, any Error>
        do { done = .success(try await body()) } catch { done = .failure(error) }
        try await writer.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        return try done.get()
    }

    /// Where one of some texts stands in the library's tables, as `table.column`: what a search of the whole file finds.
    ///
    /// - Parameter numbers: whole numbers of places, as in 50.7339: one with more digits behind these is another.
    package func traces(of texts: [String], numbers: [String] = []) async throws -> Set<String> {
        let database = try tables()
        return try await database.read { database in
            var found: Set<String> = []
            let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
            // An index of words has them in tables of its own, cut to pieces: it is asked by those who search.
            for table in tables where !table.hasPrefix("itemWords") {
                for column in try database.columns(in: table).map(\.name) {
                    for text in texts {
                        let hit = try Bool.fetchOne(
                            database,
                            sql: "SELECT 1 FROM \"\(table)\" WHERE instr(CAST(\"\(column)\" AS TEXT), ?) LIMIT 1",
                            arguments: [text])
                        if hit == true { found.insert("\(table).\(column)") }
                    }
                    for number in numbers {
                        let hit = try Bool.fetchOne(
                            database,
                            sql: """
                                SELECT 1 FROM "\(table)" WHERE CAST("\(column)" AS TEXT) GLOB '*' || ?1
                                    OR CAST("\(column)" AS TEXT) GLOB '*' || ?1 || '[^0-9]*' LIMIT 1
                                """, arguments: [number])
                        if hit == true { found.insert("\(table).\(column)") }
                    }
                }
            }
            return found
        }
    }
}
