internal import ChirpCommunity
internal import ChirpWeb
internal import Hummingbird

/// New posts as they are made. An event's id is its post's place in the feed.
struct EventRoutes {
    let reader: HubReader
    let links: HubLinks
    let watch: LibraryWatch
    let shares: AddressShares

    func add(to router: Router<WebContext>) {
        let stream = EventStream(
            shares: shares, last: { try await reader.lastSequence() },
            events: { after, limit in
                try await reader.posts(after: after, limit: limit).map { post in
                    let document = try WebJSON.encode(PostDocument(post, links: links))
                    return EventStream.Event(id: post.sequence, name: "post", data: document)
                }
            }, listen: listen)
        router.get("/api/v1/events") { request, context in try await stream.answer(request, context) }
    }

    private func listen() -> EventStream.Listening {
        let (signals, continuation) = AsyncStream<EventStream.Signal>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let ear = watch.listen { signal in
            switch signal {
            case .changed: continuation.yield(.changed)
            case .alive: continuation.yield(.alive)
            }
        }
        return EventStream.Listening(signals: signals) {
            watch.leave(ear)
            continuation.finish()
        }
    }
}
