import ChirpAccounts
import ChirpCommunity
import ChirpHub
import ChirpNumbers
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Clips of somebody at another server, at home, live, and by programs.
extension FollowingRouteTests {
    /// Somebody who follows him, and the account by which she does.
    func follower(_ handle: String) async throws -> (account: HubAccount, bob: PostAuthor) {
        let account = try await member(handle)
        let found = try #require(try await house.library.introduce(try await house.library.keep(bob.facts)))
        try await house.library.follow(found.id, by: account.id)
        _ = try await waiting()
        return (account, found)
    }

    /// A clip of his that has come.
    func clip(_ title: String) async throws -> HubPost {
        let person = try #require(try await house.library.remotePerson(at: bob.id))
        let address = "https://far.example/notes/\(title)"
        let draft = RemoteClip.Draft(
            address: address, sound: "https://far.example/\(title).mp3", title: title,
            words: RemoteClip.Words(text: "\(title) <b> #Chirp"), page: address, published: nil)
        try await house.library.apply(.clip(draft), by: person, activity: "\(address)/create")
        let waiting = try #require(try await house.library.dueRemoteClips(limit: 1).first)
        let made = HubClip(
            id: waiting.clip, title: title, fileName: "take.mp3", contentType: "audio/mpeg", bytes: 10, sha256: "00",
            sound: HubSound(seconds: 12, peaks: [1, 2]), created: house.now, expires: nil, shared: true)
        #expect(try await house.library.receive(waiting, as: made) == [])
        let account = try #require(try await house.library.introduce(person)).id
        let follower = try await house.texts("SELECT follower FROM follows WHERE followed = '\(account)'")
        let reader = house.library.seen(by: .member(AccountID(rawValue: try #require(follower.first))))
        return try #require(try await reader.posts(before: .end, .by(account), limit: 1).first)
    }

    @Test func `his clips are heard live by his name, once, by those who follow`() async throws {
        let (ann, bob) = try await follower("ann")
        let listening = ListeningStore(house.library)
        try await application().application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            #expect(try await browser.get("/live").text.contains("@bob@far.example"))
            let session = try await listening.begin(
                ann.id, chosen: [bob.id],
                window: ListeningWindow(
                    begins: house.now, ends: house.now.addingTimeInterval(600), followsClock: false))
            guard case .begun(let live) = session else { throw HubCast.Unexpected() }
            #expect(live.chosen.map(\.handle) == ["bob@far.example"])
            let post = try await clip("Blackbird")
            let streamed = try await listening.posts(after: PageCursor(live.readTo), limit: 9)
            #expect(streamed.map(\.post.sequence) == [post.sequence])
            #expect(streamed.first?.audience == [ann.id, bob.id])
            let detected = ListeningStore.Detected(session: live.number, post: post.sequence, author: bob.id)
            let plays = try await listening.detect([detected, detected], upTo: post.sequence)
            #expect(plays.count == 1)
            #expect(try await listening.mayHear(try #require(plays.first).id, ann.id))

            let page = "/c/\(try #require(post.clip).id)"
            #expect(try await client.send(.get, page).status == .notFound)
            let text = try await browser.get(page).text
            #expect(text.contains("Blackbird &lt;b&gt;") && text.contains("bob@far.example"))
            #expect(try await browser.get("/").text.contains("@bob@far.example"))
            for feed in ["/feed.xml", "/feed.json", "/api/v1/posts", "/public", "/search?q=Blackbird"] {
                #expect(try await !client.send(.get, feed).text.contains("Blackbird &lt;b"), "\(feed)")
            }
        }
    }

    @Test func `programs that listen get his clips as those of people here`() async throws {
        let (ann, _) = try await follower("ann")
        let token = try await cast.token(of: ann, "read")
        let post = try await clip("Blackbird")
        try await application().application().test(.router) { client in
            let home = try await client.send(.get, "/api/v1/timelines/home", token: token).text
            #expect(home.contains("Blackbird &lt;b&gt; ") && home.contains(#""acct":"bob@far.example""#))
            #expect(home.contains("/media/\(try #require(post.clip).id).mp3") && home.contains(#""name":"chirp""#))
            #expect(try await !client.send(.get, "/api/v1/timelines/public").text.contains("Blackbird"))
        }
    }
}
