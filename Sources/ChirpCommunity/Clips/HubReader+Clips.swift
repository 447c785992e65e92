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

    /// What the link of a clip leads to.
    package func find(_ id: HubID) async throws(LibraryError) -> Found {
        let (seen, seenArguments) = visibleClips
        // What a moderator has taken from sight, or has not looked at yet, is there for its owner alone.
        let condition = """
            \(seen) AND (clips.owner IS ?
                OR NOT EXISTS (SELECT 1 FROM posts WHERE posts.clip = clips.id AND posts.state <> 'shown')
                AND NOT EXISTS (SELECT 1 FROM items WHERE items.clip = clips.id
                    AND (items.hidden OR items.shut OR items.state IN ('draft', 'withdrawn')))
                AND NOT EXISTS (SELECT 1 FROM comments WHERE comments.clip = clips.id
                    AND (comments.state <> 'shown' OR comments.shut))
                AND NOT EXISTS (SELECT 1 FROM itemMedia JOIN items ON items.id = itemMedia.item
                    WHERE itemMedia.clip = clips.id AND (itemMedia.shown = 0 OR items.hidden OR items.shut
                        OR items.state IN ('draft', 'withdrawn'))))
            """
        let arguments = seenArguments + [account]
        let now = HubLibrary.milliseconds(library.now())
        return try await library.read { database in
            let columns = HubLibrary.clipColumns(of: "clips")
            let row = try Row.fetchOne(
                database.cachedStatement(sql: "SELECT \(columns) FROM clips WHERE id = ? AND \(condition)"),
                arguments: [id.text] + arguments)
            if let clip = row.flatMap(HubClip.init) { return .clip(clip) }
            let isGone = try Bool.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT 1 FROM gone WHERE id = ? UNION SELECT 1 FROM clips WHERE id = ? AND expires <= ?
                        UNION SELECT 1 FROM items WHERE clip = ? AND NOT shut AND (hidden OR state = 'withdrawn')
                            AND state <> 'draft'
                        """), arguments: [id.text, id.text, now, id.text])
            return isGone == true ? .gone : .nothing
        }
    }

    /// The clip and the newest post about it, for its page. The sound of a clip is for all who have its address; its page with the
    /// words is for those who may see the post.
    package func page(of id: HubID) async throws(LibraryError) -> (found: Found, post: HubPost?) {
        let found = try await find(id)
        guard case .clip = found else { return (found, nil) }
        if let post = try await post(about: id) { return (found, post) }
        let isPosted = try await library.read { database in
            try Bool.fetchOne(database.cachedStatement(sql: "SELECT 1 FROM posts WHERE clip = ?"), arguments: [id.text])
                ?? false
        }
        return (isPosted ? .nothing : found, nil)
    }

    /// The bytes of a clip that was found.
    package func open(_ clip: HubClip) async -> ClipFile { await library.sound(of: clip.id) }
}
