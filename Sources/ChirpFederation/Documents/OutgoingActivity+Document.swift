internal import ChirpHTTP
internal import FoundationEssentials

extension OutgoingActivity {
    /// With its `@context`, to be sent.
    package var document: DocumentValue { item.withContext }

    /// Without it, as an item of an outbox.
    package var item: DocumentValue {
        let parts = parts
        return DocumentValue(members: [
            "id": .text(id.text), "type": .text(parts.type), "actor": .text(actor.text), "object": parts.object,
            "to": parts.to, "cc": parts.cc, "published": parts.published.map { .text(InstantText.format($0)) },
            "content": parts.content.map { .text(PostHTML($0).text) }, "target": parts.target,
        ])
    }

    private struct Parts {
        let type: String
        let object: DocumentValue
        var to: DocumentValue?
        var cc: DocumentValue?
        var published: Date?
        var content: String?
        var target: DocumentValue?
    }

    private var everybody: DocumentValue { [.text(Vocabulary.everybody)] }
    private var toFollowers: DocumentValue? { followers.map { [.text($0.text)] } }

    private var parts: Parts {
        switch act {
        case .create(let note):
            return Parts(type: "Create", object: note.item, to: note.to, cc: note.cc, published: note.published)
        case .updateNote(let note):
            return Parts(type: "Update", object: note.item, to: note.to, cc: note.cc, published: note.updated)
        case .updateActor(let actor):
            return Parts(type: "Update", object: actor.item, to: everybody, cc: toFollowers)
        case .delete(let object):
            return Parts(
                type: "Delete", object: ["id": .text(object.text), "type": "Tombstone"], to: everybody, cc: toFollowers)
        case .deleteActor: return Parts(type: "Delete", object: .text(actor.text), to: everybody, cc: toFollowers)
        case .follow(let object): return Parts(type: "Follow", object: .text(object.text), to: [.text(object.text)])
        case .accept(let follow):
            return Parts(
                type: "Accept", object: follow.item, to: follow.follower.map { [.text($0.text)] })
        case .reject(let follow):
            return Parts(
                type: "Reject", object: follow.item, to: follow.follower.map { [.text($0.text)] })
        case .undo(let activity):
            let undone = activity.parts
            return Parts(type: "Undo", object: activity.item, to: undone.to, cc: undone.cc)
        case .like(let object): return Parts(type: "Like", object: .text(object.text))
        case .announce(let object, let published):
            return Parts(
                type: "Announce", object: .text(object.text), to: everybody, cc: toFollowers, published: published)
        case .block(let object): return Parts(type: "Block", object: .text(object.text), to: [.text(object.text)])
        case .flag(let objects, let reason):
            return Parts(type: "Flag", object: .list(objects.map { .text($0.text) }), content: reason)
        case .move(let target):
            return Parts(type: "Move", object: .text(actor.text), to: toFollowers, target: .text(target.text))
        }
    }
}

extension IncomingActivity.FollowReference {
    /// The whole follow: some servers know it by its id, others by who follows whom.
    fileprivate var item: DocumentValue {
        DocumentValue(members: [
            "type": "Follow", "id": id.map { .text($0.text) }, "actor": follower.map { .text($0.text) },
            "object": followed.map { .text($0.text) },
        ])
    }
}
