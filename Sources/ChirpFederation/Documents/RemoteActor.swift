package import ChirpHTTP

/// Somebody at another server, as their server describes them (ActivityPub, section 4). Texts are plain.
package struct RemoteActor: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case person = "Person"
        case service = "Service"
        case application = "Application"
        case group = "Group"
        case organization = "Organization"
    }

    /// The key by which their requests are signed. It is theirs: its owner is the actor, at the same origin.
    package struct Key: Hashable, Sendable {
        package let id: ObjectID
        /// As it was sent, at most ``mostBytes``; ``VerificationKey/init(pem:)`` reads it.
        package let pem: String

        /// Five times what a key of 8,192 bits takes.
        package static let mostBytes = 8 << 10
    }

    package let id: ObjectID
    package let kind: Kind
    /// `preferredUsername`: 1 to 100 letters, digits, `_`, `-` and `.`; the host behind the `@` is ``ObjectID/host`` unless WebFinger
    /// says otherwise.
    package let handle: String
    /// At most 200 characters; the handle when there is none.
    package let name: String
    /// At most 5,000 characters.
    package let summary: String
    package let inbox: WebAddress
    /// Where one request reaches all of its server.
    package let sharedInbox: WebAddress?
    package let outbox: WebAddress?
    package let followers: ObjectID?
    /// Their page for people.
    package let page: WebAddress?
    package let icon: WebAddress?
    /// Whether they approve each follower themselves (`manuallyApprovesFollowers`).
    package let approvesFollowers: Bool
    /// Whether they want to be found (`discoverable`); false when they do not say.
    package let isDiscoverable: Bool
    package let key: Key?
    /// Where they have gone.
    package let movedTo: ObjectID?
    /// At most 32 others of whom they say that they are them too.
    package let alsoKnownAs: [ObjectID]

    /// Where to send what is meant for them: the shared inbox where there is one.
    package var deliveryInbox: WebAddress { sharedInbox ?? inbox }
}
