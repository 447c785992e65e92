internal import ChirpAccounts
internal import FoundationEssentials
internal import GRDB

extension PersonalRows {
    struct Film: Encodable {
        let id, state: String
        let why: String?
        let milliseconds, width, height: Int?
        let bytes: Int64
        let created: Date
    }

    /// The films that she has sent.
    func films() throws -> [Film] {
        try Row.fetchAll(
            database.cachedStatement(sql: "SELECT * FROM films WHERE owner = ? ORDER BY created, id"),
            arguments: [person]
        ).map { row in
            Film(
                id: row["id"], state: row["state"], why: row["why"], milliseconds: row["milliseconds"],
                width: row["width"], height: row["height"], bytes: row["bytes"],
                created: HubLibrary.date(row["created"]))
        }
    }
}
