import ChirpCore
import ChirpHTTP
import ChirpNetworks
import ChirpTestKit
import Foundation
import LoopbackService
import Synchronization
import Testing

/// Spending in memory.
private final class MemoryLedger: SpendingLedger {
    private let entries = Mutex<[Draft.Key: (month: String, amount: Int64)]>([:])

    /// Of posts.
    var total: Int64 { sum { !$0.text.hasPrefix("reading") } }
    /// Of reading.
    var read: Int64 { sum { $0.text.hasPrefix("reading") } }
    private func sum(_ isMeant: (Draft.Key) -> Bool) -> Int64 {
        entries.withLock { $0.filter { isMeant($0.key) }.values.reduce(0) { $0 + $1.amount } }
    }

    func spent(on network: String, month: String) async throws(NetworkError) -> Int64 {
        entries.withLock { $0.values.filter { $0.month == month }.reduce(0) { $0 + $1.amount } }
    }

    func reserve(
        _ key: Draft.Key, on network: String, month: String, amount: Int64, limit: Int64?
    ) async throws(NetworkError) -> Bool {
        entries.withLock { entries in
            if entries[key] != nil { return true }
            let spent = entries.values.filter { $0.month == month }.reduce(0) { $0 + $1.amount }
            if let limit, spent + amount > limit { return false }
            entries[key] = (month, amount)
            return true
        }
    }

    func add(_ items: [String], price: Int64, on network: String, day: String) async throws(NetworkError) {
        entries.withLock { entries in
            for item in items { entries[Draft.Key("reading \(day) \(item)")] = (String(day.prefix(7)), price) }
        }
    }

    func read(_ prefix: String, on network: String, day: String) async throws(NetworkError) -> Int64 {
        sum { $0.text.hasPrefix("reading \(day) \(prefix)") }
    }

    func release(_ key: Draft.Key) async throws(NetworkError) { entries.withLock { $0[key] = nil } }
}

// One at a time: each of many cases holds a server and its connections, and a process may have but 1,024 descriptors.
@Suite(.serialized) struct XNetworkTests {
    private let clock = Mutexed(Date(timeIntervalSince1970: 1_795_253_400))  // 2026-11-21 09:30 UTC
    private let x: LoopbackX
    private let ledger = MemoryLedger()
    private let link = "https://drive.google.com/file/d/1Ab8f3k2m/view?a=1&b=2"

    init() throws {
        let clock = clock
        x = try LoopbackX(now: { clock.value })
    }

    private func network(
        _ mode: XSettings.Mode = .link, budget: Double? = nil, token: String? = nil
    ) throws -> XNetwork {
        let clock = clock
        let secret = Secret(token ?? x.oauth.grant().access)
        let pause = Sleeper(now: { clock.value }, wait: { _ in !Task.isCancelled }, jitter: { 0 })
        return XNetwork(
            api: try #require(WebAddress(x.base)),
            transport: AuthorizedTransport(CurlTransport(), tokens: FixedToken(secret, service: "x")),
            settings: XSettings(mode: mode, monthlyBudgetUSD: budget), ledger: ledger, pause: pause)
    }

    private func draft(_ words: String = "Good morning", key: String = "chirp-1", again: Bool = false) -> Draft {
        Draft(key: Draft.Key(key), text: "\(words) #Chirp\n\(link)", link: link, isRepetition: again)
    }

    private func posts() -> [String] { x.server.requests.filter { $0.method == "POST" }.map(\.path) }

    @Test(arguments: NetworkConformance.Check.allCases)
    func `the network conforms`(check: NetworkConformance.Check) async throws {
        let conformance = NetworkConformance {
            NetworkConformance.Subject(network: try network(), me: Account.ID(LoopbackX.me))
        }
        #expect(try await conformance.violations(of: check) == [])
    }

    // MARK: by hand

    @Test func `by default the user posts, from a free page, without a sign-in`() async throws {
        let network = try network(.intent, token: "worthless")
        try await network.admit()
        #expect(try await network.publish(draft()) == nil)
        #expect(network.properties.costPerPostUSD == 0)
        let page = try #require(network.page(for: draft()).flatMap { WebAddress($0) })
        #expect(page.origin == "https://x.com" && page.path == "/intent/post")
        #expect(page.field("text") == draft().text)
        #expect(x.server.requests.isEmpty)
        #expect(ledger.total == 0)
    }

    // MARK: by the API

    @Test func `a post is sent once and counted once`() async throws {
        let network = try network()
        let post = try #require(try await network.publish(draft()))
        #expect(x.posts.map(\.text) == [draft().text])
        #expect(post.url == "https://x.com/ada/status/\(post.id)")
        #expect(ledger.total == 200_000)
        #expect(network.properties.costPerPostUSD == 0.20)
        #expect(network.page(for: draft()) == nil)
    }

