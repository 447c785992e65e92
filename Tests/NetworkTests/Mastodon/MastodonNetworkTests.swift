import ChirpCore
import ChirpHTTP
import ChirpNetworks
import ChirpOAuth
import ChirpTestKit
import Foundation
import LoopbackService
import Testing

/// Waits for nothing; the time stands.
let quickPause = Sleeper(
    now: { Date(timeIntervalSince1970: 1_795_253_400) }, wait: { _ in !Task.isCancelled }, jitter: { 0 })

// One at a time: each of many cases holds a server and its connections, and a process may have but 1,024 descriptors.
@Suite(.serialized) struct MastodonNetworkTests {
    private let instance: LoopbackMastodon
    private let link = "https://drive.google.com/file/d/1Ab8f3k2m/view?a=1&b=2"

    init() throws { instance = try LoopbackMastodon() }

    private func network(
        _ settings: MastodonSettings = MastodonSettings(), retries: Int = 1
    ) throws -> MastodonNetwork {
        let token = FixedToken(Secret(instance.oauth.grant().access), service: "mastodon")
        let transport = RetryingTransport(
            AuthorizedTransport(CurlTransport(), tokens: token), policy: RetryPolicy(attempts: retries),
            pause: quickPause)
        return MastodonNetwork(
            instance: try #require(WebAddress(instance.base)), transport: transport, settings: settings,
            pause: quickPause)
    }

    private func draft(_ words: String = "Good morning", key: String = "chirp-1") -> Draft {
        Draft(key: Draft.Key(key), text: "\(words) #Chirp\n\(link)", link: link)
    }

    @Test(arguments: NetworkConformance.Check.allCases)
    func `the network conforms`(check: NetworkConformance.Check) async throws {
        let conformance = NetworkConformance {
            NetworkConformance.Subject(network: try network(), me: Account.ID(LoopbackMastodon.me))
        }
        #expect(try await conformance.violations(of: check) == [])
        instance.close()
    }

    // MARK: posting

    @Test func `visibility, language and warning go along, with a key made from the publication`() async throws {
        let settings = MastodonSettings(visibility: .unlisted, language: "en", contentWarning: "a loud harbour")
        let post = try #require(try await network(settings).publish(draft()))
        let status = try #require(instance.statuses.first)
        #expect(status.visibility == "unlisted")
        #expect(status.language == "en")
        #expect(status.warning == "a loud harbour")
        #expect(post.url == "https://loopback/@ada/\(status.id)")
        #expect(post.links == [link])
        #expect(post.text == draft().text)
        let sent = try #require(instance.server.requests.last { $0.method == "POST" })
        #expect(sent.headers["Idempotency-Key"] == "chirp-1")
    }

    @Test func `a lost answer is one post, within the hour and after it`() async throws {
        instance.lose("/statuses")
        let network = try network()
        // Whether libcurl sends it again by itself depends on the connection.
        let first = await failure { _ = try await network.publish(draft()) }
        #expect(first?.isPermanent != true)
        _ = try await network.publish(draft())
        #expect(instance.statuses.count == 1)
        instance.forgetKeys()
        var again = draft()
        again.isRepetition = true
        #expect(try await network.publish(again)?.id.text == instance.statuses.first?.id)
        #expect(instance.statuses.count == 1)
    }

    @Test func `a lost answer or a short illness is repeated by itself`() async throws {
        instance.lose("/statuses")
        instance.fail("/statuses", .json(503, "{}"))
        _ = try await network(retries: 4).publish(draft())
        #expect(instance.statuses.count == 1)
    }

    @Test func `the limits are the instance's own, less the warning`() async throws {
        instance.limit(1000)
        #expect(try await network().textRules() == .characters(limit: 1000, perLink: 23))
        let warned = try network(MastodonSettings(contentWarning: "12345"))
        #expect(try await warned.textRules() == .characters(limit: 995, perLink: 23))
        let requests = instance.server.requests.count
        let long = await failure { _ = try await warned.publish(draft(String(repeating: "word ", count: 250))) }
        #expect(long?.isPermanent == true)
        #expect(instance.server.requests.count == requests)
    }

