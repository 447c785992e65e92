package import ChirpAccounts
package import GRDB

/// What a board does with films, within its own transactions. A column of a board's table that names a film refers to `films (id)`, and keeps it from
/// being swept; how far a film is, a trigger on `films` can hear of.
package enum Films {
    /// One, whatever became of it.
    package static func film(_ id: HubID, in database: Database) throws -> HubFilm? {
        try Row.fetchOne(database.cachedStatement(sql: "SELECT * FROM films WHERE id = ?"), arguments: [id.text])
            .flatMap(HubFilm.init)
    }

    /// Says with which item a film belongs: then those who may see the item see the film too, while it is shown. May be repeated, to show it or to
    /// take it from sight. It may be said before the film is ready.
    ///
    /// - Parameter owner: whose film it is.
    /// - Returns: false when there is no such film or item, the film is another's, was refused, or belongs with another item.
    package static func show(
        _ film: HubID, of owner: AccountID, with item: HubID, isShown: Bool, in database: Database
    ) throws -> Bool {
        try database.cachedStatement(
            sql: """
                INSERT INTO itemFilms (film, item, shown)
                SELECT films.id, items.id, ? FROM films JOIN items ON items.id = ?
                WHERE films.id = ? AND films.owner = ? AND films.state <> 'refused'
                ON CONFLICT (film) DO UPDATE SET shown = excluded.shown WHERE itemFilms.item = excluded.item
                """
        ).execute(arguments: [isShown, item.text, film.text, owner])
        return database.changesCount == 1
    }

    /// Begins one, with its upload, in the same transaction.
    static func begin(
        _ id: HubID, of owner: AccountID, timer: Int?, isTrack: Bool, at instant: Int64, in database: Database
    ) throws {
        try database.cachedStatement(
            sql: "INSERT INTO films (id, owner, state, timer, track, created) VALUES (?, ?, 'receiving', ?, ?, ?)"
        ).execute(arguments: [id.text, owner, timer, isTrack, instant])
    }

    /// A condition on `films`: nothing uses it. What uses films are the tables that refer to them, those of boards too.
    static func isUnused(in database: Database) throws -> String {
        let uses = try Row.fetchAll(
            database,
            sql: """
                SELECT tables.name AS name, key."from" AS place FROM sqlite_schema AS tables
                JOIN pragma_foreign_key_list(tables.name) AS key
                WHERE tables.type = 'table' AND key."table" = 'films' AND tables.name <> 'filmFiles'
                ORDER BY name, place
                """
        ).map { (table: $0["name"] as String, column: $0["place"] as String) }
        return
            (["1"]
            + uses.map { table, column in
                "NOT EXISTS (SELECT 1 FROM \"\(table)\" WHERE \"\(table)\".\"\(column)\" = films.id)"
            }).joined(separator: " AND ")
    }
}
