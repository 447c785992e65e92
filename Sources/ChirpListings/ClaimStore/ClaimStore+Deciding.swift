package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
internal import FoundationEssentials
internal import GRDB

extension ClaimStore {
    /// The listing's author accepts a claim: of all who accept, and of all claims at the listing, one. The claimant sees the place itself
    /// from then on, and is told in the same transaction; ``greet(_:links:under:)`` then opens the conversation.
    ///
    /// - Parameter greeting: the first words to her.
    /// - Throws: ``ClaimRefusal``.
    package func accept(_ id: HubID, by owner: AccountID, greeting: String) async throws {
        let greeting = PlainText.lines(greeting, limit: Claim.longestAnswer)
        let now = Accounts.milliseconds(library.now())
        try await library.transact { [library] database in
            let (claimant, listing, state) = try Self.open(id, of: owner, in: database)
            let item = try Items.item(
                listing, board: ListingStore.board, for: .member(owner), library: library, in: database)
            guard let item else { throw ClaimRefusal.notFound }
            guard item.state == .open else { throw ClaimRefusal.ended(item.state, since: item.ended) }
            guard !item.isFrozen else { throw ClaimRefusal.frozen }
            try database.cachedStatement(
                sql: """
                    UPDATE claims SET state = 'accepted', decided = ?, greeting = ?
                    WHERE id = ? AND state = 'open' AND NOT EXISTS (
                        SELECT 1 FROM claims AS others WHERE others.listing = claims.listing AND others.state = 'accepted')
                    """
            ).execute(arguments: [now, greeting, id.text])
            guard database.changesCount == 1 else {
                throw state == .open ? ClaimRefusal.taken : ClaimRefusal.decided(state)
            }
            try Items.letSeePlace(of: listing, claimant, at: now, in: database)
            try Self.tell(claimant, of: id, at: listing, by: owner, "accepted", now, in: database)
        }
    }

    /// The listing's author says no, also to a claim that she had accepted. The claimant is told.
    ///
    /// - Throws: ``ClaimRefusal``.
    package func refuse(_ id: HubID, by owner: AccountID) async throws {
        let now = Accounts.milliseconds(library.now())
        try await library.transact { database in
            let (claimant, listing, state) = try Self.open(id, of: owner, in: database)
            try database.cachedStatement(
                sql: "UPDATE claims SET state = 'refused', decided = ? WHERE id = ? AND state IN ('open', 'accepted')"
            ).execute(arguments: [now, id.text])
            guard database.changesCount == 1 else { throw ClaimRefusal.decided(state) }
            if state == .accepted { try Items.endSight(of: listing, claimant, in: database) }
            try Self.tell(claimant, of: id, at: listing, by: owner, "refused", now, in: database)
        }
    }

    /// The claimant takes it back; what she answered is forgotten at once. Her clip stays where she has used it otherwise.
    ///
    /// - Throws: ``ClaimRefusal``.
    package func withdraw(_ id: HubID, by claimant: AccountID) async throws {
        let now = Accounts.milliseconds(library.now())
        let clip = try await library.transact { database -> HubID? in
            let row = try Row.fetchOne(
                database.cachedStatement(sql: "SELECT state, clip, listing FROM claims WHERE id = ? AND claimant = ?"),
                arguments: [id.text, claimant])
            guard let row, let state = Claim.State(rawValue: row["state"]) else { throw ClaimRefusal.notFound }
            try database.cachedStatement(
                sql: """
                    UPDATE claims SET state = 'withdrawn', decided = ?, answer = '', clip = NULL
                    WHERE id = ? AND state IN ('open', 'accepted')
                    """
            ).execute(arguments: [now, id.text])
            guard database.changesCount == 1 else { throw ClaimRefusal.decided(state) }
            if state == .accepted, let listing = HubID(row["listing"] as String) {
                try Items.endSight(of: listing, claimant, in: database)
            }
            return (row["clip"] as String?).flatMap { HubID($0) }
        }
        if let clip { try await library.release(clip) }
    }

