internal import ChirpCommunity
internal import ChirpCore
internal import ChirpFederation
internal import ChirpHTTP
internal import ChirpNetworks

extension InboxDesk {
    /// What an activity does here; nil for what does nothing.
    func act(_ activity: IncomingActivity) -> RemoteAct? {
        switch activity.content {
        case .follow(let id): links.actorID(id).map { .follow($0) }
        case .undo(.follow(_, let id)): links.actorID(id).map { .unfollow($0) }
        case .undo(.like(_, let id)): links.postID(id).map { .unmark($0, .like) }
        case .undo(.announce(_, let id)): links.postID(id).map { .unmark($0, .announce) }
        case .undo(.block(_, let id)): links.actorID(id).map { .unblock($0) }
        case .undo(.activity(let id)): .undo(activity: id.text)
        case .like(let id): links.postID(id).map { .mark($0, .like) }
        case .announce(let id, _): links.postID(id).map { .mark($0, .announce) }
        case .create(let note): reply(note) ?? clip(note)
        case .updateNote(let note): .edit(address: note.id.text, text: Self.text(note), clip: Self.words(note))
        case .delete(let id): .remove(address: id.text)
        case .deleteActor: .leave
        case .block(let id): links.actorID(id).map { .block($0) }
        case .accept(let follow): asked(follow).map { .accept(activity: $0.activity, follower: $0.follower) }
        case .reject(let follow): asked(follow).map { .reject(activity: $0.activity, follower: $0.follower) }
        case .flag(let ids, let reason):
            .report(
                actors: ids.compactMap(links.actorID), posts: ids.compactMap(links.postID),
                text: PlainText.lines(reason, limit: 2000))
        // Those are more than one act.
        case .move, .updateActor: nil
        case .ignored: nil
        }
    }

    /// Which follow of this hub's is answered. Some servers name what asked for it, others only who did; its id may then be one of theirs. That
    /// it was for whom the answer is of was checked before.
    private func asked(_ follow: IncomingActivity.FollowReference) -> (activity: String?, follower: String?)? {
        let follower = follow.follower.flatMap(links.actorID)
        guard (follow.follower == nil) == (follower == nil) else { return nil }
        let activity = follow.id.flatMap(links.activityID)
        return activity == nil && follower == nil ? nil : (activity: activity, follower: follower)
    }

    /// An answer to a clip of this hub that everybody may read. Messages to somebody alone stay where they were written.
    private func reply(_ note: RemoteNote) -> RemoteAct? {
        guard let above = note.inReplyTo, let post = links.postID(above),
            note.audience == .everybody || note.audience == .unlisted
        else { return nil }
        return .reply(
            to: post,
            RemoteReply(
                address: note.id.text, text: Self.text(note), page: note.page?.text ?? note.id.address.text))
    }

    /// A clip as everywhere (CH-9): a post with the hashtag, and sound or a link to some, that everybody may see. Whether anybody here follows
    /// its author the library knows.
    private func clip(_ note: RemoteNote) -> RemoteAct? {
        guard note.audience == .everybody || note.audience == .unlisted, Self.hasTag(note),
            let (sound, title) = Self.sound(of: note)
        else { return nil }
        return .clip(
            RemoteClip.Draft(
                address: note.id.text, sound: sound, title: PlainText(title, limit: 200).value,
                words: Self.words(note), page: note.page?.text ?? note.id.address.text, published: note.published))
    }

    /// Where the sound of a post lies, and what it is called: what it carries, or what its words link to.
    private static func sound(of note: RemoteNote) -> (address: String, title: String)? {
        if let carried = note.sounds.first { return (carried.address.text, carried.name) }
        let links = ClipLinks(hubs: [])
        for case .link(let link) in PostText.parts(of: note.text) where links.address(of: link) != nil {
            return (link, "")
        }
        return nil
    }

    private static func hasTag(_ note: RemoteNote) -> Bool {
        (note.hashtags + PostText.tags(in: note.text)).contains { $0.lowercased() == "chirp" }
    }

    /// The tag is among them in any case: programs that listen look for it there.
    private static func words(_ note: RemoteNote) -> RemoteClip.Words {
        let text = PlainText.lines(note.text, limit: RemoteClip.Words.longest)
        let isTagged = PostText.tags(in: text).contains { $0.lowercased() == "chirp" }
        return RemoteClip.Words(
            text: isTagged ? text : text.isEmpty ? "#Chirp" : "\(text) #Chirp",
            spoiler: PlainText(note.warning ?? "", limit: 500).value, language: note.language)
    }

    private static func text(_ note: RemoteNote) -> String {
        let text = [note.warning, note.text].compactMap { $0 }.joined(separator: "\n")
        return PlainText.lines(text, limit: RemoteReply.longest)
    }
}
