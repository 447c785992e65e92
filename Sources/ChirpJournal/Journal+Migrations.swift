internal import GRDB

extension Journal {
    /// Every change of the tables, in order. A published one is never edited; the next one is added below.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 publications") { database in
            try database.create(table: "publication") { table in
                table.primaryKey("id", .text)
                table.column("state", .text).notNull()
                table.column("outcome", .text)
                table.column("inputSHA256", .text).notNull()
                table.column("settingsSHA256", .text).notNull()
                table.column("inputName", .text).notNull()
                table.column("inputPath", .text).notNull()
                table.column("inputIsSpooled", .boolean).notNull()
                table.column("order", .text).notNull()
                table.column("clipPath", .text)
                table.column("clipBytes", .integer)
                table.column("clipSHA256", .text)
                table.column("receipt", .text)
                table.column("title", .text).notNull()
                table.column("words", .text).notNull()
                table.column("expires", .datetime)
                table.column("storeName", .text).notNull()
                table.column("storePlace", .text).notNull()
                table.column("objectID", .text)
                table.column("session", .text)
                table.column("confirmedBytes", .integer).notNull()
                table.column("link", .text)
                table.column("networkName", .text).notNull()
                table.column("shareText", .text)
                table.column("postID", .text)
                table.column("postURL", .text)
                table.column("attempts", .integer).notNull()
                table.column("lastError", .text)
                table.column("nextAttempt", .datetime)
                table.column("created", .datetime).notNull()
                table.column("updated", .datetime).notNull()
            }
            try database.create(
                index: "publication_input", on: "publication", columns: ["inputSHA256", "settingsSHA256"])
            try database.create(index: "publication_state", on: "publication", columns: ["state"])
            try database.create(
                index: "publication_expires", on: "publication", columns: ["expires"],
                condition: Column("expires") != nil)
        }
        migrator.registerMigration("2 spending") { database in
            try database.create(table: "spending") { table in
                table.primaryKey("key", .text)
                table.column("network", .text).notNull()
                table.column("month", .text).notNull()
                table.column("amount", .integer).notNull()
            }
        }
        return migrator
    }
}
