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
        /// The photo that she has chosen for it, by its name in the archive.
        let photo: String?
        let created, visited: Date
    }

    func frames() throws -> [Frame] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT frames.id AS id, frames.name AS name, network, handle, frames.created AS created, visited,
                        EXISTS (SELECT 1 FROM framePhotos WHERE frame = frames.id AND isOwn) AS hasPhoto
                    FROM frames LEFT JOIN accounts ON accounts.id = frames.vip
                    WHERE frames.account = ? ORDER BY frames.created, frames.id
                    """), arguments: [person]
        ).map {
            let (id, hasPhoto): (String, Bool) = ($0["id"], $0["hasPhoto"])
            return Frame(
                name: $0["name"], network: $0["network"], vip: $0["handle"], photo: hasPhoto ? Self.photo(id) : nil,
                created: HubLibrary.date($0["created"]), visited: HubLibrary.date($0["visited"]))
        }
    }

    /// The photos that she has chosen for her frames; those of people elsewhere are theirs.
    func framePhotos() throws -> [PersonalExport.Document] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT frame, jpeg FROM framePhotos JOIN frames ON frames.id = framePhotos.frame
                    WHERE frames.account = ? AND isOwn ORDER BY frame
                    """), arguments: [person]
        ).map { PersonalExport.Document(name: Self.photo($0["frame"]), bytes: Array($0["jpeg"] as Data)) }
    }

    private static func photo(_ frame: String) -> String { "frames/\(frame).jpg" }
}
