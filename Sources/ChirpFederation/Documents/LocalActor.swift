package import ChirpHTTP
package import FoundationEssentials

/// Somebody of this hub as other servers are told of them, or the hub itself (the instance actor).
package struct LocalActor: Hashable, Sendable {
    package var id: ObjectID
    package var kind: RemoteActor.Kind
    package var handle: String
    /// Plain text.
    package var name: String
    /// Plain text; it is sent as HTML.
    package var summary: String
    /// Their page for people.
    package var page: WebAddress
    package var inbox: WebAddress
    package var outbox: WebAddress
    package var sharedInbox: WebAddress
    /// Nil for the instance actor.
    package var followers: WebAddress?
    package var following: WebAddress?
    package var icon: Icon?
    package var isDiscoverable: Bool
    package var approvesFollowers: Bool
    package var created: Date?
    /// ``ActorKey/publicPEM``.
    package var publicPEM: String

    package struct Icon: Hashable, Sendable {
        package var address: WebAddress
        package var mediaType: String

        package init(address: WebAddress, mediaType: String) {
            self.address = address
            self.mediaType = mediaType
        }
    }

    package init(
        id: ObjectID, kind: RemoteActor.Kind = .person, handle: String, name: String, summary: String = "",
        page: WebAddress, inbox: WebAddress, outbox: WebAddress, sharedInbox: WebAddress, followers: WebAddress? = nil,
        following: WebAddress? = nil, icon: Icon? = nil, isDiscoverable: Bool = true, approvesFollowers: Bool = false,
        created: Date? = nil, publicPEM: String
    ) {
        self.id = id
        self.kind = kind
        self.handle = handle
        self.name = name
        self.summary = summary
        self.page = page
        self.inbox = inbox
        self.outbox = outbox
        self.sharedInbox = sharedInbox
        self.followers = followers
        self.following = following
        self.icon = icon
        self.isDiscoverable = isDiscoverable
        self.approvesFollowers = approvesFollowers
        self.created = created
        self.publicPEM = publicPEM
    }

    /// The id of its key.
    package var keyID: ObjectID { id.fragment("main-key") }
}