    /// Opens the conversation of an accepted claim: the author's first words go to the claimant alone, once, as any letter of the author's may.
    ///
    /// - Throws: ``PostingRefusal`` where the author may not write now; the greeting waits then.
    package func greet(_ id: HubID, links: HubLinks, under policy: PostingPolicy) async throws {
        let row = try await library.reading { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT owner, claimant, listing, greeting FROM claims
                        WHERE id = ? AND state = 'accepted' AND greeted = 0
                        """), arguments: [id.text]
            ).map { row -> (AccountID, AccountID, String, String) in
                (row["owner"], row["claimant"], row["listing"], row["greeting"])
            }
        }
        guard let (owner, claimant, listing, greeting) = row else { return }
        if let person = try await library.author(claimant) {
            let page = "\(links.publicURL)/\(ListingStore.board)/\(listing)"
            var draft = PostDraft(
                author: owner, text: "@\(person.handle) \(PostText.unaddressed(greeting))\n\(page)", link: page,
                key: "claim:\(id)")
            draft.people = [claimant]
            draft.visibility = .direct
            _ = try await library.post(draft, under: policy)
        }
        try await library.transact { database in
            try database.cachedStatement(sql: "UPDATE claims SET greeted = 1 WHERE id = ?").execute(arguments: [id.text]
            )
        }
    }

    /// What is left to do: conversations that were not opened, claims at listings that have ended, and answers that have had their time.
    package func sweep(links: HubLinks, under policy: PostingPolicy) async throws {
        let now = Accounts.milliseconds(library.now())
        let limit = now - Int64(clamping: Claim.memory * 1000)
        let ungreeted = try await library.reading { database in
            try String.fetchAll(
                database.cachedStatement(
                    sql: "SELECT id FROM claims WHERE state = 'accepted' AND greeted = 0 LIMIT 1000"))
        }
        for id in ungreeted.compactMap({ HubID($0) }) {
            do { try await greet(id, links: links, under: policy) } catch let refusal as PostingRefusal {
                // Whoever may not write now holds up nobody else.
                if case .library(let error) = refusal { throw error }
            }
        }
        let clips = try await library.transact { database -> [String] in
            // Nobody answers any more; the listing's own page says what became of it.
            try database.cachedStatement(
                sql: """
                    UPDATE claims SET state = 'refused', decided = ? WHERE state = 'open'
                        AND listing IN (SELECT item FROM listings WHERE isOpen = 0)
                    """
            ).execute(arguments: [now])
            let old = "state IN ('refused', 'withdrawn') AND decided <= ? AND (answer <> '' OR clip IS NOT NULL)"
            let clips = try String.fetchAll(
                database.cachedStatement(sql: "SELECT clip FROM claims WHERE clip IS NOT NULL AND \(old)"),
                arguments: [limit])
            try database.cachedStatement(sql: "UPDATE claims SET answer = '', clip = NULL WHERE \(old)").execute(
                arguments: [limit])
            return clips
        }
        for clip in clips.compactMap({ HubID($0) }) { try await library.release(clip) }
    }

    private static func open(
        _ id: HubID, of owner: AccountID, in database: Database
    ) throws -> (claimant: AccountID, listing: HubID, state: Claim.State) {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT claimant, listing, state FROM claims WHERE id = ? AND owner = ?"),
            arguments: [id.text, owner])
        guard let row, let listing = HubID(row["listing"] as String), let state = Claim.State(rawValue: row["state"])
        else { throw ClaimRefusal.notFound }
        return (row["claimant"], listing, state)
    }

    private static func tell(
        _ claimant: AccountID, of id: HubID, at listing: HubID, by owner: AccountID, _ what: String, _ now: Int64,
        in database: Database
    ) throws {
        try Notice.add(
            Notice.Draft(
                account: claimant, kind: .claim, actor: owner, item: listing, cause: "claim:\(id):\(what)"),
            at: now, in: database)
    }
}