    @Test func `an older instance is asked the older way`() async throws {
        instance.fail("/v2/instance", .json(404, "{}"))
        #expect(try await network().textRules() == .characters(limit: 500, perLink: 23))
    }

    @Test func `the clip goes along when asked, with words for those who cannot hear it`() async throws {
        let folder = try TemporaryFolder()
        let clip = folder.path("clip.mp3")
        try Data(repeating: 7, count: 5000).write(to: URL(filePath: clip))
        var draft = draft()
        draft.attachment = Draft.Attachment(path: clip, bytes: 5000, description: "A fog horn")
        _ = try await network(MastodonSettings(attachesClip: true)).publish(draft)
        #expect(instance.statuses.first?.media.count == 1)
        #expect(instance.mediaDescriptions == ["A fog horn"])
        let found = try await network().posts(by: [Account.ID(LoopbackMastodon.me)], after: nil).posts
        #expect(found.first?.audio.count == 1)
        draft.key = Draft.Key("chirp-2")
        _ = try await network().publish(draft)
        #expect(instance.statuses.last?.media == [])
    }

    @Test func `an expired post is deleted, or edited when that is wanted`() async throws {
        let editing = try network(MastodonSettings(onExpiry: .edit))
        let post = try #require(try await editing.publish(draft()))
        try await editing.expire(post.id)
        #expect(instance.statuses.map(\.isEdited) == [true])
        #expect(instance.statuses.first?.text.contains("http") == false)
        try await network().expire(post.id)
        #expect(instance.statuses.isEmpty)
        try await editing.expire(post.id)  // gone: fine
    }

    // MARK: refusals

