internal import FoundationEssentials
internal import GRDB

extension Journal {
    private static let batchColumns = """
        target, path, root, sourceBytes, sourceModified, sourceSHA256, sourceSeconds, settingsSHA256, output, \
        outputBytes, outputModified, outputSHA256, uncappedSeconds, unlimitedBytes, hasTags
        """

    /// What batches have made in a folder: one query, 10,000 rows in some 50 ms.
    public func batchClips(in target: String) async throws(JournalError) -> [BatchClipRecord] {
        try await read { database in
            // By position: decoding by name would cost most of the time.
            let rows = try Row.fetchCursor(
                database, sql: "SELECT \(Self.batchColumns) FROM batchClip WHERE target = ?", arguments: [target])
            var clips: [BatchClipRecord] = []
            while let row = try rows.next() {
                clips.append(
                    BatchClipRecord(
                        target: target, path: [UInt8](row[1] as Data), root: row[2], sourceBytes: row[3],
                        sourceModified: row[4], sourceSHA256: row[5], sourceSeconds: row[6], settingsSHA256: row[7],
                        output: [UInt8](row[8] as Data), outputBytes: row[9], outputModified: row[10],
                        outputSHA256: row[11], uncappedSeconds: row[12], unlimitedBytes: row[13], hasTags: row[14]))
            }
            return clips
        }
    }

    /// Writes what a batch has made, in place of what was known about the same sources and folder. What was asked of a fleet
    /// for these sources is thereby settled.
    ///
    /// - Parameter settled: sources that have no clip and that nothing is waited for any more, by their folder of clips.
    public func record(
        _ clips: [BatchClipRecord], settling settled: [(target: String, path: [UInt8])] = []
    ) async throws(JournalError) {
        try await write { database in
            let statement = try database.makeStatement(
                sql: "INSERT OR REPLACE INTO batchClip (\(Self.batchColumns)) "
                    + "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
            for clip in clips {
                try statement.execute(arguments: [
                    clip.target, Data(clip.path), clip.root, clip.sourceBytes, clip.sourceModified, clip.sourceSHA256,
                    clip.sourceSeconds, clip.settingsSHA256, Data(clip.output), clip.outputBytes, clip.outputModified,
                    clip.outputSHA256, clip.uncappedSeconds, clip.unlimitedBytes, clip.hasTags,
                ])
            }
            let settling = try database.makeStatement(sql: "DELETE FROM fleetJob WHERE target = ? AND path = ?")
            for (target, path) in clips.map({ ($0.target, $0.path) }) + settled {
                try settling.execute(arguments: [target, Data(path)])
            }
        }
    }
}
