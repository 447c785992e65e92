internal import ChirpCore
internal import FoundationEssentials

extension IncomingActivity {
    private static let mostReported = 100

    /// Reads what came to an inbox.
    ///
    /// - Throws: what an activity of its type cannot do without, and what is said of others than the actor where that is not the actor's
    ///   to say. Of types that are not known nothing is read but id and actor.
    package init(reading bytes: [UInt8]) throws(DocumentError) { try self.init(DocumentValue(reading: bytes)) }

    package init(_ document: DocumentValue) throws(DocumentError) {
        guard case .object = document else { throw .malformed("@context") }
        let actor = try document.neededID("actor")
        let id = document["id"] == nil ? nil : try document.neededID("id")
        if let id, id.origin != actor.origin { throw .foreign("id") }
        self.init(id: id, actor: actor, content: try Self.content(document, of: actor))
    }

    private static func content(_ document: DocumentValue, of actor: ObjectID) throws(DocumentError) -> Content {
        let types = try document.types()
        switch types[0] {
        case "Follow": return .follow(try document.neededID("object"))
        case "Like": return .like(try document.neededID("object"))
        case "Block": return .block(try document.neededID("object"))
        case "Announce": return .announce(try document.neededID("object"), published: document.date("published"))
        case "Accept": return try answer(document, of: actor).map(Content.accept) ?? .ignored("Accept")
        case "Reject": return try answer(document, of: actor).map(Content.reject) ?? .ignored("Reject")
        case "Undo": return try undone(document, of: actor).map(Content.undo) ?? .ignored("Undo")
        case "Create": return try created(document, of: actor)
        case "Update": return try updated(document, of: actor)
        case "Delete":
            let object = try document.neededID("object")
            if object == actor { return .deleteActor }
            guard object.origin == actor.origin else { throw .foreign("object") }
            return .delete(object)
        case "Flag":
            let objects = (document["object"]?.items ?? []).prefix(mostReported).compactMap(\.id)
            guard !objects.isEmpty else { throw .missing("object") }
            return .flag(objects, reason: document.plainHTML("content", limit: 5000))
        case "Move":
            guard try document.neededID("object") == actor else { throw .foreign("object") }
            return .move(to: try document.neededID("target"))
        default: return .ignored(PlainText(types[0], limit: 60).value)
        }
    }

    private static func created(_ document: DocumentValue, of actor: ObjectID) throws(DocumentError) -> Content {
        // Named only by its id, or of a kind that is not known here, such as a vote.
        guard let object = document["object"]?.items.first, case .object = object,
            try object.types().contains(where: Vocabulary.posts.contains)
        else { return .ignored("Create") }
        return .create(try note(object, by: actor))
    }

    private static func updated(_ document: DocumentValue, of actor: ObjectID) throws(DocumentError) -> Content {
        guard let object = document["object"]?.items.first, case .object = object else { return .ignored("Update") }
        let types = try object.types()
        if types.contains(where: { RemoteActor.Kind(rawValue: $0) != nil }) {
            guard object.id == actor else { throw .foreign("object") }
            return .updateActor(try RemoteActor(object))
        }
        guard types.contains(where: Vocabulary.posts.contains) else { return .ignored("Update") }
        return .updateNote(try note(object, by: actor))
    }

    private static func note(_ object: DocumentValue, by actor: ObjectID) throws(DocumentError) -> RemoteNote {
        let note = try RemoteNote(object)
        guard note.author == actor else { throw .foreign("attributedTo") }
        return note
    }

    /// Nil when it is no follow that is answered.
    private static func answer(
        _ document: DocumentValue, of actor: ObjectID
    ) throws(DocumentError) -> FollowReference? {
        let id = document.id("object")
        guard let object = document["object"]?.items.first else { throw .missing("object") }
        guard case .object = object else {
            guard let id else { throw .malformed("object") }
            return FollowReference(id: id, follower: nil, followed: nil)
        }
        guard object["type"]?.text == "Follow" || object["type"] == nil else { return nil }
        let followed = object.id("object")
        if let followed, followed != actor { throw .foreign("object") }
        let follower = object.id("actor")
        guard id != nil || follower != nil else { throw .malformed("object") }
        return FollowReference(id: id, follower: follower, followed: followed)
    }

    /// Nil when it is something that is not known here.
    private static func undone(_ document: DocumentValue, of actor: ObjectID) throws(DocumentError) -> Undone? {
        guard let object = document["object"]?.items.first else { throw .missing("object") }
        let id = object.id
        // What is taken back was done by the same.
        if let id, id.origin != actor.origin { throw .foreign("object") }
        if let by = object.id("actor"), by != actor { throw .foreign("object") }
        guard let type = object["type"]?.text, object["object"] != nil else {
            guard let id else { throw .malformed("object") }
            return .activity(id)
        }
        switch type {
        case "Follow": return .follow(id: id, try object.neededID("object"))
        case "Like": return .like(id: id, try object.neededID("object"))
        case "Announce": return .announce(id: id, try object.neededID("object"))
        case "Block": return .block(id: id, try object.neededID("object"))
        default: return nil
        }
    }
}