    @Test(arguments: [
        (401, NetworkError.signedOut(network: "mastodon"), ChirpCore.ExitCode.signInNeeded),
        (403, .forbidden(""), .refused), (422, .refused(status: 0, detail: ""), .refused),
        (429, .busy(retryAfter: nil), .temporary), (503, .unreachable(""), .temporary),
        (500, .unreachable(""), .temporary), (404, .refused(status: 0, detail: ""), .refused),
    ])
    func `a refusal says what it means`(
        status: Int, like: NetworkError, exit: ChirpCore.ExitCode
    ) async throws {
        instance.fail("/statuses", .json(status, #"{"error":"the reason"}"#))
        let error = try #require(await failure { _ = try await network().publish(draft()) })
        #expect(error.exitCode == exit)
        #expect(error.isPermanent == like.isPermanent)
        if status == 422 || status == 403 { #expect(error.whatHappened.contains("the reason")) }
        #expect(instance.statuses.isEmpty)
    }

    @Test func `a limit is waited for as long as the instance says`() async throws {
        instance.fail(
            "/statuses", .json(429, "{}", headers: [("X-RateLimit-Reset", "2026-11-21T09:35:00.000Z")]))
        let error = await failure { _ = try await network().publish(draft()) }
        #expect(error == .busy(retryAfter: .seconds(300)))
    }

    @Test func `a portal's page is not an answer`() async throws {
        instance.fail("/statuses", .init(200, headers: [("Content-Type", "text/html")], body: Array("<html>".utf8)))
        let error = await failure { _ = try await network().publish(draft()) }
        #expect(error?.isPermanent == false)
    }

    // MARK: reading

    @Test func `followed accounts come page by page, by the link to the next`() async throws {
        instance.follow(205)
        let found = try await network().followed()
        #expect(found.count == 205)
        #expect(Set(found.map(\.id)).count == 205)
        #expect(found.last?.handle == "friend-204")
        #expect(instance.server.requests.filter { $0.path.hasSuffix("/following") }.count == 3)
    }

    @Test func `no post is skipped however many came, boosts are left out`() async throws {
        let friends = instance.follow(2)
        instance.receive("<p>before</p>", by: friends[0])
        let network = try network()
        let start = try await network.posts(by: [Account.ID(friends[0])], after: nil)
        #expect(start.posts.map(\.text) == ["before"])
        for number in 0..<130 { instance.receive("<p>n\(number)</p>", by: friends[number % 2]) }
        instance.receive("<p>boost</p>", by: friends[0], isBoost: true)
        let next = try await network.posts(by: [Account.ID(friends[0])], after: start.next)
        #expect(next.posts.map(\.text) == (0..<65).map { "n\($0 * 2)" })
        #expect(try await network.posts(by: [Account.ID(friends[0])], after: next.next).posts.isEmpty)
    }

    @Test func `a stranger's HTML becomes text with whole links`() async throws {
        let friends = instance.follow(1)
        instance.receive(
            "<p>A &amp; B &lt;3<br>new <a href=\"https://x/@y\" class=\"u-url mention\">@<span>y</span></a> "
                + "<a href=\"https://c.example/c/1?a=1&amp;b=2\"><span class=\"invisible\">https://</span>"
                + "<span class=\"ellipsis\">c.exam</span></a></p><p>two &#39;&#x1F600; &nope; <b",
            by: friends[0])
        let post = try #require(try await network().posts(by: [Account.ID(friends[0])], after: nil).posts.first)
        #expect(post.links == ["https://c.example/c/1?a=1&b=2"])
        #expect(post.text == "A & B <3\nnew @y https://c.example/c/1?a=1&b=2\ntwo '😀 &nope; <b")
        #expect(post.author.displayName == "The friend-0")
    }

    // MARK: address and registration

    @Test(arguments: [
        ("mastodon.social", "https://mastodon.social/"), ("@ada@m.example", "https://m.example/"),
        ("https://m.example/about", "https://m.example/"), ("http://127.0.0.1:3000", "http://127.0.0.1:3000/"),
        ("http://m.example", nil), ("localhost", "https://localhost/"), ("mastodon", nil), ("", nil),
        ("a b.example", nil), ("ftp://m.example", nil),
    ])
    func `an instance is known by what people type`(text: String, expected: String?) {
        #expect(MastodonAddress.parse(text)?.text == expected)
    }

    @Test func `Chirp registers itself, signs in and out`() async throws {
        let address = try #require(WebAddress(instance.base))
        let listener = try LoopbackRedirectListener(path: "/callback")
        let registered = try await MastodonRegistration.run(
            at: address, redirect: listener.redirectAddress, transport: CurlTransport())
        let service = OAuthService.mastodon(
            instance: address, clientID: try #require(registered.clientID),
            clientSecret: try #require(registered.clientSecret))
        let credential = try await BrowserSignIn(service, transport: CurlTransport(), timeout: .seconds(300)) {
            await LoopbackBrowser.open($0)
        }.run(listener, force: true)
        #expect(instance.oauth.wasForced)
        #expect(credential.refreshToken == nil && credential.expires == nil)
        let folder = try TemporaryFolder()
        let store = CredentialStore(path: folder.path("credentials.json"))
        try await store.change("mastodon") { $0 = credential }
        let tokens = SignedInTokens(service, store: store, transport: CurlTransport())
        let network = MastodonNetwork(
            instance: address, transport: AuthorizedTransport(CurlTransport(), tokens: tokens), pause: quickPause)
        #expect(try await network.me().handle == "ada")
        instance.oauth.revokeAll()
        let error = await failure { _ = try await network.followed() }
        #expect(error?.exitCode == .signInNeeded)
        #expect(try store.credential(for: "mastodon")?.accessToken == nil)
    }

    private func failure(_ body: () async throws -> Void) async -> NetworkError? {
        do { try await body() } catch { return error as? NetworkError }
        return nil
    }
}
