package import ChirpAccounts
package import ChirpCommunity
internal import ChirpOrders
internal import FoundationEssentials
internal import GRDB

extension RequestStore {
    /// A request for one of the two who have part in it; nil for everybody else.
    package func request(_ id: HubID, for account: AccountID) async throws(RequestRefusal) -> BeatRequest? {
        try await reading { database in
            try RequestRow.find(id, in: database).map(\.request).flatMap { $0.side(of: account) == nil ? nil : $0 }
        }
    }

    /// Those that somebody has part in, the newest first.
    ///
    /// - Parameter side: of hers; nil: both.
    package func requests(
        of account: AccountID, as side: RequestState.Side? = nil, limit: Int = 200
    ) async throws(RequestRefusal) -> [BeatRequest] {
        let condition =
            switch side {
            case .asker?: "asker = :me"
            case .producer?: "producer = :me"
            case nil: "(asker = :me OR producer = :me)"
            }
        return try await reading { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT * FROM requests WHERE \(condition) ORDER BY sequence DESC LIMIT :limit"),
                arguments: ["me": account, "limit": max(0, limit)]
            ).compactMap { RequestRow($0)?.request }
        }
    }

    /// What was done, the first first; empty for who has no part in it.
    package func moves(of id: HubID, for account: AccountID) async throws(RequestRefusal) -> [RequestMove] {
        try await reading { database in
            guard let row = try RequestRow.find(id, in: database), row.request.side(of: account) != nil else {
                return []
            }
            return try Row.fetchAll(
                database.cachedStatement(sql: "SELECT * FROM requestMoves WHERE request = ? ORDER BY number"),
                arguments: [row.sequence]
            ).map { row in
                RequestMove(
                    number: row["number"], side: RequestState.Side(rawValue: row["side"]),
                    act: RequestState.Act.Kind(rawValue: row["act"]), money: Money(row), words: row["words"],
                    at: Accounts.date(row["at"]))
            }
        }
    }

    private func reading<Value: Sendable>(
        _ body: @Sendable (Database) throws -> Value
    ) async throws(RequestRefusal) -> Value {
        do { return try await library.reading(body) } catch { throw RequestRefusal(error) }
    }
}
