internal import ChirpAccounts
internal import ChirpDatabase
internal import ChirpPlaces
internal import FoundationEssentials
package import GRDB

extension HubReader {
    /// A condition on `items` for what this viewer may open, and its arguments.
    var visibleItems: (sql: String, arguments: StatementArguments) { Items.visible(to: account) }

    /// A condition on `items` that leaves out those of people whom the viewer has blocked, and who have blocked her.
    var unblockedItems: (sql: String, arguments: StatementArguments) { Items.unblocked(for: account) }

    /// Items in the order of their sequences as given. Whether the viewer may see them was asked before; how exactly she may see
    /// where they are is asked here.
    func items(_ sequences: [Int64], in database: Database) throws -> [Item] {
        guard !sequences.isEmpty else { return [] }
        let list = try sequences.statementList()
        var pictures: [Int64: [HubID]] = [:]
        let shown = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT itemPictures.item, itemPictures.picture FROM json_each(?) AS list
                    CROSS JOIN itemPictures ON itemPictures.item = list.value ORDER BY itemPictures.item, position
                    """), arguments: [list])
        for row in shown {
            guard let id = HubID(row["picture"] as String) else { continue }
            pictures[row["item"], default: []].append(id)
        }
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT items.*, accounts.handle, accounts.name, \(HubLibrary.clipColumns(of: "clips")),
                        place.lat, place.lon, place.precision, place.shownLat, place.shownLon, place.name AS placeName,
                        itemTallies.saves, itemTallies.views, itemTallies.comments, itemTallies.ups, itemTallies.downs,
                        EXISTS (SELECT 1 FROM itemSight WHERE item = items.sequence AND itemSight.account = ?) AS sees
                    FROM json_each(?) AS list CROSS JOIN items ON items.sequence = list.value
                    JOIN accounts ON accounts.id = items.account
                    LEFT JOIN clips ON clips.id = items.clip AND (clips.expires IS NULL OR clips.expires > ?)
                    LEFT JOIN itemPlaces AS place ON place.item = items.sequence
                    LEFT JOIN itemTallies ON itemTallies.item = items.sequence
                    ORDER BY list.key
                    """), arguments: [account, list, HubLibrary.milliseconds(now)]
        )
        return NamedRow.all(rows).compactMap { Item($0, pictures: pictures[$0["sequence"]] ?? [], viewer: account) }
    }
}

extension Items {
    /// One as a viewer sees it, within a transaction. Nil when there is none of that id on that board, or the viewer may not see it.
    package static func item(
        _ id: HubID, board: String, for viewer: Viewer, library: HubLibrary, in database: Database
    ) throws -> Item? {
        let reader = library.seen(by: viewer)
        let visible = reader.visibleItems
        let sequence = try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT items.sequence FROM items WHERE items.id = ? AND items.board = ? AND \(visible.sql)"),
            arguments: [id.text, board] + visible.arguments)
        return try sequence.flatMap { try reader.items([$0], in: database).first }
    }
}

extension Item {
    /// Nil for a row that makes no sense.
    fileprivate init?(_ row: NamedRow, pictures: [HubID], viewer: AccountID?) {
        guard let id = HubID(row["id"] as String), let state = State(rawValue: row["state"]) else { return nil }
        let account: AccountID = row["account"]
        let lines: String = row["tags"]
        var place: Place?
        if let precision = (row["precision"] as String?).flatMap(PositionPrecision.init),
            let shown = GeoPoint(latitude: row["shownLat"], longitude: row["shownLon"])
        {
            let seesAll = precision == .exact || viewer == account || row["sees"]
            let exact = seesAll ? GeoPoint(latitude: row["lat"], longitude: row["lon"]) : nil
            place = Place(shown: shown, precision: precision, name: row["placeName"], exact: exact)
        }
        self.init(
            sequence: row["sequence"], id: id, board: row["board"], kind: row["kind"],
            author: PostAuthor(id: account, handle: row["handle"], name: row["name"]), title: row["title"],
            text: row["text"], language: row["language"], category: row["category"],
            tags: lines.split(separator: "\n").map(String.init), state: state, outcome: row["outcome"],
            reason: row["reason"], isHidden: row["hidden"], isFrozen: row["frozen"], version: row["version"],
            created: HubLibrary.date(row["created"]), changed: HubLibrary.date(row["changed"]),
            ended: (row["ended"] as Int64?).map(HubLibrary.date),
            expires: (row["expires"] as Int64?).map(HubLibrary.date), place: place, clip: HubClip(row: row.row),
            pictures: pictures, saves: row["saves"] ?? 0, views: row["views"] ?? 0,
            comments: row["comments"] ?? 0, ups: row["ups"] ?? 0, downs: row["downs"] ?? 0)
    }
}

extension Items {
    /// A condition on `items` for what somebody may open, and its arguments: what was hidden or taken back, and drafts, are there for
    /// their authors alone; between those who have blocked one another there is nothing.
    ///
    /// - Parameters:
    ///   - account: nil for a visitor.
    ///   - evenIfHidden: also what was hidden, for everybody.
    static func visible(
        to account: AccountID?, evenIfHidden: Bool = false
    ) -> (sql: String, arguments: StatementArguments) {
        let shown = evenIfHidden ? "" : "items.hidden = 0 AND "
        let open = "\(shown)items.shut = 0 AND items.state NOT IN ('draft', 'withdrawn')"
        guard let account else { return (open, []) }
        let unblocked = unblocked(for: account)
        return ("(items.account = ? OR \(open) AND \(unblocked.sql))", [account] + unblocked.arguments)
    }

    /// A condition on `items` that leaves out those of people whom somebody has blocked, and who have blocked her.
    static func unblocked(for account: AccountID?) -> (sql: String, arguments: StatementArguments) {
        guard let account else { return ("1", []) }
        return (
            """
            NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = ? AND blocked = items.account)
            AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker = items.account AND blocked = ?)
            """, [account, account]
        )
    }
}
