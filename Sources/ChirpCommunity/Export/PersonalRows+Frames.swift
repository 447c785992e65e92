internal import FoundationEssentials
internal import GRDB

/// Screens that the person looks after.
extension PersonalRows {
    /// Its token is nobody's to take along, and what it knows of another network is closed by the hub's key.
    struct Frame: Encodable {
        let name: String
        let network: String?
        /// Whom it shows, by handle; nil for nobody, or for somebody of another network.
        let vip: String?
        let created, visited: Date
    }

    func frames() throws -> [Frame] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT frames.name AS name, network, handle, frames.created AS created, visited
                    FROM frames LEFT JOIN accounts ON accounts.id = frames.vip
                    WHERE frames.account = ? ORDER BY frames.created, frames.id
                    """), arguments: [person]
        ).map {
            Frame(
                name: $0["name"], network: $0["network"], vip: $0["handle"], created: HubLibrary.date($0["created"]),
                visited: HubLibrary.date($0["visited"]))
        }
    }
}
