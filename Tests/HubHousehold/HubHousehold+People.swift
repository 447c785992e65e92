package import ChirpAccounts
internal import Foundation
internal import ChirpTestKit
internal import GRDB

extension HubHousehold {
    /// Somebody with an account, without the way of a new one through mail and password.
    @discardableResult
    package func person(_ name: String, role: String = "member", state: String = "active") async throws -> AccountID {
        let database = try DatabaseQueue(path: folder.path("hub/hub.sqlite"))
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
        let database = try DatabaseQueue(path: folder.path("hub/hub.sqlite"))
        try await database.write { try $0.execute(sql: sql) }
    }
}
