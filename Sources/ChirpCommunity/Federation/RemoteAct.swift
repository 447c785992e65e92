/// What somebody elsewhere does to people and posts here. Who she is was proved before.
package enum RemoteAct: Hashable, Sendable {
    /// Follows an actor of this hub's, by the id of the actor.
    case follow(String)
    case unfollow(String)
    /// Likes or shares a post, by the post's id.
    case mark(String, Mark)
    /// Takes that back.
    case unmark(String, Mark)
    /// Takes back whatever an activity of hers has done.
    case undo(activity: String)
    /// Answers a post.
    case reply(to: String, RemoteReply)
    /// Has posted a clip.
    case clip(RemoteClip.Draft)
    /// Has changed an answer of hers, or the words of a clip.
    case edit(address: String, text: String, clip: RemoteClip.Words? = nil)
    /// An answer of hers, or a clip, is there no more.
    case remove(address: String)
    /// She is there no more.
    case leave
    /// Has gone to another place, which says so too: somebody among the remote actors.
    case move(to: RemotePerson.ID)
    case block(String)
    case unblock(String)
    /// Lets somebody here follow her, or does not: by the end of the address of what asked for it, by the id of the actor who did, or by
    /// both, which must fit.
    case accept(activity: String? = nil, follower: String? = nil)
    case reject(activity: String? = nil, follower: String? = nil)
    /// Her server reports people and posts here; plain text.
    case report(actors: [String], posts: [String], text: String)

    package enum Mark: String, Hashable, Sendable, CaseIterable { case like, announce }
}

/// An answer that somebody elsewhere has given to a post here.
package struct RemoteReply: Hashable, Sendable {
    /// Its own.
    package let address: String
    /// Plain text.
    package let text: String
    /// Where it is to be read.
    package let page: String

    /// The most characters of one.
    package static let longest = 5000

    package init(address: String, text: String, page: String) {
        (self.address, self.text, self.page) = (address, text, page)
    }
}
