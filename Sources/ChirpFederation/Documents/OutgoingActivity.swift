package import FoundationEssentials

/// What somebody of this hub has done, as other servers are told. Its id is made once and kept: what is sent again under the same id is
/// the same act.
package struct OutgoingActivity: Hashable, Sendable {
    package indirect enum Act: Hashable, Sendable {
        case create(LocalNote)
        case updateNote(LocalNote)
        case updateActor(LocalActor)
        /// A note; a `Tombstone` takes its place.
        case delete(ObjectID)
        /// The actor itself.
        case deleteActor
        case follow(ObjectID)
        /// Somebody's follow of the actor.
        case accept(follow: IncomingActivity.FollowReference)
        case reject(follow: IncomingActivity.FollowReference)
        case undo(OutgoingActivity)
        case like(ObjectID)
        case announce(ObjectID, published: Date)
        case block(ObjectID)
        /// A report. The actor must be the hub's own: who reports stays unknown.
        case flag([ObjectID], reason: String)
        case move(to: ObjectID)
    }

    package var id: ObjectID
    package var actor: ObjectID
    package var act: Act
    /// The collection of the actor's followers, named as recipients where an act is for them (create, update, delete, announce, move).
    package var followers: ObjectID?

    package init(id: ObjectID, actor: ObjectID, _ act: Act, followers: ObjectID? = nil) {
        self.id = id
        self.actor = actor
        self.act = act
        self.followers = followers
    }
}
