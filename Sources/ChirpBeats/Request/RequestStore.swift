package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
internal import FoundationEssentials
package import GRDB

/// Requests for beats in the library. Each act is one transaction with its row of what was done and the message to the other side, in the
/// conversation of the two.
package struct RequestStore: Sendable {
    package let library: HubLibrary
    /// The board whose tracks a request may name, and whose pages it is among.
    package let board: String
    package let links: HubLinks
    /// What the message about an event says beside the words of who acts; nil: the other side is told in another way.
    package let line: @Sendable (RequestEvent) -> String?
    /// Whether somebody makes beats, and so may be asked for one.
    package let isProducer: @Sendable (AccountID, Database) throws -> Bool

    package init(
        library: HubLibrary, board: String, links: HubLinks,
        isProducer: @escaping @Sendable (AccountID, Database) throws -> Bool = {
            try PersonTag.of($0, in: $1).contains(.producer)
        },
        line: @escaping @Sendable (RequestEvent) -> String?
    ) {
        self.library = library
        self.board = board
        self.links = links
        self.line = line
        self.isProducer = isProducer
    }

    /// In ms.
    private static let day: Int64 = 86_400_000

    /// Asks a producer for a beat, once for the asker and key; then that request is given again. Her clip becomes one that the producer
    /// hears too, and nobody else.
    package func ask(_ draft: RequestDraft, by asker: AccountID) async throws(RequestRefusal) -> HubID {
        let words = PlainText.lines(draft.words, limit: BeatRequest.longestWords + 1)
        return try await refusing { database in
            let known = try String.fetchOne(
                database.cachedStatement(sql: "SELECT id FROM requests WHERE asker = ? AND key = ?"),
                arguments: [asker, draft.key])
            if let known = known.flatMap({ HubID($0) }) { return known }
            let now = Accounts.milliseconds(library.now())
            try check(draft, words, by: asker, at: now, in: database)
            let id = HubID()
            try database.cachedStatement(
                sql: """
                    INSERT INTO requests (id, asker, producer, key, words, clip, reference, created, changed, expires)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                id.text, asker, draft.producer, draft.key, words, draft.clip?.text, draft.reference?.text, now, now,
                RequestState.asked.expires(since: now),
            ])
            guard let row = try RequestRow.find(id, in: database) else { throw RequestRefusal.notFound }
            try tell(RequestEvent(request: row.request, act: nil, side: .asker), words, in: database)
            return id
        }
    }

    private func check(
        _ draft: RequestDraft, _ words: String, by asker: AccountID, at now: Int64, in database: Database
    ) throws {
        guard !draft.key.isEmpty, draft.key.utf8.count <= BeatRequest.longestKey else {
            throw RequestRefusal.key(most: BeatRequest.longestKey)
        }
        guard !words.isEmpty || draft.clip != nil else { throw RequestRefusal.empty }
        guard words.isWithin(BeatRequest.longestWords) else {
            throw RequestRefusal.tooLong(most: BeatRequest.longestWords)
        }
        try checkPeople(asker, draft.producer, at: now, in: database)
        guard try isProducer(draft.producer, database) else { throw RequestRefusal.notProducer }
        let waiting = try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT COUNT(*) FROM requests WHERE asker = ? AND producer = ?
                        AND phase IN ('asked', 'priced', 'countered', 'agreed')
                    """), arguments: [asker, draft.producer])
        guard waiting ?? 0 < BeatRequest.mostAtOnce else { throw RequestRefusal.enough(most: BeatRequest.mostAtOnce) }
        let oldest = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT created FROM requests WHERE asker = ? AND created > ?
                    ORDER BY created DESC LIMIT 1 OFFSET \(BeatRequest.mostPerDay - 1)
                    """), arguments: [asker, now - Self.day])
        if let oldest {
            let seconds = max(1, Int((oldest + Self.day - now + 999) / 1000))
            throw RequestRefusal.tooOften(most: BeatRequest.mostPerDay, seconds: seconds)
        }
        if let reference = draft.reference {
            let track = try Items.item(
                reference, board: board, for: .member(asker), library: library, in: database)
            guard track != nil else { throw RequestRefusal.notFound }
        }
        if let seconds = try StrangerLetters.admit(draft.producer, by: asker, at: now, in: database) {
            throw RequestRefusal.strangers(seconds: seconds)
        }
        if let clip = draft.clip {
            guard try ClipHearers.add(draft.producer, to: clip, of: asker, in: database) else {
                throw RequestRefusal.notYours
            }
        }
    }

    /// Who acts may, and reaches the other.
    func checkPeople(_ actor: AccountID, _ other: AccountID, at now: Int64, in database: Database) throws {
        guard actor != other else { throw RequestRefusal.own }
        guard try AccountStanding(of: actor, at: now, in: database)?.isActive == true else {
            throw RequestRefusal.noAccount
        }
        guard try AccountStanding(of: other, at: now, in: database)?.isActive == true,
            try !Ties.isBlocked(actor, other, in: database)
        else { throw RequestRefusal.notFound }
    }

    func refusing<Value: Sendable>(
        _ body: @Sendable (Database) throws -> Value
    ) async throws(RequestRefusal) -> Value {
        do { return try await library.transact(body) } catch { throw RequestRefusal(error) }
    }

    /// Writes to the other side, in the conversation of the two; who is told has her notice of it in the same transaction.
    func tell(_ event: RequestEvent, _ words: String, in database: Database) throws {
        guard let line = line(event) else { return }
        let request = event.request
        let handle = try String.fetchOne(
            database.cachedStatement(sql: "SELECT handle FROM accounts WHERE id = ?"),
            arguments: [request.person(event.side.other)])
        guard let handle else { return }
        let address = "\(links.publicURL)/\(board)/requests/\(request.id)"
        let said = [line, words].filter { !$0.isEmpty }.map(PostText.unaddressed)
        var draft = PostDraft(
            author: request.person(event.side), text: "@\(handle) \((said + [address]).joined(separator: "\n"))",
            link: address, key: "request:\(request.id):\(request.state.moves)")
        draft.visibility = .direct
        _ = try library.announce(draft, to: [request.person(event.side.other)], in: database)
    }
}
