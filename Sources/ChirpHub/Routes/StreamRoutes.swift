internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// Mastodon's streams (docs.joinmastodon.org/methods/streaming): everybody's public posts, and a member's home.
struct StreamRoutes {
    /// The bytes of posts as the client API tells them, by their places; without anything of one viewer.
    typealias Encode = @Sendable (_ posts: [HubPost]) async throws -> [Int64: [UInt8]]

    /// What everybody may have.
    let everybody: EventFeed
    /// What belongs into homes, with its audience.
    let homes: EventFeed
    private let shares: AddressShares
    private let mayStay: @Sendable (WebContext) async -> Bool

    /// - Parameter mayStay: whether the session or the token that a listener came with holds still.
    init(
        library: HubLibrary, watch: LibraryWatch, shares: AddressShares, encode: @escaping Encode,
        mayStay: @escaping @Sendable (WebContext) async -> Bool
    ) {
        let visitor = library.seen(by: .visitor)
        let updates = { @Sendable (posts: [HubPost]) in
            let bytes = try await encode(posts)
            return posts.compactMap { post in
                bytes[post.sequence].map { Self.update(post, $0) }
            }
        }
        everybody = EventFeed(
            EventFeed.Source(
                last: { try await visitor.lastSequence() },
                events: { try await updates(try await visitor.posts(after: $0, limit: $1)) },
                missed: { try await updates(try await visitor.posts(after: $1, limit: $2)) },
                still: { try await visitor.stillSeen($0) }),
            pulse: Self.pulse, removal: "delete", watch: watch.feed)
        homes = EventFeed(
            EventFeed.Source(
                last: { try await visitor.lastSequence() },
                events: { after, limit in
                    let found = try await library.streamedPosts(after: after, limit: limit)
                    let bytes = try await encode(found.map(\.post))
                    return found.compactMap { streamed in
                        bytes[streamed.post.sequence].map {
                            Self.update(streamed.post, $0, audience: Set(streamed.audience.map(\.rawValue)))
                        }
                    }
                },
                missed: { person, after, limit in
                    guard let person else { return [] }
                    let reader = library.seen(by: .member(AccountID(rawValue: person)))
                    return try await updates(try await reader.homeStream(after: after, limit: limit))
                },
                still: { try await library.stillStreamed($0) }),
            pulse: Self.pulse, removal: "delete", watch: watch.feed)
        self.shares = shares
        self.mayStay = mayStay
    }

    /// Programs take a blank line for the end of an event, so there is none behind a comment.
    private static let pulse = ":thump\n"

    private static func update(_ post: HubPost, _ bytes: [UInt8], audience: Set<String>? = nil) -> FeedEvent {
        FeedEvent(id: post.sequence, name: "update", data: bytes, audience: audience, subject: "\(post.sequence)")
    }

    var routes: [WebRoute] {
        let stream = EventStream(everybody, shares: shares, greeting: ":)\n")
        let home = EventStream(homes, shares: shares, greeting: ":)\n")
        let mayStay = mayStay
        let open = ["/api/v1/streaming/public", "/api/v1/streaming/public/local"].map { path in
            WebRoute.api(.get, path, .everybody, summary: "Public posts as they are made") { request, context in
                try await stream.answer(request, context)
            }
        }
        return open + [
            .api(.get, "/api/v1/streaming/health", .everybody, summary: "Whether streams can be opened") { _, _ in
                Response(
                    status: .ok, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: "OK")))
            },
            .api(
                .get, "/api/v1/streaming/user", .signedIn, scope: "read:statuses",
                summary: "Posts of those whom the account follows, as they are made"
            ) { request, context in
                guard let person = context.person else { throw HTTPError(.unauthorized) }
                return try await home.answer(
                    request, context, for: FeedPerson(account: person.id) { await mayStay(context) })
            },
        ]
    }
}

extension ClientDesk {
    /// Posts as streams tell them: what every visitor sees of their authors and what they answer, and nothing of one listener.
    func updates(_ posts: [HubPost]) async throws -> [Int64: [UInt8]] {
        let documents = try await documents(posts, library.seen(by: .visitor))
        return Dictionary(
            documents.map { document in
                var document = document
                document.isPersonal = false
                var json = JSONText()
                document.write(&json)
                return (document.post.sequence, json.bytes)
            }, uniquingKeysWith: { first, _ in first })
    }
}
