package import ChirpAccounts
package import ChirpBoards
package import ChirpCommunity
internal import ChirpCore
internal import FoundationEssentials
package import GRDB

extension TrackStore {
    /// Writes down what was found in tracks that have been listened to; those that are to appear do so. One transaction each; may be repeated,
    /// and what a process that died has left is done by the next one.
    ///
    /// - Returns: how many.
    @discardableResult
    package func settleMade() async throws -> Int {
        let due = try await library.reading { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT item, master FROM tracks WHERE state = 'made' ORDER BY item LIMIT 1000")
            ).compactMap { row in
                HubID(row["item"] as String).map { ($0, master: (row["master"] as String?).flatMap { HubID($0) }) }
            }
        }
        var count = 0
        for (id, master) in due {
            do throws(TrackRefusal) {
                let findings = try await findings(in: master)
                try await change { try settle(id, findings, in: $0) }
                count += 1
            } catch .item(.library(let error)) {
                throw error
            } catch {
                // Who is suspended, or whose track a case is about, offers nothing now: the sweep asks again.
                continue
            }
        }
        return count
    }

    /// What was found in an upload, before the transaction that writes it down; nil: it was not listened to yet, or is no track.
    ///
    /// - Parameter owner: whose it is to be; nil: anybody's.
    package func findings(in master: HubID?, of owner: AccountID? = nil) async throws(TrackRefusal) -> TrackFindings? {
        guard let master else { return nil }
        do {
            let (film, earlier) = try await library.reading { database in
                (try Films.film(master, in: database), try TrackComparison.kept(of: master, in: database))
            }
            guard let film, owner == nil || film.owner == owner,
                let found = await offPool({ TrackFindings(film, comparedBefore: earlier) })
            else { return nil }
            let candidates = try await library.reading { try found.candidates(in: $0) }
            return await offPool {
                var findings = found
                findings.compare(with: candidates)
                return findings
            }
        } catch { throw TrackRefusal(error) }
    }

    /// The same for one within a transaction; there may be nothing to do.
    ///
    /// - Parameter findings: of its upload; those of another one, and none, are read here.
    package func settle(_ id: HubID, _ findings: TrackFindings?, in database: Database) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM tracks WHERE item = ? AND state = 'made'"),
            arguments: [id.text])
        guard let row, let master = (row["master"] as String?).flatMap({ HubID($0) }),
            let film = try Films.film(master, in: database), let kept = film.track,
            let item = try Items.item(
                id, board: Beats.board, for: .member(film.owner), library: library, in: database),
            let before = Track(item, row)
        else { return }
        let known = findings?.master == master ? findings : nil
        guard let findings = known ?? TrackFindings(film) else { return }
        let facts = findings.facts
        try Self.write(facts, of: id, in: database)
        let isElsewhere = try noteTwins(of: before, findings, sent: film.received ?? film.created, in: database)
        try TrackComparison.forget(master, in: database)
        guard item.state == .draft || item.state == .open else { return }
        let draft = TrackDraft(before)
        try Items.edit(
            id, version: nil, to: draft.item(of: film.owner, key: "", preview: kept.clip, facts: facts), by: library,
            in: database)
        // Whoever offers what another has sent before is told so, and says whether it is to appear all the same.
        guard item.state == .draft, before.appears, !isElsewhere else { return }
        try Items.move(id, from: [.draft], to: .open, by: film.owner, library: library, in: database)
    }

    /// Writes down what was found in one that has been listened to, and nothing else.
    ///
    /// - Parameter facts: bounded.
    package static func write(_ facts: TrackFacts, of id: HubID, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                UPDATE tracks SET state = 'ready', why = '', milliseconds = ?, loudness = ?, peak = ?,
                    previewLoudness = ?, tempo = ?, tempoOther = ?, tempoConfidence = ?, key = ?, keyOther = ?,
                    keyConfidence = ?, description = ?, print = ?, density = ?, brightness = ?, beats = ?
                WHERE item = ? AND state = 'made'
                """
        ).execute(arguments: [
            facts.milliseconds, facts.loudness, facts.peak, facts.previewLoudness, facts.tempo?.beats,
            facts.tempo?.other, facts.tempo?.confidence, facts.key?.tonality.number, facts.key?.other?.number,
            facts.key?.confidence, TrackFacts.data(facts.description), facts.print.isEmpty ? nil : Data(facts.print),
            facts.density, facts.brightness, facts.beatsData, id.text,
        ])
    }
}

extension TrackDraft {
    /// What a track is now.
    package init(_ track: Track) {
        let item = track.item
        self.init(kind: track.kind, title: item.title)
        (text, language, tags, price) = (item.text, item.language, item.tags, track.price)
        (cover, until, versionName, appears) = (item.pictures.first, item.expires, track.versionName, track.appears)
    }
}
