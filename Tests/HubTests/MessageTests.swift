import ChirpAccounts
import ChirpCommunity
import ChirpHub
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Messages: between those whom they name, and nobody else.
@Suite struct MessageTests {
    private let house: HubHousehold
    private let cast: HubCast

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    @Test func `somebody writes to somebody, who reads it and answers, without script`() async throws {
        for name in ["ann", "bob", "eve"] { try await cast.member(name) }
        try await house.application(cast.settings(limitScale: 100)).application().test(.router) { client in
            let (ann, bob) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            #expect(try await Visitor(client).get("/messages").location == "/signin?to=%2Fmessages")
            let sent = try await ann.submit("/messages", [("to", "@bob"), ("text", "Hello <b>you</b>")])
            #expect(sent.status == .seeOther)
            let thread = String(sent.location.prefix { $0 != "#" })
            #expect(try await bob.get("/messages").text.contains("1 new"))
            let page = try await bob.get(thread).text
            #expect(page.contains("Hello &lt;b&gt;you") && !page.contains("@bob Hello"))
            #expect(page.contains("href=\"/record?to=@ann\""))
            // Looking changes nothing; saying so does.
            #expect(try await bob.get("/messages").text.contains("1 new"))
            #expect(try await bob.submit(thread, to: "\(thread)/read").status == .seeOther)
            #expect(!(try await bob.get("/messages").text.contains("1 new")))
            #expect(try await bob.submit(thread, [("text", "Hello yourself")]).status == .seeOther)
            #expect(try await ann.get(thread).text.contains("Hello yourself"))
            #expect(try await ann.get("/messages").text.contains("1 new"))
            let eve = try await cast.browser(of: "eve", client)
            #expect(try await eve.get(thread).status == .notFound)
            #expect(try await eve.submit("/messages", to: thread, [("text", "x")]).status == .notFound)
            #expect(try await eve.submit("/messages", to: "\(thread)/read").status == .notFound)
            for path in ["/", "/public", "/search?q=Hello", "/@ann"] {
                #expect(!(try await eve.get(path).text.contains("&lt;b&gt;you")), "\(path)")
            }
        }
    }

    @Test func `who is not there, or wants no messages, gets none`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        try await house.application(cast.settings(limitScale: 100)).application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            for name in ["@nobody", "", "ann", "@a b"] {
                let answer = try await browser.submit("/messages", [("to", name), ("text", "Hello there")])
                #expect(answer.status == .unprocessableContent && answer.text.contains("Hello there"), "\(name)")
            }
            let sent = try await browser.submit("/messages", [("to", "bob"), ("text", "Hello")])
            let thread = String(sent.location.prefix { $0 != "#" })
            try await house.library.block(ann.id, by: bob.id)
            #expect(try await browser.get(thread).text.contains("Nobody here can be written to"))
            #expect(
                try await browser.submit("/messages", to: thread, [("text", "Again")]).status == .unprocessableContent)
            #expect(
                try await browser.submit("/messages", [("to", "bob"), ("text", "Again")]).status
                    == .unprocessableContent)
            let his = try await cast.browser(of: "bob", client)
            #expect(!(try await his.get("/messages").text.contains("Hello")))
        }
    }

    @Test func `a long conversation has pages`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        for number in 1...35 {
            var draft = PostDraft(author: ann.id, text: "@bob message \(number).", key: "\(number)")
            draft.visibility = .direct
            _ = try await house.library.post(draft)
        }
        let thread = try #require(try await house.library.seen(by: .member(bob.id)).threads().first)
        #expect(thread.unread == 35 && thread.people.map(\.handle) == ["ann"])
        try await house.application(cast.settings()).application().test(.router) { client in
            let browser = try await cast.browser(of: "bob", client)
            let first = try await browser.get("/messages/\(thread.id)").text
            #expect(first.contains("message 35.") && first.contains("message 6.") && !first.contains("message 5."))
            let older = try #require(first.firstMatch(of: #/href="([^"]*\?before=\d+)"/#)?.1)
            // Programs of the page go on from there, and on a page of older messages they add nothing.
            let after = try #require(first.firstMatch(of: #/"after":"(\d+)"/#)?.1)
            #expect(Int64(after) == thread.posts.first)
            let second = try await browser.get(String(older)).text
            #expect(!second.contains("\"after\""))
            #expect(second.contains("message 5.") && second.contains("message 1.") && !second.contains("message 6."))
        }
    }

    @Test func `programs read and write the same conversations`() async throws {
        let (ann, bob, eve) = (try await cast.member("ann"), try await cast.member("bob"), try await cast.member("eve"))
        let tokens = (try await cast.token(of: ann), try await cast.token(of: bob), try await cast.token(of: eve))
        let path = "/api/hub/v1/threads"
        try await house.application(cast.settings(limitScale: 100)).application().test(.router) { client in
            let sent = try await client.send(
                .post, path, json: "{\"to\":[\"@bob\"],\"text\":\"Hello\"}", token: tokens.0)
            #expect(sent.status == .ok)
            let id = try #require(try sent.facts["thread"] as? String)
            let list = try await client.send(.get, path, token: tokens.1).facts
            let found = try #require((list["threads"] as? [[String: Any]])?.first)
            #expect(found["id"] as? String == id && found["unread"] as? Int == 1)
            #expect((found["newest"] as? [String: Any])?["text"] as? String == "Hello")
            let answer = try await client.send(.post, "\(path)/\(id)", json: "{\"text\":\"Yes\"}", token: tokens.1)
            #expect(answer.status == .ok)
            let read = try await client.send(.get, "\(path)/\(id)", token: tokens.0).facts
            let messages = try #require(read["messages"] as? [[String: Any]])
            #expect(messages.compactMap { $0["text"] as? String } == ["Yes", "Hello"])
            #expect(messages.compactMap { $0["own"] as? Bool } == [false, true])
            #expect(try await client.send(.post, "\(path)/\(id)/read", token: tokens.0).status == .noContent)
            #expect(try await client.send(.get, "\(path)/\(id)", token: tokens.2).status == .notFound)
            #expect(
                try await client.send(.post, "\(path)/\(id)", json: "{\"text\":\"x\"}", token: tokens.2).status
                    == .notFound)
            #expect(
                try await client.send(.post, path, json: "{\"text\":\"x\"}", token: tokens.2).status
                    == .unprocessableContent)
            #expect(try await client.send(.get, path).status == .unauthorized)
        }
    }
}
