internal import ChirpCore
internal import FoundationEssentials
internal import GRDB

extension Journal {
    /// The name under which a folder of clips is known to fleets; given once, so that results find their batch after any death.
    public func fleetBatch(for target: String) async throws(JournalError) -> String {
        try await write { database in
            try database.cachedStatement(sql: "INSERT OR IGNORE INTO fleetBatch (target, id) VALUES (?, ?)").execute(
                arguments: [target, RandomName(length: 16).description])
            let id = try String.fetchOne(
                database.cachedStatement(sql: "SELECT id FROM fleetBatch WHERE target = ?"), arguments: [target])
            guard let id else {
                throw JournalError.corrupt(path: path, reason: "a row has gone as soon as it was there")
            }
            return id
        }
    }

    /// What was asked of a fleet for a folder of clips, and has no result yet.
    public func fleetJobs(in target: String) async throws(JournalError) -> [FleetJobRecord] {
        try await read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT path, id, sourceBytes, sourceModified, sourceSHA256 FROM fleetJob WHERE target = ?",
                arguments: [target])
            var jobs: [FleetJobRecord] = []
            while let row = try rows.next() {
                jobs.append(
                    FleetJobRecord(
                        target: target, path: [UInt8](row[0] as Data), id: row[1], sourceBytes: row[2],
                        sourceModified: row[3], sourceSHA256: row[4]))
            }
            return jobs
        }
    }

    /// Writes what is about to be asked for.
    public func record(_ jobs: [FleetJobRecord]) async throws(JournalError) {
        try await write { database in
            let statement = try database.makeStatement(
                sql: """
                    INSERT OR REPLACE INTO fleetJob (target, path, id, sourceBytes, sourceModified, sourceSHA256) \
                    VALUES (?, ?, ?, ?, ?, ?)
                    """)
            for job in jobs {
                try statement.execute(arguments: [
                    job.target, Data(job.path), job.id, job.sourceBytes, job.sourceModified, job.sourceSHA256,
                ])
            }
        }
    }

    /// Nothing of a folder of clips is asked for any more.
    public func forgetFleetJobs(in target: String) async throws(JournalError) {
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM fleetJob WHERE target = ?").execute(arguments: [target])
        }
    }
}
