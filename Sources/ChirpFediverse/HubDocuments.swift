package import ChirpCommunity
internal import ChirpCore
package import ChirpFederation
internal import ChirpHTTP
internal import FoundationEssentials

/// What other servers are told of people, clips and acts of this hub: made of what everybody may see there, at the moment when it is told.
package struct HubDocuments: Sendable {
    let library: HubLibrary
    let links: FediverseLinks

    private var reader: HubReader { library.seen(by: .visitor) }

    /// An actor; nil for one that cannot be told of.
    package func actor(_ actor: FederationActor) async throws(LibraryError) -> LocalActor? {
        guard let key = try? ActorKey(pem: actor.key), actor.isOn else { return nil }
        if actor.isHub { return hub(actor, key) }
        guard let author = actor.author,
            let person = try await reader.people(.these([author.id]), limit: 1).first
        else { return nil }
        let portrait = try await reader.portrait(of: author.id)
        return LocalActor(
            id: links.actor(actor.id), handle: author.handle, name: person.author.name, summary: person.bio,
            page: links.page("/@\(author.handle)"), inbox: links.inbox(actor.id), outbox: links.outbox(actor.id),
            sharedInbox: links.sharedInbox, followers: links.followers(actor.id),
            following: links.following(actor.id),
            icon: portrait.map { _ in
                LocalActor.Icon(address: links.page("/@\(author.handle)/picture"), mediaType: "image/jpeg")
            },
            created: person.created, publicPEM: key.publicPEM)
    }

    /// The hub itself, which signs what it asks for.
    private func hub(_ actor: FederationActor, _ key: ActorKey) -> LocalActor {
        // A name that no account has: handles hold no dot.
        LocalActor(
            id: links.actor(actor.id), kind: .application, handle: Self.hubHandle(links), name: links.host,
            page: links.page("/about"), inbox: links.inbox(actor.id), outbox: links.outbox(actor.id),
            sharedInbox: links.sharedInbox, isDiscoverable: false, approvesFollowers: true, created: actor.created,
            publicPEM: key.publicPEM)
    }

    /// The name by which the hub's own actor is found.
    package static func hubHandle(_ links: FediverseLinks) -> String {
        String(links.publicURL.host.map { $0 == ":" ? "." : $0 })
    }

    /// Who signs with an actor's key.
    func signer(_ actor: FederationActor) -> Signer? {
        guard let key = try? ActorKey(pem: actor.key) else { return nil }
        return Signer(key: key, keyID: links.actor(actor.id).fragment("main-key"))
    }

    /// A clip that somebody has posted for everybody, or an answer to one that was posted elsewhere.
    package func note(_ post: HubPost, of actor: String) async throws(LibraryError) -> LocalNote? {
        let reply = try await library.outwardReply(post.id)
        guard !post.isWithheld, post.visibility == .published ? post.clip != nil || reply != nil : reply != nil,
            post.visibility == .published || post.visibility == .unlisted
        else { return nil }
        var note = LocalNote(
            id: links.note(post.id), author: links.actor(actor), followers: links.followers(actor),
            page: links.page(post.clip.map { "/c/\($0.id)" } ?? "/p/\(post.id)"), text: post.text,
            warning: post.spoiler.isEmpty ? nil : post.spoiler, language: post.language, published: post.created,
            audience: post.visibility == .published ? .everybody : .unlisted,
            hashtags: PostText.tags(in: post.text), tagPage: links.page("/tags"))
        if let clip = post.clip {
            let transcript = try await reader.transcript(of: clip.id)
            note.sounds = [
                LocalNote.Sound(
                    address: links.page("/media/\(clip.id).mp3"), mediaType: clip.contentType, name: clip.displayTitle,
                    summary: transcript.flatMap { $0.isTimed ? nil : PlainText($0.text, limit: 1500).value })
            ]
            if !note.hashtags.contains(where: { $0.lowercased() == "chirp" }) { note.hashtags.append("Chirp") }
        }
        if let reply, let above = ObjectID(reply.above), let author = ObjectID(reply.author) {
            note.inReplyTo = above
            note.mentions = [LocalNote.Mention(id: author, name: "@\(reply.handle)")]
            // Servers tell whom a note names.
            note.text = "@\(reply.handle) \(post.text)"
        }
        return note
    }

    /// What a delivery tells; nil when there is nothing to tell any more, as of a clip that was deleted since.
    func activity(_ delivery: FederationDelivery) async throws(LibraryError) -> OutgoingActivity? {
        guard let act = try await act(delivery) else { return nil }
        let isForFollowers = delivery.target.isEmpty || delivery.kind == .announce || delivery.kind == .unannounce
        let followers = isForFollowers ? ObjectID(links.followers(delivery.actor.id)) : nil
        return OutgoingActivity(
            id: links.activity(delivery.activityID), actor: links.actor(delivery.actor.id), act, followers: followers)
    }

    private func act(_ delivery: FederationDelivery) async throws(LibraryError) -> OutgoingActivity.Act? {
        let actor = delivery.actor
        switch delivery.kind {
        case .create, .update:
            guard actor.isOn, let post = try await reader.post(named: delivery.object),
                post.author.id == actor.author?.id, let note = try await note(post, of: actor.id)
            else { return nil }
            return delivery.kind == .create ? .create(note) : .updateNote(note)
        case .delete: return .delete(links.note(delivery.object))
        case .profile: return try await self.actor(actor).map { .updateActor($0) }
        case .farewell: return .deleteActor
        case .accept, .reject:
            guard let follow = ObjectID(delivery.object), let follower = ObjectID(delivery.target) else { return nil }
            let asked = IncomingActivity.FollowReference(
                id: follow, follower: follower, followed: links.actor(actor.id))
            return delivery.kind == .accept ? .accept(follow: asked) : .reject(follow: asked)
        case .follow: return ObjectID(delivery.target).map { .follow($0) }
        case .unfollow: return ObjectID(delivery.target).map { undo(delivery, .follow($0)) }
        case .like: return ObjectID(delivery.about).map { .like($0) }
        case .unlike: return ObjectID(delivery.about).map { undo(delivery, .like($0)) }
        case .announce: return ObjectID(delivery.about).map { .announce($0, published: delivery.created) }
        case .unannounce:
            return ObjectID(delivery.about).map { undo(delivery, .announce($0, published: delivery.created)) }
        }
    }

    /// Takes back what an activity has told.
    private func undo(_ delivery: FederationDelivery, _ act: OutgoingActivity.Act) -> OutgoingActivity.Act {
        .undo(
            OutgoingActivity(
                id: links.activity(delivery.object), actor: links.actor(delivery.actor.id), act,
                followers: delivery.kind == .unannounce ? ObjectID(links.followers(delivery.actor.id)) : nil))
    }
}
