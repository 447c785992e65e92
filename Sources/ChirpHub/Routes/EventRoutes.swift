internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// New posts as they are made. An event's id is its post's place in the feed.
struct EventRoutes {
    let feed: EventFeed
    let shares: AddressShares

    init(reader: HubReader, links: HubLinks, watch: LibraryWatch, shares: AddressShares) {
        let events = { @Sendable (after: Int64, limit: Int) in
            try await reader.posts(after: PageCursor(after), limit: limit).map { post in
                FeedEvent(
                    id: post.sequence, name: "post", data: try WebJSON.encode(PostDocument(post, links: links)),
                    subject: post.id)
            }
        }
        feed = EventFeed(
            EventFeed.Source(
                last: { try await reader.lastSequence() }, events: events,
                missed: { _, after, limit in try await events(after, limit) },
                still: { try await reader.stillSeen($0) }),
            watch: watch.feed)
        self.shares = shares
    }

    func add(to router: Router<WebContext>) {
        let stream = EventStream(feed, shares: shares)
        router.get("/api/v1/events") { request, context in try await stream.answer(request, context) }
    }
}

extension LibraryWatch {
    /// Its signals as a feed takes them.
    var feed: EventFeed.Watching {
        { [self] signal in
            let ear = listen { what in
                switch what {
                case .changed: signal(false)
                case .alive: signal(true)
                }
            }
            return { [self] in leave(ear) }
        }
    }
}
