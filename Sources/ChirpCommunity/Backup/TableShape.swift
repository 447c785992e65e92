internal import GRDB

/// What the tables of a database are like: the columns of each, and whether SQLite keeps to their types. What is read out of a
/// library is believed to have those types, so a database from elsewhere must have exactly these tables, and nothing else that acts by itself.
struct TableShape: Hashable {
    private let tables: [String: [String]]
    /// Triggers, views and virtual tables, word by word: a database from elsewhere does nothing that this release does not.
    private let acting: [String]

    /// Reads it.
    ///
    /// - Throws: what SQLite says.
    init(_ database: Database) throws {
        acting = try String.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT name || ': ' || sql FROM sqlite_master
                    WHERE type NOT IN ('table', 'index') OR type = 'table' AND rootpage = 0 ORDER BY name
                    """))
        var tables: [String: [String]] = [:]
        let names = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT name, strict, type FROM pragma_table_list
                    WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'grdb_migrations'
                    """))
        for table in names {
            let name: String = table["name"]
            let columns = try Row.fetchAll(
                database.cachedStatement(
                    sql:
                        "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid"
                ), arguments: [name])
            tables[name] = ["\(table)"] + columns.map { "\($0)" }
        }
        self.tables = tables
    }

    /// What a library of this release has.
    static func ofLibrary(boards: [BoardTables]) throws -> TableShape {
        let fresh = try DatabaseQueue()
        try CommunitySchema.bringUpToDate(fresh, boards: boards)
        return try fresh.read(TableShape.init)
    }
}
