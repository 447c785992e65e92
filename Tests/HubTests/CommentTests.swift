import ChirpAccounts
import ChirpCommunity
import ChirpHub
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// What people do with posts by forms, without script: comment, like, bookmark, delete.
@Suite struct CommentTests {
    private let house: HubHousehold
    private let cast: HubCast

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    @Test func `a member comments on a clip, and everybody who sees the clip sees it`() async throws {
        let ann = try await cast.member("ann")
        try await cast.member("bob")
        let (id, post) = try await cast.clip(of: ann)
        try await house.application(cast.settings(limitScale: 100)).application().test(.router) { client in
            let (bob, visitor) = (try await cast.browser(of: "bob", client), Visitor(client))
            let reply = "/posts/\(post.sequence)/reply"
            #expect(try await bob.get("/c/\(id)").text.contains("href=\"/record?answers=\(post.id)\""))
            let answer = try await bob.submit("/c/\(id)", to: reply, [("text", "So <b>wet</b>")])
            #expect(answer.status == .seeOther && answer.location.hasPrefix("/c/\(id)#p"))
            for page in [try await bob.get("/c/\(id)").text, try await visitor.get("/c/\(id)").text] {
                #expect(page.contains("So &lt;b&gt;wet&lt;/b&gt;") && page.contains("1 comment"))
            }
            let page = try await visitor.get("/c/\(id)").text
            #expect(page.contains("/signin?to=%2Fc%2F\(id)") && !page.contains("name=\"key\""))
            // In everybody's list it would stand alone.
            #expect(!(try await visitor.get("/").text.contains("&lt;b&gt;wet")))
            #expect(try await visitor.post(reply, [("text", "x")]).status == .forbidden)
        }
    }

    @Test func `what is not taken comes back with its page, and what is sent twice is there once`() async throws {
        let ann = try await cast.member("ann")
        let (id, post) = try await cast.clip(of: ann)
        try await house.application(cast.settings(limitScale: 100)).application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            let reply = "/posts/\(post.sequence)/reply"
            let long = String(repeating: "long ", count: 300)
            for text in ["", "  \n ", long] {
                let answer = try await browser.submit("/c/\(id)", to: reply, [("text", text)])
                #expect(answer.status == .unprocessableContent && answer.text.contains("aria-invalid=\"true\""))
                #expect(answer.text.contains("<h1") && (text != long || answer.text.contains("long long long")))
            }
            let fields = Visitor<RouterResponder<BasicRequestContext>>.hidden(
                in: try await browser.get("/c/\(id)").text)
            for _ in 0..<2 {
                #expect(try await browser.post(reply, fields + [("text", "once")]).status == .seeOther)
            }
            #expect(try await house.library.seen(by: .visitor).posts(below: post.sequence).count == 1)
        }
    }

    @Test func `an answer to what only followers see reaches whom it answers, and nobody else`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        try await cast.member("eve")
        let (id, post) = try await cast.clip(of: ann, visibility: .followers)
        try await house.library.follow(ann.id, by: bob.id)
        try await house.application(cast.settings(limitScale: 100)).application().test(.router) { client in
            let (hers, his) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            let answer = try await his.submit("/c/\(id)", to: "/posts/\(post.sequence)/reply", [("text", "Heard you")])
            #expect(answer.status == .seeOther)
            #expect(try await hers.get("/c/\(id)").text.contains("Heard you"))
            let eve = try await cast.browser(of: "eve", client)
            #expect(try await eve.get("/c/\(id)").status == .notFound)
            let foreign = try await eve.submit(
                "/settings/profile", to: "/posts/\(post.sequence)/reply", [("text", "x")])
            #expect(foreign.status == .notFound)
            #expect(try await eve.submit("/settings/profile", to: "/posts/\(post.sequence)/like").status == .notFound)
        }
    }

    @Test func `a post is liked and bookmarked by forms, which lead back`() async throws {
        let ann = try await cast.member("ann")
        try await cast.member("bob")
        let (id, post) = try await cast.clip(of: ann)
        try await house.application(cast.settings()).application().test(.router) { client in
            let bob = try await cast.browser(of: "bob", client)
            let page = "/c/\(id)"
            let liked = try await bob.submit(page, to: "/posts/\(post.sequence)/like")
            #expect(liked.status == .seeOther && liked.location == "\(page)#p\(post.sequence)")
            let shown = try await bob.get(page).text
            #expect(shown.contains("1 like") && shown.contains(">Unlike<"))
            _ = try await bob.submit(page, to: "/posts/\(post.sequence)/bookmark")
            #expect(try await bob.get("/bookmarks").text.contains("Rain"))
            _ = try await bob.submit(page, to: "/posts/\(post.sequence)/unbookmark")
            #expect(try await bob.get("/bookmarks").text.contains("You have no bookmarks yet"))
            let away = try await bob.submit(
                "/settings/profile", to: "/posts/\(post.sequence)/unlike", [("back", "https://evil.example/")])
            #expect(away.location == "/")
        }
    }

    @Test func `one's own is deleted after a question, and nobody else's`() async throws {
        let ann = try await cast.member("ann")
        try await cast.member("bob")
        let (id, post) = try await cast.clip(of: ann)
        try await house.application(cast.settings(limitScale: 100)).application().test(.router) { client in
            let (hers, his) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            _ = try await his.submit("/c/\(id)", to: "/posts/\(post.sequence)/reply", [("text", "Mine to delete")])
            let comment = try #require(
                try await house.library.seen(by: .visitor).posts(below: post.sequence).first?.sequence)
            #expect(try await hers.get("/posts/\(comment)/delete").status == .notFound)
            #expect(try await his.get("/c/\(id)/delete").status == .notFound)
            #expect(try await his.submit("/posts/\(comment)/delete").location == "/c/\(id)")
            #expect(!(try await hers.get("/c/\(id)").text.contains("Mine to delete")))
            #expect(try await hers.get("/c/\(id)").text.contains("/c/\(id)/delete"))
            #expect(try await hers.get("/c/\(id)/delete").text.contains("Delete this clip?"))
            #expect(try await hers.get("/c/\(id)").status == .ok)
            #expect(try await hers.submit("/c/\(id)/delete").status == .seeOther)
            #expect(try await his.get("/c/\(id)").status == .gone)
        }
    }
}
