internal import ChirpCore
internal import GRDB

extension HubReader {
    /// What an id leads to.
    package enum Found: Hashable, Sendable {
        case clip(HubClip)
        /// There was one; it was removed, has expired, or what it was said about was hidden or taken back.
        case gone
        /// There never was one, or this viewer may not see it.
        case nothing
    }

    /// What an address of a clip's sound leads to.
    package enum FoundSound: Hashable, Sendable {
        /// - Parameter isForEverybody: visitors may see its page too. Otherwise the address is all that lets its holder hear it: nothing
        ///   else is told of the clip there.
        case clip(HubClip, isForEverybody: Bool)
        case gone
        case nothing
    }

    /// What this viewer may see of a clip: its page, and whatever else has its title, words or picture (decision 0701).
    package func clip(_ id: HubID) async throws(LibraryError) -> Found {
        let sight = postedFor(self)
        let (found, isSeen) = try await row(id, sight)
        guard let clip = found else { return try await isGone(id) ? .gone : .nothing }
        return isSeen ? .clip(clip) : .nothing
    }

    /// A clip by the address of its sound, which is all that players send: they have no session. Titles, words and pictures are asked for by
    /// ``clip(_:)``.
    package func sound(at id: HubID) async throws(LibraryError) -> FoundSound {
        let sight = postedFor(library.seen(by: .visitor))
        let (found, isForEverybody) = try await row(id, sight)
        guard let clip = found else { return try await isGone(id) ? .gone : .nothing }
        return .clip(clip, isForEverybody: isForEverybody)
    }

    /// The clip, and the newest post about it, for its page.
    package func page(of id: HubID) async throws(LibraryError) -> (found: Found, post: HubPost?) {
        let found = try await clip(id)
        guard case .clip = found else { return (found, nil) }
        return (found, try await post(about: id))
    }

    /// A clip of the viewer's own, whether others may hear it or not; nil: there is none of theirs.
    package func ownClip(_ id: HubID) async throws(LibraryError) -> HubClip? {
        guard let account else { return nil }
        let columns = HubLibrary.clipColumns(of: "clips")
        return try await library.read { [library] database in
            try Row.fetchOne(
                database.cachedStatement(sql: "SELECT \(columns) FROM clips WHERE id = ? AND COALESCE(owner, ?) = ?"),
                arguments: [id.text, library.owner.id, account]
            ).flatMap(HubClip.init)
        }
    }

    /// A clip for a moderator, who hears what a case is about though others do not; nil for everybody else.
    package func moderatedClip(_ id: HubID) async throws(LibraryError) -> HubClip? {
        guard let account else { return nil }
        let columns = HubLibrary.clipColumns(of: "clips")
        return try await library.read { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT \(columns) FROM clips WHERE id = ? AND EXISTS (SELECT 1 FROM accounts
                            WHERE accounts.id = ? AND role IN ('moderator', 'owner') AND state = 'active')
                        """), arguments: [id.text, account]
            ).flatMap(HubClip.init)
        }
    }

    /// The bytes of a clip that was found.
    package func open(_ clip: HubClip) async -> ClipFile { await library.sound(of: clip.id) }

    /// A condition on `clips` that a viewer sees a post about it, or that nobody has posted it: then its link is all there is.
    private func postedFor(_ viewer: HubReader) -> (sql: String, arguments: StatementArguments) {
        let visible = viewer.visiblePosts
        return (
            """
            (NOT EXISTS (SELECT 1 FROM posts WHERE posts.clip = clips.id)
                OR EXISTS (SELECT 1 FROM posts JOIN accounts ON accounts.id = posts.account
                    WHERE posts.clip = clips.id AND \(visible.sql)))
            """, visible.arguments
        )
    }

    /// - Parameter sight: asked of the clip, and told beside it.
    private func row(
        _ id: HubID, _ sight: (sql: String, arguments: StatementArguments)
    ) async throws(LibraryError) -> (clip: HubClip?, isSeen: Bool) {
        let (seen, seenArguments) = visibleClips
        let shown = "NOT items.hidden AND NOT items.shut AND items.state NOT IN ('draft', 'withdrawn')"
        // What a moderator has taken from sight, or has not looked at yet, is there for its owner alone; so is what a closed account has. A clip may
        // have several uses: while others see one of them they hear it, whatever became of another. A post that tells of something at an item is
        // one as long as the item is seen.
        let sql = """
            SELECT \(HubLibrary.clipColumns(of: "clips")), \(sight.sql) AS isSeen FROM clips
            WHERE clips.id = ? AND \(seen) AND (COALESCE(clips.owner, ?) IS ?
                OR NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = clips.owner AND accounts.state = 'closed')
                AND (EXISTS (SELECT 1 FROM posts WHERE posts.clip = clips.id AND posts.state = 'shown'
                        AND NOT EXISTS (SELECT 1 FROM itemPosts JOIN items ON items.id = itemPosts.item
                            WHERE itemPosts.post = posts.sequence AND NOT (\(shown))))
                    OR EXISTS (SELECT 1 FROM items WHERE items.clip = clips.id AND \(shown))
                    OR EXISTS (SELECT 1 FROM comments JOIN items ON items.sequence = comments.item
                        WHERE comments.clip = clips.id AND comments.state = 'shown' AND NOT comments.shut AND \(shown))
                    OR EXISTS (SELECT 1 FROM itemMedia JOIN items ON items.id = itemMedia.item
                        WHERE itemMedia.clip = clips.id AND itemMedia.shown AND \(shown))
                    OR NOT EXISTS (SELECT 1 FROM posts WHERE posts.clip = clips.id)
                        AND NOT EXISTS (SELECT 1 FROM items WHERE items.clip = clips.id)
                        AND NOT EXISTS (SELECT 1 FROM comments WHERE comments.clip = clips.id)
                        AND NOT EXISTS (SELECT 1 FROM itemMedia WHERE itemMedia.clip = clips.id)))
            """
        let arguments = sight.arguments + [id.text] + seenArguments + [library.owner.id, account]
        return try await library.read { database in
            let row = try Row.fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
            return (row.flatMap(HubClip.init), row.map { $0["isSeen"] as Bool } ?? false)
        }
    }

    private func isGone(_ id: HubID) async throws(LibraryError) -> Bool {
        let now = HubLibrary.milliseconds(library.now())
        return try await library.read { database in
            try Bool.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT 1 FROM gone WHERE id = ? UNION SELECT 1 FROM clips WHERE id = ? AND expires <= ?
                        UNION SELECT 1 FROM items WHERE clip = ? AND NOT shut AND (hidden OR state = 'withdrawn')
                            AND state <> 'draft'
                        """), arguments: [id.text, id.text, now, id.text]) ?? false
        }
    }
}
