internal import ChirpCore
internal import GRDB

/// What was spoken at a frame. Clip and post are one transaction: a process that dies leaves a file at most, which is swept.
extension HubLibrary {
    /// Posts a clip whose file is in its place; one post per author and key however often it is asked for. The clip of a repetition is not
    /// kept.
    ///
    /// - Parameter policy: what new accounts may post.
    /// - Returns: nil when there is no room for the clip.
    package func answer(
        _ draft: PostDraft, with clip: HubClip, under policy: PostingPolicy
    ) async throws(PostingRefusal) -> HubPost? {
        let now = Self.milliseconds(now())
        let posts: [HubPost]
        do throws(PostingRefusal) {
            posts = try await posting { [limit] database -> [HubPost] in
                let known = try self.posts(
                    "posts.account = ? AND posts.key = ?", [draft.author, draft.key], "posts.sequence LIMIT 1",
                    in: database)
                guard known.isEmpty else { return known }
                if let limit {
                    let free = limit - ByteCount(try Self.usedBytes(database)) - (try Self.announced(database))
                    guard ByteCount(clip.bytes) <= free else { return [] }
                }
                try Self.insert(clip, database)
                return try self.admit(draft, under: policy, at: now, in: database)
            }
        } catch {
            try await drop(clip)
            throw error
        }
        if posts.first?.clip?.id != clip.id { try await drop(clip) }
        return posts.first
    }

    private func drop(_ clip: HubClip) async throws(PostingRefusal) {
        do throws(LibraryError) {
            try await offPool { [media] () throws(LibraryError) in try media.remove(clip.id) }
        } catch {
            throw .library(error)
        }
    }
}
