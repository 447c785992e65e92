internal import FoundationEssentials
internal import GRDB

/// From a recording to its clip. What was made for another wish than the one that holds now does not count.
extension HubLibrary {
    /// Writes down the clip that was made; its file is in its place.
    ///
    /// - Returns: false when another is wanted by now, or none: then nobody accounts for the file.
    package func finish(_ draft: HubDraft, as made: HubDraft.Made) async throws(LibraryError) -> Bool {
        try await write { database in
            try database.cachedStatement(
                sql: """
                    UPDATE drafts SET bytes = ?, sha256 = ?, seconds = ?, peaks = ?, receipt = ?, why = NULL
                    WHERE id = ? AND take = ? AND post IS NULL
                    """
            ).execute(arguments: [
                made.bytes, made.sha256, made.sound.seconds, Data(made.sound.peaks), made.receipt, draft.id.text,
                draft.take.text,
            ])
            return database.changesCount > 0
        }
    }

    /// Writes down why there is no clip of this part. The recording stays: another part may do.
    ///
    /// - Parameter why: plain text for its sender.
    package func refuse(_ draft: HubDraft, because why: String) async throws(LibraryError) {
        try await write { database in
            try database.cachedStatement(sql: "UPDATE drafts SET why = ? WHERE id = ? AND take = ? AND post IS NULL")
                .execute(arguments: [why, draft.id.text, draft.take.text])
        }
    }

    /// Writes down what the whole recording looks like.
    package func note(_ recording: HubSound, of draft: HubDraft) async throws(LibraryError) {
        try await write { database in
            try database.cachedStatement(sql: "UPDATE drafts SET length = ?, outline = ? WHERE id = ?").execute(
                arguments: [
                    recording.seconds, Data(recording.peaks.prefix(HubDraft.mostPeaks)), draft.id.text,
                ])
        }
    }
}