    @Test func `a lost answer is looked for before anything is sent again`() async throws {
        let network = try network()
        x.lose("/tweets")
        let first = await failure { _ = try await network.publish(draft()) }
        guard case .unreachable = first else {
            Issue.record("\(String(describing: first))")
            return
        }
        #expect(posts().count == 1)  // not repeated by itself
        let found = try #require(try await network.publish(draft(again: true)))
        #expect(found.id.text == x.posts.first?.id)
        #expect(found.links == [link])
        #expect(posts().count == 1)
        #expect(ledger.total == 200_000)
    }

    @Test func `a lost request is sent again`() async throws {
        let network = try network()
        x.fail("/tweets", .init(200, cutAfter: 0))
        _ = await failure { _ = try await network.publish(draft()) }
        #expect(x.posts.isEmpty)
        _ = try await network.publish(draft(again: true))
        #expect(x.posts.count == 1)
        #expect(ledger.total == 200_000)
    }

    @Test func `refused as a duplicate means posted already`() async throws {
        let network = try network()
        let first = try await network.publish(draft())
        for number in 0..<20 {
            let other = "https://c.example/\(number)"
            _ = try await network.publish(Draft(key: Draft.Key("k\(number)"), text: "#Chirp \(other)", link: other))
        }
        #expect(try await network.publish(draft())?.id == first?.id)
        #expect(x.posts.count == 21)
    }

    /// X follows links too: what it found there may be another address than the one that was posted.
    @Test func `a post is known again by its link as it was written, wherever that leads`() async throws {
        let network = try network()
        let first = try await network.publish(draft())
        x.setUnwound("https://accounts.google.com/ServiceLogin?continue=x")
        #expect(try await network.publish(draft())?.id == first?.id)
        #expect(x.posts.count == 1)
        let friend = x.follow(1)[0]
        x.receive("#Chirp https://drive.google.com/file/d/1Ab8f3k2m-long/view", by: friend)
        let post = try #require(try await network.posts(by: [Account.ID(friend)], after: nil).posts.first)
        #expect(ClipLinks(hubs: []).verdict(on: post, chosen: [post.author.id]) != .noClip)
    }

    @Test(arguments: [408, 429, 500, 503])
    func `a POST is never repeated by itself`(status: Int) async throws {
        x.fail("/tweets", .json(status, "{}"))
        let error = await failure { _ = try await network().publish(draft()) }
        #expect(error?.isPermanent == false)
        #expect(posts().count == 1)
    }

    // MARK: budget

