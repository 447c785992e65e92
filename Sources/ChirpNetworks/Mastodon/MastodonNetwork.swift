public import ChirpHTTP
internal import Synchronization

/// Posts on a Mastodon instance, or on a server that speaks its API, as hubs do.
///
/// Every post carries an `Idempotency-Key` made from the publication, which instances keep for an hour. A repetition looks for
/// the post first, so that it is one post after a longer time too.
public final class MastodonNetwork: Network {
    public let properties: NetworkProperties
    let client: MastodonClient
    let settings: MastodonSettings
    private let known = Mutex<(me: Account?, rules: TextRules?)>((nil, nil))

    /// - Parameters:
    ///   - transport: signs in, retries what may be repeated.
    ///   - service: what one signs in to, as in `chirp login NAME`.
    ///   - name: the network's own name, where that is another one.
    ///   - place: see ``NetworkProperties/place``.
    ///   - me: the account that is signed in; nil to ask the instance.
    public init(
        instance: WebAddress, transport: any HTTPTransport, service: String = "mastodon", name: String? = nil,
        place: String = "", me: Account? = nil, settings: MastodonSettings = MastodonSettings(),
        pause: Sleeper = .real
    ) {
        client = MastodonClient(instance: instance, service: service, transport: transport, pause: pause)
        self.settings = settings
        properties = NetworkProperties(
            name: name ?? service, place: place, textRules: .characters(limit: 500, perLink: 23))
        known.withLock { $0.me = me }
    }

    /// The account that is signed in.
    public func me() async throws(NetworkError) -> Account {
        if let me = known.withLock({ $0.me }) { return me }
        try await admit()
        guard let me = known.withLock({ $0.me }) else { throw .signedOut(network: client.service) }
        return me
    }

    /// Asks who is signed in: a sign-in that was revoked shows before anything is made.
    public func admit() async throws(NetworkError) {
        let address = client.address("v1", "accounts", "verify_credentials")
        let me = try await client.get(MastodonAccount.self, HTTPRequest(.get, address)).account
        known.withLock { $0.me = me }
    }

    /// The limits of the instance, less what the warning takes of them.
    public func textRules() async throws(NetworkError) -> TextRules {
        if let rules = known.withLock({ $0.rules }) { return rules }
        let whole = try await instance().textRules
        var rules = whole
        if case .characters(let limit, let perLink) = whole, let warning = settings.contentWarning {
            rules = .characters(limit: max(limit - whole.count(warning), 1), perLink: perLink)
        }
        known.withLock { $0.rules = rules }
        return rules
    }

    /// What the instance says of itself; version 1 where there is no other.
    func instance() async throws(NetworkError) -> MastodonInstance {
        var response = try await client.send(HTTPRequest(.get, client.address("v2", "instance")))
        if response.status == 404 {
            response = try await client.send(HTTPRequest(.get, client.address("v1", "instance")))
        }
        return try client.decoded(MastodonInstance.self, response)
    }

    /// Pages of a list of accounts that are read at most: 125 of 80.
    private static let maximumPages = 125

    public func followed() async throws(NetworkError) -> [Account] {
        let me = try await me()
        var next: WebAddress? = client.address(
            "v1", "accounts", me.id.text, "following", fields: ["limit": "80"])
        var found: [Account] = []
        var pages = 0
        while let page = next, pages < Self.maximumPages {
            let response = try await client.send(HTTPRequest(.get, page))
            found += try client.decoded([MastodonAccount].self, response).map(\.account)
            next = LinkHeader.address("next", in: response, of: page)
            pages += 1
        }
        return try await watchesAnything() ? found + [.watched] : found
    }

    private struct Watched: Decodable { let items: Int }

    /// Whether whoever is signed in watches something there: hubs have boards, and earlier hubs do not say it.
    private func watchesAnything() async throws(NetworkError) -> Bool {
        guard client.service == "hub" else { return false }
        let response = try await client.send(HTTPRequest(.get, client.address("hub", "v1", "watched")))
        return response.isSuccess && (response.json(Watched.self)?.items ?? 0) > 0
    }
}
