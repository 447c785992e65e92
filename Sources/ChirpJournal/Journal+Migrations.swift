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
        migrator.registerMigration("3 plays") { database in
            try database.create(table: "play") { table in
                // AUTOINCREMENT: an id that was given is never given again, so that ids stay the order of arrival.
                table.autoIncrementedPrimaryKey("id")
                table.column("networkName", .text).notNull()
                table.column("postID", .text).notNull()
                table.column("part", .integer).notNull()
                table.column("address", .text).notNull()
                table.column("authorID", .text).notNull()
                table.column("handle", .text).notNull()
                table.column("authorName", .text).notNull()
                table.column("words", .text).notNull()
                table.column("posted", .datetime).notNull()
                table.column("arrived", .datetime).notNull()
                table.column("state", .text).notNull()
                table.column("reason", .text)
                table.column("file", .text)
                table.column("bytes", .integer)
                table.column("seconds", .double)
                table.column("gainDB", .double)
                table.column("fetched", .datetime)
                table.column("heard", .datetime)
                table.column("plays", .integer).notNull()
                table.uniqueKey(["networkName", "postID", "part"])
            }
            try database.create(index: "play_state", on: "play", columns: ["state"])
            try database.create(
                index: "play_file", on: "play", columns: ["file"], condition: Column("file") != nil)
            try database.create(table: "feed") { table in
                table.primaryKey("networkName", .text)
                table.column("cursor", .text).notNull()
                table.column("updated", .datetime).notNull()
            }
            try database.create(table: "listening") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("begun", .datetime).notNull()
                table.column("ended", .datetime)
            }
        }
        migrator.registerMigration("4 batch clips") { database in
            try database.create(table: "batchClip", options: .withoutRowID) { table in
                table.column("target", .text).notNull()
                table.column("path", .blob).notNull()
                table.column("root", .text).notNull()
                table.column("sourceBytes", .integer).notNull()
                table.column("sourceModified", .integer).notNull()
                table.column("sourceSHA256", .text).notNull()
                table.column("sourceSeconds", .double).notNull()
                table.column("settingsSHA256", .text).notNull()
                table.column("output", .blob).notNull()
                table.column("outputBytes", .integer).notNull()
                table.column("outputModified", .integer).notNull()
                table.column("outputSHA256", .text).notNull()
                table.column("uncappedSeconds", .double)
                table.column("unlimitedBytes", .integer)
                table.column("hasTags", .boolean).notNull()
                table.primaryKey(["target", "path"])
            }
        }
        migrator.registerMigration("5 fleet jobs") { database in
            try database.create(table: "fleetBatch", options: .withoutRowID) { table in
                table.primaryKey("target", .text)
                table.column("id", .text).notNull().unique()
            }
            try database.create(table: "fleetJob", options: .withoutRowID) { table in
                table.column("target", .text).notNull()
                table.column("path", .blob).notNull()
                table.column("id", .text).notNull()
                table.column("sourceBytes", .integer).notNull()
                table.column("sourceModified", .integer).notNull()
                table.column("sourceSHA256", .text).notNull()
                table.primaryKey(["target", "path"])
            }
        }
        migrator.registerMigration("6 deaths") { database in
            // What a process has in hand while it may die of it, and how often that has happened.
            try database.alter(table: "play") { table in
                table.add(column: "inHand", .text)
                table.add(column: "deaths", .integer).notNull().defaults(to: 0)
            }
            try database.alter(table: "publication") { table in
                table.add(column: "isInHand", .boolean).notNull().defaults(to: false)
                table.add(column: "deaths", .integer).notNull().defaults(to: 0)
            }
        }
        migrator.registerMigration("7 stopped publications") { database in
            try database.alter(table: "publication") { table in table.add(column: "stopped", .datetime) }
        }
        migrator.registerMigration("8 places of networks") { database in
            // Which hub a publication is posted to; empty is the one on this machine, as all were before.
            try database.alter(table: "publication") { table in
                table.add(column: "networkPlace", .text).notNull().defaults(to: "")
            }
        }
        return migrator
    }
}
