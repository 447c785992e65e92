package import ChirpAccounts
package import ChirpBoards
package import ChirpCommunity
internal import ChirpCore
internal import ChirpDatabase
internal import ChirpMusic
package import ChirpWeb
package import FoundationEssentials
internal import GRDB

/// Announces broken records like in a stadium: who, what, the mark, and the last three seconds of the attempt, as a clip of whoever broke it, posted
/// for all to hear who follow her or watch the challenge. Once for each record; where nobody makes clips, or she does not want it, never.
package struct RecordAnnouncements: Sendable {
    private let library: HubLibrary
    private let publicURL: String
    /// Makes the sound, and the clip of it; nil: nobody does here.
    private let announcing: BoardAnnouncing?
    private let takeClip: (@Sendable (SentFile, String, AccountID) async throws -> HubID)?

    /// In ms: what was broken longer ago is no news.
    private static let patience: Int64 = 86_400_000
    /// In seconds: so much is heard behind the stop.
    private static let tail = 0.5

    package init(
        library: HubLibrary, publicURL: String, announcing: BoardAnnouncing?,
        takeClip: (@Sendable (SentFile, String, AccountID) async throws -> HubID)?
    ) {
        self.library = library
        self.publicURL = publicURL
        self.announcing = announcing
        self.takeClip = takeClip
    }

    /// A record that was broken and not announced yet.
    private struct Due: Sendable {
        let sequence: Int64
        let attempt, challenge: HubID
        let author: AccountID
        let name, title: String
        let terms: RuleTerms
        let score: Int64
        let language: String?
        let sound: String?
        let end: Double?

        /// In the challenge's language, as far as the hub speaks it.
        var words: String {
            Language.$current.withValue(Language(accepting: language)) {
                word("challenge.announced", ["name": name, "title": title, "mark": terms.said(score)])
            }
        }
    }

    /// Announces all that is to be announced now. May be repeated; one process at a time does it. What fails, or is cut off by a kill, is begun
    /// again after a while (``AnnouncementTries``), and holds up no other.
    ///
    /// - Returns: how many were posted.
    @discardableResult
    package func announce(at now: Date) async throws -> Int {
        guard announcing != nil, takeClip != nil else { return 0 }
        let instant = Accounts.milliseconds(now)
        var count = 0
        while let due = try await due(at: instant) {
            try Task.checkCancellation()
            let begun = try await library.transact { database in
                try AnnouncementTries.begin(due.sequence, at: instant, in: database)
            }
            guard let begun else { continue }
            do {
                if try await isPosted(due, time: begun, at: instant) { count += 1 }
            } catch { try Task.checkCancellation() }
        }
        return count
    }

    /// How long until one that failed may be begun again; nil: none waits.
    package func wait(at now: Date) async throws -> Duration? {
        guard announcing != nil, takeClip != nil else { return nil }
        let instant = Accounts.milliseconds(now)
        let again = try await library.reading { database in
            try Int64.fetchOne(
                database.cachedStatement(
                    sql: "SELECT min(announcementTries.again) \(Self.waiting)"), arguments: [instant - Self.patience])
        }
        return again.map { .milliseconds(min(max(0, $0 - instant), AnnouncementTries.wait(after: .max))) }
    }

    /// Makes the clip of one and posts it.
    ///
    /// - Parameter time: how often it was begun, this time included. After the last time it is announced no more; that time goes without the
    ///   recording, which may be what kills whoever reads it.
    private func isPosted(_ due: Due, time: Int, at now: Int64) async throws -> Bool {
        let words = due.words
        guard let announcing, let takeClip, time <= AnnouncementTries.most else {
            return try await post(due, words, clip: nil, at: now)
        }
        let isLast = time == AnnouncementTries.most
        let order = BoardAnnouncing.Order(
            words: words, languages: [due.language ?? "en"], sound: isLast ? nil : due.sound, end: due.end)
        var clip: HubID?
        do {
            if let sound = try await announcing.sound(order) {
                clip = try await takeClip(SentFile(sound), PlainText(words, limit: 300).value, due.author)
            }
        } catch {
            try Task.checkCancellation()
            guard isLast else { throw error }
        }
        return try await post(due, words, clip: clip, at: now)
    }

    /// What may be announced, without a condition on the time of the next try; its argument is the oldest that is news.
    private static let waiting = """
        FROM recordNews INDEXED BY recordNewsOfRecords
        CROSS JOIN attempts ON attempts.sequence = recordNews.attempt
        JOIN rules ON rules.sequence = attempts.rule JOIN items ON items.id = rules.challenge
        JOIN accounts ON accounts.id = attempts.account
        LEFT JOIN announcementTries ON announcementTries.attempt = attempts.sequence
        WHERE recordNews.kind = 'record' AND recordNews.at > ? AND attempts.state = 'verified'
            AND items.state = 'open' AND NOT items.hidden AND NOT items.shut AND accounts.state = 'active'
            AND NOT EXISTS (SELECT 1 FROM recordAnnouncements WHERE attempt = attempts.sequence)
            AND \(VisitStore.isAnnounced("attempts.account"))
        """

    private func due(at now: Int64) async throws -> Due? {
        let (films, media) = (library.films, library.media)
        return try await library.reading { database in
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT rules.*, attempts.sequence AS number, attempts.id, attempts.account, attempts.score,
                            attempts.findings, items.title, items.language, accounts.name, accounts.handle,
                            (SELECT clip FROM attemptMedia WHERE attempt = attempts.sequence AND kind = 'sound') AS clip,
                            (SELECT films.id FROM attemptMedia JOIN films ON films.id = attemptMedia.film
                                WHERE attempt = attempts.sequence AND films.state = 'ready' AND films.sound) AS film
                        \(Self.waiting) AND \(AnnouncementTries.isDue(at: "?"))
                        ORDER BY recordNews.at, recordNews.sequence LIMIT 1
                        """), arguments: [now - Self.patience, now, now])
            guard let row, let terms = RuleTerms(NamedRow(row)), let attempt = HubID(row["id"] as String),
                let challenge = HubID(row["challenge"] as String)
            else { return nil }
            let (name, handle, findings): (String, String, String) = (row["name"], row["handle"], row["findings"])
            let found = try? JSONDecoder().decode(AttemptFindings.self, from: Data(findings.utf8))
            let film = (row["film"] as String?).flatMap { HubID($0) }
            let clip = (row["clip"] as String?).flatMap { HubID($0) }
            return Due(
                sequence: row["number"], attempt: attempt, challenge: challenge, author: row["account"],
                name: name.isEmpty ? handle : name, title: row["title"], terms: terms, score: row["score"],
                language: row["language"], sound: film.map { films.file($0, .sound) } ?? clip.map { media.file($0) },
                end: found?.sound?.timed.map { $0.stop + Self.tail })
        }
    }

    /// Post and the row that says so are one transaction. A clip that was made in vain is swept. The challenge's title is its setter's, and so are the
    /// words of its terms: in the name of whoever broke the record they address nobody and lead nowhere.
    private func post(_ due: Due, _ words: String, clip: HubID?, at now: Int64) async throws -> Bool {
        var draft = PostDraft(
            author: due.author, text: "\(PostText.quoted(words)) #chirp",
            link: "\(publicURL)\(Attempt.path(due.attempt))", key: "record:\(due.attempt)")
        draft.clip = clip
        draft.language = due.language
        let (library, wanted) = (library, draft)
        return try await library.transact { database in
            let isDue = try Bool.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT 1 FROM attempts WHERE sequence = ? AND state = 'verified'
                            AND \(VisitStore.isAnnounced("attempts.account")) AND NOT EXISTS (SELECT 1 FROM recordAnnouncements WHERE attempt = attempts.sequence)
                        """), arguments: [due.sequence])
            guard isDue == true else { return false }
            try database.cachedStatement(
                sql: "INSERT INTO recordAnnouncements (attempt, clip, made) VALUES (?, ?, ?)"
            ).execute(arguments: [due.sequence, clip?.text, now])
            try AnnouncementTries.end(due.sequence, in: database)
            guard let clip, let post = try library.announce(wanted, to: [], in: database) else { return false }
            try ItemMedia.tell(post.sequence, of: due.challenge, in: database)
            // It is heard as long as the challenge is to be seen.
            _ = try ItemMedia.show(clip: clip, of: due.author, with: due.challenge, isShown: true, in: database)
            return true
        }
    }
}
