internal import ChirpAccounts
internal import FoundationEssentials
internal import GRDB

extension PersonalRows {
    struct Picture: Encodable {
        let id: String
        let width, height: Int
        let created: Date
    }

    /// The pictures that she has sent.
    func pictures() throws -> [Picture] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT id, width, height, created FROM pictures WHERE owner = ? ORDER BY created, id"),
            arguments: [person]
        ).map { row in
            Picture(
                id: row["id"], width: row["width"], height: row["height"], created: HubLibrary.date(row["created"]))
        }
    }
}
