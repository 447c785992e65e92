import ChirpAccounts
import ChirpCommunity
import ChirpHub
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// What moderators and the owner do on pages without script, and what it comes to for whom it concerns.
@Suite struct ModerationPageTests: ModeratedHub {
    let house: HubHousehold

    init() throws { house = try HubHousehold() }

    @Test func `pages for moderators are theirs, and some the owner's`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let (ann, _, mia) = try await people(client)
            let (visitor, boss) = (Visitor(client), try await owner(client))
            let forModerators = ["reports", "cases", "queue", "people", "domains", "addresses", "log"]
            for page in forModerators + ["registration", "boards"] {
                let path = "/moderation/\(page)"
                #expect(try await visitor.get(path).status == .seeOther, "\(path)")
                #expect(try await ann.get(path).status == .forbidden, "\(path)")
                #expect(
                    try await mia.get(path).status == (forModerators.contains(page) ? .ok : .forbidden), "\(path)")
                let shown = try await boss.get(path)
                #expect(shown.status == .ok, "\(path)")
                #expect(shown.text.contains("role=\"status\"") && shown.text.contains("role=\"alert\""))
            }
            for path in ["cases", "queue", "people", "log", "addresses"] {
                let path = "/api/hub/v1/moderation/\(path)"
                #expect(try await visitor.get(path).status == .unauthorized, "\(path)")
                #expect(try await ann.get(path).status == .forbidden, "\(path)")
                #expect(try await mia.get(path).status == .ok, "\(path)")
            }
            for path in ["/notices", "/settings/standing"] {
                #expect(try await visitor.get(path).status == .seeOther)
                #expect(try await ann.get(path).status == .ok)
            }
            // No case, a case of another form, a case that never was.
            for id in ["1", String(repeating: "a", count: 22), "..%2F..%2Fetc"] {
                #expect(try await mia.get("/moderation/cases/\(id)").status == .notFound)
            }
        }
    }

    @Test func `every name on a page for moderators leads somewhere, whoever is closed or has blocked them`()
        async throws
    {
        try await house.application(settings()).application().test(.router) { client in
            let (_, _, mia) = try await people(client)
            let ids = (ann: try await id("ann"), bob: try await id("bob"), mia: try await id("mia"))
            // Her address is not confirmed yet.
            _ = try await Visitor(client).submit(
                "/signup", [("email", "new@example.org"), ("username", "new"), ("password", "correct horse battery")])
            try await library.block(ids.mia, by: ids.ann)
            var pages = ["/moderation/people", "/moderation/log", "/moderation/cases", "/moderation/reports"]
            for person in [ids.ann, ids.bob] {
                let found = try await library.openCase(about: .account(person), by: ids.mia)
                pages.append("/moderation/cases/\(found)")
                guard person == ids.bob else { continue }
                try await library.decide(found, Verdict(.closing, why: "Enough"), by: ids.mia, from: .open)
            }
            for page in pages {
                let text = try await mia.get(page).text
                let links = text.matches(of: #/<a href="([^"#]*)[^"]*"><bdi>@/#).map { String($0.1) }
                for link in links { #expect(try await mia.get(link).status == .ok, "\(page): \(link)") }
                if page == "/moderation/people" {
                    for handle in ["ann", "bob", "new"] { #expect(text.contains("<bdi>@\(handle)</bdi>")) }
                } else if page.hasPrefix("/moderation/cases/") {
                    #expect(links.contains { $0.hasPrefix("/moderation/people?q=") })
                }
            }
        }
    }

    @Test func `the owner sees which boards there are, and which are shown`() async throws {
        for (shown, words) in [(["lost-and-found"], "0 open listings"), ([], "lost-and-found: not shown")] {
            var settings = try settings()
            settings.boards = shown
            try await house.application(settings).application().test(.router) { client in
                let page = try await owner(client).get("/moderation/boards").text
                #expect(page.contains(words))
                #expect(page.contains("<a href=\"/lost-and-found\">Lost &amp; Found</a>") == !shown.isEmpty)
            }
        }
    }

    @Test func `first posts are shown or hidden by a press`() async throws {
        try await house.application(settings(holdFirstPosts: 1)).application().test(.router) { client in
            let (ann, bob, mia) = try await people(client)
            #expect(try await ann.call(.post, "/api/v1/statuses", #"{"status": "My first"}"#).status == .ok)
            #expect(try await ann.call(.post, "/api/v1/statuses", #"{"status": "My second"}"#).status == .ok)
            #expect(try await !bob.get("/@ann").text.contains("My first"))
            let page = try await mia.get("/moderation/queue").text
            #expect(page.contains("My first") && page.contains("Show") && page.contains("Hide"))
            let held = try await library.heldPosts(for: library.owner.id)
            let form = try #require(token(in: page))
            for (post, what) in zip(held, ["show", "hide"]) {
                let answer = try await mia.post(
                    "/moderation/queue/\(post.sequence)", [("token", form), ("what", what)])
                #expect(answer.location == "/moderation/queue")
            }
            let shown = try await bob.get("/@ann").text
            #expect(shown.contains("My first") && !shown.contains("My second"))
            #expect(try await ann.call(.post, "/api/v1/statuses", #"{"status": "My third"}"#).status == .ok)
            #expect(try await bob.get("/@ann").text.contains("My third"))
        }
    }

    @Test func `a new account that posts too often is told when to come back`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let ann = Visitor(client)
            try await ann.join("ann", house)
            for number in 1...10 {
                let answer = try await ann.call(.post, "/api/v1/statuses", #"{"status": "\#(number)"}"#)
                #expect(answer.status == .ok)
            }
            let answer = try await ann.call(.post, "/api/v1/statuses", #"{"status": "11"}"#)
            #expect(answer.status == .tooManyRequests && answer.headers[.retryAfter] == "86400")
        }
    }

    @Test func `the owner opens and closes the hub, makes invitations and moderators`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let (ann, _, mia) = try await people(client)
            let boss = try await owner(client)
            let page = "/moderation/registration"
            #expect(try await boss.submit(page, [("registration", "invite")]).status == .seeOther)
            #expect(try await Visitor(client).get("/signup").text.contains("invitation"))
            let made = try await boss.submit(page, to: "\(page)/invite").text
            let link = try #require(made.firstMatch(of: #/value="[^"]*(\/signup\?invitation=[^"]*)"/#)).1
            #expect(try await Visitor(client).get(String(link)).text.contains("name=\"username\""))
            #expect(try await boss.submit(page, [("registration", "everybody")]).status == .unprocessableContent)
            #expect(
                try await mia.submit("/settings/profile", to: page, [("registration", "open")]).status == .forbidden)

            let annID = try await id("ann")
            let role = "/moderation/people/\(annID)/role"
            #expect(try await mia.submit("/moderation/people", to: role, [("role", "moderator")]).status == .forbidden)
            let made2 = try await boss.call(.put, "/api/hub/v1\(role)", #"{"role": "moderator"}"#)
            #expect(made2.status == .ok)
            // A session never gains rights: she signs in again.
            #expect(try await ann.get("/moderation/reports").status == .seeOther)
            try await signIn(ann, "ann")
            #expect(try await ann.get("/moderation/people?q=mi").text.contains("@mia"))
            #expect(
                try await boss.call(.put, "/api/hub/v1\(role)", #"{"role": "owner"}"#).status == .unprocessableContent)
        }
    }

    @Test func `blocks of addresses are banned and free again by a form`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let (_, _, mia) = try await people(client)
            let page = "/moderation/addresses"
            let fields = [("prefix", "192.0.2.7/24"), ("days", ""), ("why", "Waves of accounts")]
            #expect(try await mia.submit(page, fields).status == .seeOther)
            #expect(try await mia.get(page).text.contains("192.0.2.0/24"))
            let form = try #require(token(in: try await mia.get(page).text))
            let all = [("token", form), ("prefix", "0.0.0.0/0"), ("why", "All")]
            #expect(try await mia.post(page, all).status == .unprocessableContent)
            #expect(
                try await mia.submit(page, to: "\(page)/free", [("prefix", "192.0.2.0/24")]).status == .seeOther)
        }
    }

    @Test func `notices are read by a press`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let (ann, _, _) = try await people(client)
            let (annID, bobID) = (try await id("ann"), try await id("bob"))
            try await library.follow(annID, by: bobID)
            let post = try await post(by: "bob", "Hello @ann")
            let page = try await ann.get("/notices").text
            #expect(page.contains("follows you") && page.contains("/p/\(post.id)") && page.contains("New."))
            #expect(try await ann.submit("/notices", to: "/notices/read").location == "/notices")
            #expect(try await library.seen(by: .member(annID)).unreadNotices() == 0)
            #expect(try await !ann.get("/notices").text.contains("New."))
        }
    }
}