    @Test func `the month's budget refuses before anything is sent, and a new month begins anew`() async throws {
        let network = try network(budget: 0.50)
        try await network.admit()
        _ = try await network.publish(draft("one", key: "k1"))
        _ = try await network.publish(draft("two", key: "k2"))
        let admitted = try #require(await failure { try await network.admit() })
        #expect(admitted.exitCode == .noRoom)
        #expect(
            admitted == .overBudget("a post costs $0.20, $0.41 of $0.50 are spent in 2026-11"))
        let refused = await failure { _ = try await network.publish(draft("three", key: "k3")) }
        #expect(refused == admitted)
        #expect(x.posts.count == 2)
        clock.change { $0 += 15 * 86_400 }
        x.oauth.live(30 * 86_400)
        let next = try self.network(budget: 0.50)
        try await next.admit()
        _ = try await next.publish(draft("three", key: "k3"))
        #expect(x.posts.count == 3)
    }

    @Test func `a post that X refused costs nothing`() async throws {
        x.fail("/tweets", .json(403, #"{"title":"Forbidden","type":"about:blank","detail":"You are blocked"}"#))
        let error = await failure { _ = try await network().publish(draft()) }
        #expect(error == .forbidden("You are blocked"))
        #expect(ledger.total == 0)
    }

    @Test func `a sign-in that was revoked shows before anything is made`() async throws {
        let network = XNetwork(
            api: try #require(WebAddress(x.base)),
            transport: AuthorizedTransport(
                CurlTransport(), tokens: FixedToken(Secret(x.oauth.grant().access), service: "x")),
            settings: XSettings(mode: .link), ledger: ledger,
            renewSignIn: { () async throws(HTTPError) in throw .signedOut(service: "x", cause: "it was revoked") })
        #expect(await failure { try await network.admit() } == .signedOut(network: "x", cause: "it was revoked"))
        #expect(x.server.requests.isEmpty)
    }

    @Test func `what is read counts against the budget, once a day, and is refused before it could exceed it`()
        async throws
    {
        let friend = x.follow(1)[0]
        for number in 0..<3 { x.receive("#Chirp https://c.example/\(number)", by: friend, secondsAgo: 5) }
        let network = try network(.intent, budget: 0.18)
        #expect(network.properties.readingCosts?.contains("$0.005 a post") == true)
        let found = try await network.posts(by: [Account.ID(friend)], after: nil)
        #expect(found.posts.count == 3 && ledger.read == 3 * 5000 + 10_000)
        // The same posts again, which X charges for once a day.
        #expect(try await network.posts(by: [Account.ID(friend)], after: nil).posts.count == 3)
        #expect(ledger.read == 25_000)
        // Of $0.18 less than ten new posts of new authors are left, and X gives no smaller page.
        for number in 3..<5 { x.receive("#Chirp https://c.example/\(number)", by: friend) }
        #expect(try await network.posts(by: [Account.ID(friend)], after: found.next).posts.count == 2)
        let asked = x.server.requests.count
        let refused = await failure { _ = try await network.posts(by: [Account.ID(friend)], after: found.next) }
        #expect(refused?.exitCode == .noRoom)
        #expect(refused?.whatHappened.contains("$0.03 of $0.18 are spent in 2026-11") == true)
        #expect(x.server.requests.count == asked)
    }

    @Test func `a list of accounts goes as far as the budget`() async throws {
        x.follow(30)
        let network = try network(budget: 0.25)
        let refused = await failure { _ = try await network.followed() }
        #expect(refused?.exitCode == .noRoom)
        #expect(ledger.read == 250_000)
        // With more of a budget, only what is new costs.
        #expect(try await self.network(budget: 0.31).followed().count == 30)
        #expect(ledger.read == 310_000)
        // On the same day the same list costs nothing more, also in another process.
        #expect(try await self.network(budget: 0.31).followed().count == 30)
        clock.change { $0 += 86_400 }
        x.oauth.live(30 * 86_400)
        let tomorrow = try self.network(budget: 0.31)
        #expect(await failure { _ = try await tomorrow.followed() }?.exitCode == .noRoom)
    }

    // MARK: refusals

    @Test(arguments: [
        (401, #"{"title":"Unauthorized","type":"about:blank"}"#, ChirpCore.ExitCode.signInNeeded, "signed in"),
        (402, #"{"title":"CreditsDepleted"}"#, .noRoom, "credits"),
        (
            403, #"{"type":"https://api.x.com/2/problems/client-not-enrolled","detail":"No project."}"#, .refused,
            "console"
        ),
        (
            400, #"{"errors":[{"parameters":{"text":["x"]},"message":"bad text"}],"title":"Invalid Request"}"#,
            .refused, "Invalid"
        ),
        (404, "nothing", .refused, "404"),
    ])
    func `a refusal says what it means`(
        status: Int, body: String, exit: ChirpCore.ExitCode, word: String
    ) async throws {
        x.fail("/tweets", .json(status, body))
        if status == 401 { x.fail("/tweets", .json(status, body)) }
        let error = try #require(await failure { _ = try await network().publish(draft()) })
        #expect(error.exitCode == exit)
        #expect(error.whatHappened.contains(word))
    }

    @Test func `limits are waited for until their reset, a cap for a day`() async throws {
        x.fail("/tweets", .json(429, "{}", headers: [("x-rate-limit-reset", "1795254000")]))
        #expect(await failure { _ = try await network().publish(draft()) } == .busy(retryAfter: .seconds(600)))
        x.fail("/tweets", .json(429, #"{"type":"https://api.twitter.com/2/problems/usage-capped"}"#))
        #expect(await failure { _ = try await network().publish(draft()) } == .busy(retryAfter: .seconds(86_400)))
    }

    @Test func `a text above the limit is never sent`() async throws {
        let long = draft(String(repeating: "故", count: 130))
        #expect(await failure { _ = try await network().publish(long) }?.isPermanent == true)
        #expect(posts().isEmpty)
    }

    // MARK: reading

    @Test func `followed accounts come page by page`() async throws {
        x.follow(2500)
        let found = try await network().followed()
        #expect(Set(found.map(\.id)).count == 2500)
        #expect(found.last?.handle == "friend2499")
    }

    @Test func `authors are asked for together, within the length of a query`() async throws {
        let friends = x.follow(60)
        for friend in friends { x.receive("words #Chirp https://c.example/\(friend)", by: friend, secondsAgo: 5) }
        let network = try network()
        let found = try await network.posts(by: friends.map { Account.ID($0) }, after: nil)
        #expect(Set(found.posts.map(\.author.id.text)) == Set(friends))
        #expect(x.server.requests.filter { $0.path.hasSuffix("/recent") }.count < 5)
        #expect(found.posts.first?.author.handle.hasPrefix("friend") == true)
    }

    @Test func `posts that search delivers late are not missed, and none comes twice`() async throws {
        let friend = x.follow(1)[0]
        let network = try network()
        x.receive("first #Chirp https://c.example/1", by: friend, secondsAgo: 20)
        let first = try await network.posts(by: [Account.ID(friend)], after: nil)
        #expect(first.posts.count == 1)
        x.receive("late #Chirp https://c.example/2", by: friend, secondsAgo: 50)
        x.receive("new #Chirp https://c.example/3", by: friend)
        let second = try await network.posts(by: [Account.ID(friend)], after: first.next)
        #expect(second.posts.map { $0.text.prefix(4) } == ["late", "new "])
        #expect(try await network.posts(by: [Account.ID(friend)], after: second.next).posts.isEmpty)
    }

    @Test func `a place a week back is begun anew instead of refused`() async throws {
        let friend = x.follow(1)[0]
        let network = try network()
        x.receive("first #Chirp https://c.example/1", by: friend)
        let first = try await network.posts(by: [Account.ID(friend)], after: nil)
        clock.change { $0 += 9 * 86_400 }
        x.oauth.live(30 * 86_400)
        x.receive("second #Chirp https://c.example/2", by: friend)
        let next = try await self.network().posts(by: [Account.ID(friend)], after: first.next)
        #expect(next.posts.map(\.links) == [["https://c.example/2"]])
    }

    @Test func `links and text are as they were written`() async throws {
        let friend = x.follow(1)[0]
        x.receive("a <b> & c #Chirp https://c.example/1?a=1&b=2", by: friend)
        let post = try #require(try await network().posts(by: [Account.ID(friend)], after: nil).posts.first)
        #expect(post.text == "a <b> & c #Chirp https://c.example/1?a=1&b=2")
        #expect(post.links == ["https://c.example/1?a=1&b=2"])
        #expect(post.tags == ["Chirp"])
    }

    private func failure(_ body: () async throws -> Void) async -> NetworkError? {
        do { try await body() } catch { return error as? NetworkError }
        return nil
    }

    // MARK: one person

    @Test func `posts of one person come once and in order, however many there are`() async throws {
        let (network, friend) = (try network(), Account.ID(x.follow(2)[1]))
        x.receive("before", by: friend.text)
        var (found, place) = try await network.posts(of: friend, after: nil)
        #expect(found.map(\.text) == ["before"])
        for number in 1...120 { x.receive("post \(number)", by: friend.text) }
        x.receive("from somebody else", by: "22000000100000")
        (found, place) = try await network.posts(of: friend, after: place)
        #expect(found.map(\.text) == (1...120).map { "post \($0)" })
        (found, place) = try await network.posts(of: friend, after: place)
        #expect(found.isEmpty)
        #expect(ledger.read == 121 * 5_000)
    }

    @Test func `messages of one person come once and in order, and the newest alone is asked for`() async throws {
        let (network, friend) = (try network(), Account.ID(x.follow(1)[0]))
        x.message("long ago", with: friend.text)
        x.message("before", with: friend.text)
        var (found, place) = try await network.messages(from: friend, after: nil)
        #expect(found.map(\.text) == ["before"])
        (found, place) = try await network.messages(from: friend, after: place)
        #expect(found.isEmpty)
        for number in 1...12 { x.message("message \(number)", with: friend.text) }
        x.message("my answer", with: friend.text, fromMe: true)
        (found, place) = try await network.messages(from: friend, after: place)
        #expect(found.map(\.text) == (1...12).map { "message \($0)" })
        (found, place) = try await network.messages(from: friend, after: place)
        #expect(found.isEmpty)
    }

    @Test func `reading one person stops before the budget is exceeded`() async throws {
        let friend = Account.ID(x.follow(1)[0])
        x.receive("before", by: friend.text)
        // The first post, and nine more.
        let network = try network(budget: 0.05)
        let (_, place) = try await network.posts(of: friend, after: nil)
        for number in 1...40 { x.receive("post \(number)", by: friend.text) }
        let (found, next) = try await network.posts(of: friend, after: place)
        #expect(found.map(\.text) == (32...40).map { "post \($0)" })
        await #expect(throws: NetworkError.self) { try await network.posts(of: friend, after: next) }
        #expect(ledger.read == 50_000 && x.read.posts == 10)
    }
}
