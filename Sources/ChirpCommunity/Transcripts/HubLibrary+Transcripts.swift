package import ChirpAccounts
internal import FoundationEssentials
internal import GRDB

extension HubLibrary {
    /// Sets what is said in a clip; nothing in the draft removes it.
    ///
    /// - Parameters:
    ///   - owner: whose clip it has to be; nil: a program's of the hub, which never takes the place of an author's words.
    /// - Returns: false when the account has no such clip, or the author has said it better.
    package func setTranscript(
        _ draft: TranscriptDraft, of clip: HubID, by owner: AccountID?
    ) async throws(LibraryError) -> Bool {
        let now = Self.milliseconds(now())
        return try await write { database in
            let row = try Row.fetchOne(
                database.cachedStatement(sql: "SELECT owner FROM clips WHERE id = ?"), arguments: [clip.text])
            guard let row else { return false }
            if let owner {
                guard (row["owner"] as AccountID? ?? self.owner.id) == owner else { return false }
                if draft.text.isEmpty {
                    try database.cachedStatement(sql: "DELETE FROM transcripts WHERE clip = ?").execute(arguments: [
                        clip.text
                    ])
                    return true
                }
            } else if draft.text.isEmpty {
                return false
            }
            return try Self.write(draft, of: clip, from: owner == nil ? .hook : .own, at: now, in: database)
        }
    }

    /// Keeps what is said in a clip. A program's words never take the place of an author's.
    ///
    /// - Returns: whether they are kept.
    @discardableResult static func write(
        _ draft: TranscriptDraft, of clip: HubID, from source: ClipTranscript.Source, at now: Int64,
        in database: Database
    ) throws -> Bool {
        try database.cachedStatement(
            sql: """
                INSERT INTO transcripts (clip, language, form, text, source, changed, spoken)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (clip) DO UPDATE SET language = excluded.language, form = excluded.form,
                    text = excluded.text, source = excluded.source, changed = excluded.changed,
                    spoken = excluded.spoken
                WHERE excluded.source = 'own' OR transcripts.source = 'hook'
                """
        ).execute(arguments: [
            clip.text, draft.language, draft.isTimed ? "timed" : "words", draft.text, source.rawValue, now,
            draft.spoken,
        ])
        return database.changesCount > 0
    }
}

extension HubReader {
    /// What is said in clips that the viewer has found, by their ids; without those of which nobody has said it.
    package func transcripts(of clips: [HubID]) async throws(LibraryError) -> [HubID: ClipTranscript] {
        guard !clips.isEmpty else { return [:] }
        return try await library.read { database in
            let list = try clips.map(\.text).statementList()
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT * FROM transcripts WHERE clip IN (SELECT value FROM json_each(?))"), arguments: [list])
            let found = rows.compactMap(ClipTranscript.init)
            return Dictionary(found.map { ($0.clip, $0) }) { first, _ in first }
        }
    }

    /// What is said in one.
    package func transcript(of clip: HubID) async throws(LibraryError) -> ClipTranscript? {
        try await transcripts(of: [clip])[clip]
    }
}

extension ClipTranscript {
    fileprivate init?(_ row: Row) {
        guard let clip = HubID(row["clip"] as String) else { return nil }
        self.clip = clip
        language = row["language"]
        isTimed = row["form"] == "timed"
        text = row["text"]
        source = Source(rawValue: row["source"]) ?? .own
        changed = HubLibrary.date(row["changed"])
    }
}
