package import ChirpCommunity
internal import ChirpCore
package import ChirpFederation
internal import ChirpHTTP
package import ChirpNumbers

/// What other servers read of this hub: never more than everybody may see, and only of those who have switched it on.
extension Fediverse {
    /// How many clips a page of an outbox has.
    static let perPage = 20

    /// Whom WebFinger asks for; nil for nobody who is told of.
    package func actor(of subject: WebFinger.Subject) async throws -> LocalActor? {
        switch subject {
        case .account(let handle, let host):
            guard host == links.host else { return nil }
            if handle == HubDocuments.hubHandle(links) { return try await documents.actor(hub.actor()) }
            return try await actor(named: handle)
        case .address(let address):
            if let id = links.actorID(ObjectID(address)) {
                guard let actor = try await library.federationActor(id) else { return nil }
                return try await documents.actor(actor)
            }
            let page = links.page("/@").text
            guard address.text.hasPrefix(page) else { return nil }
            return try await actor(named: address.text.dropFirst(page.count))
        }
    }

    /// Somebody by her handle, also by one that she had.
    package func actor(named handle: some StringProtocol) async throws -> LocalActor? {
        let reader = library.seen(by: .visitor)
        var person = try await reader.person(named: String(handle))
        if person == nil, let now = try await reader.handle(formerly: String(handle)) {
            person = try await reader.person(named: now)
        }
        guard let person, let actor = try await library.federationActor(of: person.id) else { return nil }
        return try await documents.actor(actor)
    }

    /// A clip that was posted for everybody, by the id of its post.
    package func note(_ post: String) async throws -> LocalNote? {
        try await note(of: library.seen(by: .visitor).post(named: post))
    }

    /// The same by the clip's id.
    package func note(ofClip id: String) async throws -> LocalNote? {
        guard let id = HubID(id) else { return nil }
        return try await note(of: library.seen(by: .visitor).post(about: id))
    }

    private func note(of post: HubPost?) async throws -> LocalNote? {
        guard let post, let actor = try await library.federationActor(of: post.author.id), actor.isOn else {
            return nil
        }
        return try await documents.note(post, of: actor.id)
    }

    /// That a clip was posted, as an outbox has it.
    package func creation(of note: LocalNote, post: String) -> OutgoingActivity {
        OutgoingActivity(
            id: links.creation(of: post), actor: note.author, .create(note), followers: ObjectID(note.followers))
    }

    /// How many clips an actor has posted for everybody.
    package func posts(of actor: FederationActor) async throws -> Int {
        guard let author = actor.author else { return 0 }
        return try await library.seen(by: .visitor).publishedClips(of: author.id)
    }

    /// How many follow an actor, here and elsewhere.
    package func followers(of actor: FederationActor) async throws -> Int {
        guard let author = actor.author else { return 0 }
        return try await library.seen(by: .visitor).people(.these([author.id]), limit: 1).first?.followers ?? 0
    }

    /// A page of what an actor has posted, the newest first.
    ///
    /// - Parameter before: a place in the feed.
    package func outbox(
        of actor: FederationActor, before: PageCursor
    ) async throws -> (items: [DocumentValue], next: PageCursor?) {
        guard let author = actor.author else { return ([], nil) }
        let posts = try await library.seen(by: .visitor).posts(
            before: before, .published(author.id), limit: Self.perPage)
        var items: [DocumentValue] = []
        for post in posts {
            guard let note = try await documents.note(post, of: actor.id) else { continue }
            items.append(creation(of: note, post: post.id).item)
        }
        return (items, posts.count == Self.perPage ? posts.last.map { PageCursor($0.sequence) } : nil)
    }
}
