internal import ChirpCommunity
internal import ChirpCore
internal import ChirpFederation
internal import ChirpHTTP

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
        case .create(let note): reply(note)
        case .updateNote(let note): .edit(address: note.id.text, text: Self.text(note))
        case .delete(let id): .remove(address: id.text)
        case .deleteActor: .leave
        case .block(let id): links.actorID(id).map { .block($0) }
        case .accept(let follow): follow.id.flatMap(links.activityID).map { .accept(activity: $0) }
        case .reject(let follow): follow.id.flatMap(links.activityID).map { .reject(activity: $0) }
        case .flag(let ids, let reason):
            .report(
                actors: ids.compactMap(links.actorID), posts: ids.compactMap(links.postID),
                text: PlainText.lines(reason, limit: 2000))
        // Whom nobody here follows may go where she likes.
        case .move, .updateActor, .ignored: nil
        }
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

    private static func text(_ note: RemoteNote) -> String {
        let text = [note.warning, note.text].compactMap { $0 }.joined(separator: "\n")
        return PlainText.lines(text, limit: RemoteReply.longest)
    }
}
