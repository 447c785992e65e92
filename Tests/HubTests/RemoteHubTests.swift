import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHTTP
import ChirpNetworks
import ChirpOwnHub
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// A hub as another machine sees it: over a socket, through its API.
@Suite(.timeLimit(.minutes(10))) struct RemoteHubTests {
    private func remote(_ port: Int) throws -> RemoteHub {
        RemoteHub(root: try #require(WebAddress("http://127.0.0.1:\(port)")), transport: CurlTransport())
    }

    @Test func `its accounts and posts are those of the hub itself, and its clips are where it is`() async throws {
        let house = try HubHousehold()
        let id = try await house.publish(title: "Morning")
        try await house.post("only words about #Chirp")
        try await withLiveHub(house) { port in
            let hub = try remote(port)
            #expect(hub.properties.name == "127.0.0.1")
            let accounts = try await hub.followed()
            #expect(accounts == (try await house.network.followed()))
            let (posts, next) = try await hub.posts(by: accounts.map(\.id), after: nil)
            #expect(posts.count == 2)
            let page = "http://127.0.0.1:\(port)/c/\(id)"
            #expect(posts.first?.links == [page] && posts.first?.text == "Morning \(page) #Chirp")
            #expect(posts.first?.tags == ["Chirp"] && posts.first?.created == house.now)
            #expect(posts.last?.links == [])
            let links = ClipLinks(hubs: ["http://127.0.0.1:\(port)"])
            #expect(
                posts.map { links.verdict(on: $0, chosen: [Account.ID("me")]) } == [
                    .clips([.hub("http://127.0.0.1:\(port)/media/\(id).mp3")]), .noClip,
                ])
            #expect(try await hub.posts(by: [Account.ID("me")], after: next).posts.isEmpty)
            #expect(try await hub.posts(by: [Account.ID("someone")], after: nil).posts.isEmpty)
        }
    }

    @Test func `more posts than one answer holds are read on`() async throws {
        let house = try HubHousehold()
        for number in 0..<450 { try await house.post("\(number)") }
        try await withLiveHub(house) { port in
            let hub = try remote(port)
            let (posts, next) = try await hub.posts(by: [Account.ID("me")], after: nil)
            #expect(posts.map(\.text) == (0..<450).map { "\($0)" } && next == Cursor("450"))
        }
    }

    @Test func `more accounts than one answer holds are read on, and no answer holds all of a large hub`() async throws
    {
        let house = try HubHousehold()
        try await house.change(
            """
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2100)
            INSERT INTO accounts (id, handle, skeleton, name, role, state, created)
            SELECT 'fan-' || n, 'fan' || n, 'fan' || n, 'Fan', 'member', 'active', 0 FROM numbers;
            """)
        try await withLiveHub(house) { port in
            let accounts = try await remote(port).followed()
            #expect(accounts == (try await house.network.followed()) && accounts.count == 2101)
            let list = try #require(WebAddress("http://127.0.0.1:\(port)/api/v1/accounts"))
            let answer = try await CurlTransport().send(HTTPRequest(.get, list))
            #expect(answer.json(Page.self)?.accounts.count == 1000)
            let few = try await CurlTransport().send(HTTPRequest(.get, list.adding(["after": "fan98", "limit": "2"])))
            #expect(few.json(Page.self)?.accounts.map(\.handle) == ["fan980", "fan981"])
            #expect(few.json(Page.self)?.next == "fan981")
            let last = try await CurlTransport().send(HTTPRequest(.get, list.adding(["after": "fan999"])))
            #expect(last.json(Page.self)?.accounts.map(\.handle) == ["me"] && last.json(Page.self)?.next == nil)
        }
    }

    /// Of accounts, as a program reads it.
    private struct Page: Decodable {
        struct Person: Decodable { let handle: String }
        let accounts: [Person]
        let next: String?
    }

    @Test func `a new post is a signal at once`() async throws {
        let house = try HubHousehold()
        try await withLiveHub(house) { port in
            let hub = try remote(port)
            var signals = hub.arrivals(polling: .seconds(1_000_000)).stream().makeAsyncIterator()
            await signals.next()
            var cursor = try await hub.posts(by: [Account.ID("me")], after: nil).next
            for number in 0..<10 {
                try await house.post("\(number)")
                var found: [Post] = []
                while found.isEmpty, await signals.next() != nil {
                    (found, cursor) = try await hub.posts(by: [Account.ID("me")], after: cursor)
                }
                #expect(found.map(\.text) == ["\(number)"])
            }
        }
    }

    @Test func `what one watches there is heard as that by who is signed in (OU-6)`() async throws {
        let cast = HubCast(house: try HubHousehold())
        let (library, eve) = (cast.house.library, try await cast.house.person("eve"))
        let ann = try await cast.member("ann")
        let token = FixedToken(Secret(try await cast.token(of: ann)), service: "hub")
        let draft = ItemDraft(
            board: "attic", kind: "thing", author: eve, key: "k", title: "A thing", text: "", category: "other")
        let item = try await library.transact { try Items.create(draft, by: library, in: $0) }
        try await withLiveHub(cast.house) { port in
            let hub = MastodonNetwork(
                instance: try #require(WebAddress("http://127.0.0.1:\(port)")),
                transport: AuthorizedTransport(CurlTransport(), tokens: token), service: "hub")
            #expect(try await hub.followed().isEmpty)
            try await library.mark(item, .watch, isOn: true, by: ann.id)
            #expect(try await hub.followed() == [.watched])
            _ = try await library.post(PostDraft(author: eve, text: "other", key: "a"))
            let told = try await library.post(PostDraft(author: eve, text: "told #Chirp", key: "b"))
            try await library.transact { try ItemMedia.tell(told.sequence, of: item, in: $0) }
            let heard = try await hub.posts(by: [Account.watched.id], after: Cursor("0")).posts
            #expect(heard.map(\.author) == [.watched] && heard.first?.text == "told #Chirp")
            #expect(
                try await hub.posts(by: [Account.ID("id-eve")], after: Cursor("0")).posts.map(\.author.handle) == [
                    "eve"
                ])
        }
    }

    @Test func `nothing can be posted there, and what is no hub is said to be none`() async throws {
        let house = try HubHousehold()
        try await withLiveHub(house) { port in
            let hub = try remote(port)
            await #expect(throws: NetworkError.unsupported("be posted to")) {
                try await hub.publish(Draft(key: Draft.Key("k"), text: "x", link: ""))
            }
            let elsewhere = RemoteHub(
                root: try #require(WebAddress("http://127.0.0.1:\(port)/c")), transport: CurlTransport())
            await #expect {
                try await elsewhere.followed()
            } throws: { ($0 as? NetworkError)?.isPermanent == true }
        }
    }
}
