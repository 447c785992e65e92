package import FoundationEssentials
package import GRDB

extension Items {
    /// Keeps one that is about to go with its author's account, because something of others hangs on it: it is the owner's of the hub from
    /// then on. All that the author has said goes but the title, and so do pictures, clip, and the place itself where others see another.
    /// May be repeated; there may be none.
    package static func inherit(_ id: HubID, in database: Database) throws {
        let (items, owner) = ("items WHERE id = ?", "SELECT id FROM accounts WHERE role = 'owner'")
        try database.cachedStatement(
            sql: """
                UPDATE items SET account = (\(owner)), key = 'inherited:' || id, text = '', tags = '', clip = NULL,
                    reason = '', frozen = 0, shut = 0, version = version + 1
                WHERE id = ? AND account NOT IN (\(owner))
                """
        ).execute(arguments: [id.text])
        guard database.changesCount == 1 else { return }
        for table in ["itemPictures", "itemSight"] {
            try database.cachedStatement(sql: "DELETE FROM \(table) WHERE item IN (SELECT sequence FROM \(items))")
                .execute(arguments: [id.text])
        }
        try database.cachedStatement(
            sql: "UPDATE itemPlaces SET lat = shownLat, lon = shownLon WHERE item IN (SELECT sequence FROM \(items))"
        ).execute(arguments: [id.text])
        // The index of words forgets with the next sweep, as it does after accounts that have gone.
        try database.cachedStatement(sql: "UPDATE itemErasures SET erased = erased + 1").execute()
    }

    /// Puts other words of its board (``ItemDraft/words``) in the place of those that one is found by, and another end in the place of its
    /// end. There may be none.
    ///
    /// - Parameter expires: nil: it lasts.
    package static func reword(
        _ id: HubID, _ words: [String], expires: Date?, in database: Database
    ) throws {
        let facets = try String.fetchOne(
            database.cachedStatement(sql: "SELECT facets FROM items WHERE id = ?"), arguments: [id.text])
        guard let facets else { return }
        let kept = facets.split(separator: " ").map(String.init).filter { word in
            ItemTokens.beginnings.contains { word.hasPrefix($0) }
        }
        try database.cachedStatement(sql: "UPDATE items SET facets = ?, expires = ? WHERE id = ?").execute(
            arguments: [
                (kept + ItemTokens.own(words)).joined(separator: " "), expires.map(HubLibrary.milliseconds), id.text,
            ])
    }
}
