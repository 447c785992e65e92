package import ChirpHTTP

/// What a hub says of itself to whoever counts servers (NodeInfo 2.1).
package struct NodeInfo: Hashable, Sendable {
    package var version: String
    package var isOpen: Bool
    package var people: Int
    package var activeHalfYear: Int
    package var activeMonth: Int
    package var posts: Int

    package init(version: String, isOpen: Bool, people: Int, activeHalfYear: Int, activeMonth: Int, posts: Int) {
        self.version = version
        self.isOpen = isOpen
        self.people = people
        self.activeHalfYear = activeHalfYear
        self.activeMonth = activeMonth
        self.posts = posts
    }

    /// At `/nodeinfo/2.1`, of type ``mediaType``.
    package var document: DocumentValue {
        [
            "version": "2.1", "software": ["name": "chirp", "version": .text(version)], "protocols": ["activitypub"],
            "services": ["inbound": [], "outbound": []], "openRegistrations": .bool(isOpen),
            "usage": [
                "users": [
                    "total": .number(Double(people)), "activeHalfyear": .number(Double(activeHalfYear)),
                    "activeMonth": .number(Double(activeMonth)),
                ],
                "localPosts": .number(Double(posts)),
            ],
            "metadata": .object([:]),
        ]
    }

    /// At `/.well-known/nodeinfo`: where the other one lies.
    package static func discovery(at address: WebAddress) -> DocumentValue {
        ["links": [["rel": .text(schema), "href": .text(address.text)]]]
    }

    private static let schema = "http://nodeinfo.diaspora.software/ns/schema/2.1"

    package static let mediaType =
        "application/json; profile=\"http://nodeinfo.diaspora.software/ns/schema/2.1#\"; charset=utf-8"
}
