internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// Mastodon's streams (docs.joinmastodon.org/methods/streaming): everybody's public posts, and a member's home.
struct StreamRoutes {
    /// The bytes of posts as the client API tells them, by their places; without anything of one viewer.
    typealias Encode = @Sendable (_ posts: [HubPost]) async throws -> [Int64: [UInt8]]

    /// The bytes of an account's notices behind a place and up to another, by their own places.
    typealias EncodeNotices =
        @Sendable (_ account: AccountID, _ places: ClosedRange<Int64>) async throws -> [(id: Int64, bytes: [UInt8])]

    /// What everybody may have.
    let everybody: EventFeed
    /// What belongs into homes, with its audience.
    let homes: EventFeed
    private let shares: AddressShares
    private let mayStay: @Sendable (WebContext) async -> Bool

    /// - Parameters:
    ///   - mayStay: whether the session or the token that a listener came with holds still.
    ///   - signOuts: when that is to be asked.
    init(
        library: HubLibrary, watch: LibraryWatch, shares: AddressShares, encode: @escaping Encode,
        notices: @escaping EncodeNotices, mayStay: @escaping @Sendable (WebContext) async -> Bool,
        signOuts: SignOuts
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
                events: { try await updates(try await visitor.posts(after: PageCursor($0), limit: $1)) },
                missed: { try await updates(try await visitor.posts(after: PageCursor($1), limit: $2)) },
                still: { try await visitor.stillSeen($0) }),
            pulse: Self.pulse, removal: "delete", watch: watch.feed)
        homes = EventFeed(
            EventFeed.Source(
                last: { try await visitor.lastSequence() },
                events: { after, limit in
                    let found = try await library.streamedPosts(after: PageCursor(after), limit: limit)
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
                    return try await updates(try await reader.homeStream(after: PageCursor(after), limit: limit))
                },
                still: { try await library.stillStreamed($0) }),
            pulse: Self.pulse, removal: "delete",
            // Their numbers are not those of posts, so they have no ids here: who comes back asks for what was missed.
            asides: FeedAsides(
                last: { try await library.lastNotice() },
                events: { try await Self.notices(library, after: $0, for: $1, notices) }),
            signOuts: signOuts, watch: watch.feed)
        self.shares = shares
        self.mayStay = mayStay
    }

    private static let batch = 100

    private static func notices(
        _ library: HubLibrary, after place: Int64, for listening: () -> Set<String>, _ encode: EncodeNotices
    ) async throws -> FeedAsides.Found {
        let found = try await library.noticed(after: PageCursor(place), limit: batch)
        guard let first = found.first?.id, let last = found.last?.id else {
            return FeedAsides.Found([], end: place, isMore: false)
        }
        let listening = listening()
        var events: [(id: Int64, event: FeedEvent)] = []
        for account in Set(found.map(\.account)) where listening.contains(account.rawValue) {
            events += try await encode(account, first...last).map { notice in
                (notice.id, FeedEvent(aside: "notification", data: notice.bytes, for: account.rawValue))
            }
        }
        events.sort { $0.id < $1.id }
        return FeedAsides.Found(events.map(\.event), end: last, isMore: found.count == batch)
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
            WebRoute.api(.get, path, .everybody, scope: .open, summary: "Public posts as they are made") {
                request, context in
                try await stream.answer(request, context)
            }
        }
        return open + [
            .api(.get, "/api/v1/streaming/health", .everybody, scope: .open, summary: "Whether streams can be opened") {
                _, _ in
                Response(
                    status: .ok, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: "OK")))
            },
            .api(
                .get, "/api/v1/streaming/user", .signedIn, scope: "read:statuses",
                summary: "Posts of those whom the account follows, and its notices, as they are made"
            ) { request, context in
                guard let person = context.person else { throw HTTPError(.unauthorized) }
                // A token for posts alone tells nothing of who follows or likes.
                let hearsNotices = context.allows("read:notifications")
                return try await home.answer(
                    request, context,
                    for: FeedPerson(account: person.id, hearsAsides: hearsNotices) { await mayStay(context) })
            },
        ]
    }
}

extension ClientDesk {
    /// Notices as streams tell them: what the account itself sees of them.
    func notices(_ account: AccountID, _ places: ClosedRange<Int64>) async throws -> [(id: Int64, bytes: [UInt8])] {
        let reader = library.seen(by: .member(account))
        let notices = try await reader.notices(
            before: PageCursor(places.upperBound + 1), after: PageCursor(places.lowerBound - 1),
            kinds: Notice.Kind.ofClients,
            limit: places.count)
        return try await documents(notices, reader).map { document in
            var json = JSONText()
            document.write(&json)
            return (document.notice.id, json.bytes)
        }
    }

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
