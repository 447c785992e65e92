internal import ChirpHTTP

extension MastodonNetwork {
    /// A stream says something every 15 s at least (`:thump`); three of them missing is a dead line.
    private static let silence = Duration.seconds(45)

    /// Says when ``posts(by:after:)`` is worth calling: by the user's event stream, which has the same statuses as the home
    /// timeline, and by the clock. See ``FeedSignals``.
    ///
    /// - Parameter polling: between looks while there is no stream; 300 requests in five minutes are allowed.
    public func arrivals(polling: Duration = .seconds(5)) -> FeedSignals {
        FeedSignals(
            host: client.instance.host, polling: polling, pause: client.pause,
            connect: { [self] (_) async throws(NetworkError) in try await openStream() },
            // Anything that names the tag; whether it is one, the look decides.
            isNews: { $0.name == "update" && $0.data.lowercased().contains(Self.tag) })
    }

    /// As it stands in a status's text or among its tags, whose sign may be written as an entity.
    private static let tag = ShareText.tag.dropFirst().lowercased()

    func openStream() async throws(NetworkError) -> HTTPStream {
        let root = try await instance().streaming(of: client.instance)
        let request = HTTPRequest(
            .get, root.appending("api", "v1", "streaming", "user"), headers: ["Accept": "text/event-stream"])
        return try await client.transport.events(request, silence: Self.silence, now: client.pause.now())
    }
}

extension MastodonInstance {
    /// Where the instance streams: what it says itself when it is https, or on the same machine; otherwise its own address.
    func streaming(of instance: WebAddress) -> WebAddress {
        guard var text = configuration?.urls?.streaming else { return instance }
        for (socket, web) in [("wss://", "https://"), ("ws://", "http://")] where text.hasPrefix(socket) {
            text = web + text.dropFirst(socket.count)
        }
        // The sign-in goes along, so never in the open.
        guard let address = WebAddress(text), address.isSecure || address.isLoopback && instance.isLoopback else {
            return instance
        }
        return address
    }
}
