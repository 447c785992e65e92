import ChirpCommunity
import ChirpNetworks
import ChirpOwnHub
import ChirpStores
import Foundation
import HubHousehold
import Testing

/// The hub as a network (W-5, CH-7, CH-9, CH-10).
@Suite struct HubNetworkTests {
    @Test func `the same key gives the same post however often`() async throws {
        let house = try HubHousehold()
        let id = try await house.save()
        let link = "\(HubHousehold.publicURL)/c/\(id)"
        let first = try await house.post("Listen \(link) #Chirp", link: link, key: "k")
        house.wait(10)
        let second = try await house.post("Listen \(link) #Chirp", link: link, key: "k")
        #expect(first == second)
        let post = try #require(first)
        #expect(post.author.handle == "me")
        #expect(post.text == "Listen \(link) #Chirp")
        #expect(post.links == [link])
        #expect(post.tags == ["Chirp"])
        #expect(post.url == link)
        #expect(post.created == HubHousehold.start)
    }

    @Test func `a link elsewhere is a post without a page`() async throws {
        let house = try HubHousehold()
        let stranger = try await house.store.reserve().text
        for link in ["https://drive.example.org/file", "https://clips.example.org/c/\(stranger)", ""] {
            let post = try #require(try await house.post("words", link: link))
            #expect(post.url == nil)
            #expect(post.links == (link.isEmpty ? [] : [link]))
        }
    }

    @Test func `posts come oldest first behind the cursor, in batches`() async throws {
        let house = try HubHousehold()
        for number in 1...450 { try await house.post("post \(number)") }
        var seen: [String] = []
        var cursor: Cursor?
        while true {
            let (posts, next) = try await house.network.posts(by: [.init("me")], after: cursor)
            if posts.isEmpty { break }
            seen += posts.map(\.text)
            cursor = next
        }
        #expect(seen == (1...450).map { "post \($0)" })
        let later = try #require(try await house.post("later"))
        #expect(try await house.network.posts(by: [.init("me")], after: cursor).posts == [later])
    }

    @Test func `other accounts, or none, have no posts here`() async throws {
        let house = try HubHousehold()
        try await house.post("one")
        #expect(try await house.network.posts(by: [], after: nil).posts.isEmpty)
        #expect(try await house.network.posts(by: [.init("' OR 1=1 --")], after: nil).posts.isEmpty)
    }

    @Test(arguments: ["", "x", "-1", "1.5", "99999999999999999999999"])
    func `a cursor that is none of ours is refused`(text: String) async throws {
        let house = try HubHousehold()
        await #expect(throws: NetworkError.self) {
            try await house.network.posts(by: [.init("me")], after: Cursor(text))
        }
    }

    @Test func `a removed post stays away and its place is not used again`() async throws {
        let house = try HubHousehold()
        let first = try #require(try await house.post("first"))
        let (_, cursor) = try await house.network.posts(by: [.init("me")], after: nil)
        try await house.network.remove(first.id)
        try await house.network.remove(first.id)
        let second = try #require(try await house.post("second"))
        #expect(try await house.network.posts(by: [.init("me")], after: cursor).posts == [second])
    }

    @Test func `what is told of things that the owner watches is heard as that, once, whoever wrote it (OU-6)`()
        async throws
    {
        let house = try HubHousehold()
        let (library, ann, bob) = (house.library, try await house.person("ann"), try await house.person("bob"))
        #expect(try await !house.network.followed().contains(.watched))
        let draft = ItemDraft(
            board: "attic", kind: "thing", author: ann, key: "k", title: "A thing", text: "", category: "other")
        let item = try await library.transact { try Items.create(draft, by: library, in: $0) }
        try await library.mark(item, .watch, isOn: true, by: library.owner.id)
        #expect(try await house.network.followed().last == .watched)
        for author in [ann, bob] {
            _ = try await library.post(PostDraft(author: author, text: "other", key: "other-\(author)"))
            let told = try await library.post(PostDraft(author: author, text: "told", key: "told-\(author)"))
            try await library.transact { try ItemMedia.tell(told.sequence, of: item, in: $0) }
        }
        func heard(_ chosen: [Account.ID]) async throws -> [String] {
            try await house.network.posts(by: chosen, after: nil).posts.map { "\($0.author.handle) \($0.text)" }
        }
        #expect(try await heard([Account.watched.id]) == ["watched told", "watched told"])
        let annAlone = Account.ID("id-ann")
        #expect(try await heard([annAlone]) == ["ann other", "ann told"])
        #expect(try await heard([annAlone, Account.watched.id]) == ["ann other", "ann told", "watched told"])
        try await library.mark(item, .watch, isOn: false, by: library.owner.id)
        #expect(try await heard([Account.watched.id]).isEmpty)
    }

    @Test func `a clip that has expired takes its post out of the feed`() async throws {
        let house = try HubHousehold()
        try await house.publish(expires: house.now + 60)
        #expect(try await house.network.posts(by: [.init("me")], after: nil).posts.count == 1)
        house.wait(60)
        #expect(try await house.network.posts(by: [.init("me")], after: nil).posts.isEmpty)
    }

    @Test(
        arguments: [
            ("#Chirp", ["Chirp"]), ("a #Chirp, #two_2!", ["Chirp", "two_2"]), ("#", []), ("a#b", []), ("#12", []),
            ("(#Chirp)", ["Chirp"]), ("https://a.example/#Chirp x", []), ("#Grüße", ["Grüße"]), ("##x", []),
        ])
    func `hashtags are found as written`(text: String, tags: [String]) async throws {
        let house = try HubHousehold()
        #expect(try await house.post(text)?.tags == tags)
    }
}
