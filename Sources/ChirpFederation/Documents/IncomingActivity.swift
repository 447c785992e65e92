package import FoundationEssentials

/// What another server says that somebody there has done. Who that is must be the owner of the key that signed the request:
/// ``SignatureClaim`` and `actor` are compared by the caller with ``FederationRules/refusal(of:signedBy:)``.
package struct IncomingActivity: Hashable, Sendable {
    /// Of the same origin as the actor; nil when it has none, which some servers do for what need not be remembered.
    package let id: ObjectID?
    package let actor: ObjectID
    package let content: Content

    package enum Content: Hashable, Sendable {
        /// Wants to follow somebody here.
        case follow(ObjectID)
        /// Has accepted a follow of ours.
        case accept(FollowReference)
        /// Has refused a follow of ours, or ended it.
        case reject(FollowReference)
        case undo(Undone)
        case like(ObjectID)
        case announce(ObjectID, published: Date?)
        /// The note's author is the actor.
        case create(RemoteNote)
        /// The note's author is the actor.
        case updateNote(RemoteNote)
        /// It is the actor itself.
        case updateActor(RemoteActor)
        /// Something of the actor's own origin; whether it is the actor's own is known by who has it.
        case delete(ObjectID)
        /// The actor itself is gone.
        case deleteActor
        case block(ObjectID)
        /// A report: at most 100 things of this server, people among them, and why; at most 5,000 characters.
        case flag([ObjectID], reason: String)
        /// The actor has gone to another place, which must confirm it (`alsoKnownAs`).
        case move(to: ObjectID)
        /// Anything else: the name of its type, plain, at most 60 characters.
        case ignored(String)
    }

    /// Which follow is answered: by its id, or by who follows whom, or by both.
    package struct FollowReference: Hashable, Sendable {
        package let id: ObjectID?
        package let follower: ObjectID?
        package let followed: ObjectID?

        package init(id: ObjectID?, follower: ObjectID?, followed: ObjectID?) {
            self.id = id
            self.follower = follower
            self.followed = followed
        }
    }

    /// What is taken back. Some servers name only the id.
    package enum Undone: Hashable, Sendable {
        case follow(id: ObjectID?, ObjectID)
        case like(id: ObjectID?, ObjectID)
        case announce(id: ObjectID?, ObjectID)
        case block(id: ObjectID?, ObjectID)
        /// An activity of which nothing but its id is said.
        case activity(ObjectID)
    }
}
