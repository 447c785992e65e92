import ChirpAccounts
import ChirpCommunity
import ChirpHub
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Reports and decisions as people without script meet them, and as programs do.
@Suite struct ModerationPageTests {
    private let house: HubHousehold

    init() throws { house = try HubHousehold() }

    private func settings(holdFirstPosts: Int = 0) throws -> HubSettings {
        var settings = try HubHousehold.settings(.open)
        settings.holdFirstPosts = holdFirstPosts
        return settings
    }

    private var library: HubLibrary { house.library }

    private func id(_ handle: String) async throws -> AccountID {
        try #require(try await library.seen(by: .visitor).person(named: handle)).id
    }

    private func post(by handle: String, _ text: String = "Listen to this") async throws -> HubPost {
        try await library.post(PostDraft(author: try await id(handle), text: text, key: UUID().uuidString))
    }

    /// Members Ann and Bob, and Mia, who moderates.
    private func people<R>(_ client: RouterClient<R>) async throws -> (
        ann: Visitor<R>, bob: Visitor<R>, mia: Visitor<R>
    ) {
        let (ann, bob, mia) = (Visitor(client), Visitor(client), Visitor(client))
        try await ann.join("ann", house)
        try await bob.join("bob", house)
        try await mia.join("mia", house)
        try await library.setRole(of: try await id("mia"), to: .moderator, by: library.owner.id)
        try await signIn(mia, "mia")
        return (ann, bob, mia)
    }

    private func signIn<R>(_ visitor: Visitor<R>, _ name: String) async throws {
        _ = try await visitor.submit(
            "/signin", [("username", name), ("password", "correct horse battery")])
    }

    private func owner<R>(_ client: RouterClient<R>) async throws -> Visitor<R> {
        let owner = Visitor(client)
        let link = HubPages(publicURL: "").ownerSignIn(try await library.accounts().ownerLink())
        _ = try await owner.submit(link)
        #expect(owner.has("session"))
        return owner
    }

    private func waiting() async throws -> [ModerationCase] {
        try await library.cases(waiting: true, for: library.owner.id)
    }

    @Test func `somebody reports a post, a moderator decides, the author reads why and appeals, another decides`()
        async throws
    {
        try await house.application(settings()).application().test(.router) { client in
            let (ann, bob, mia) = try await people(client)
            let post = try await post(by: "ann")
            #expect(try await bob.get("/p/\(post.id)").text.contains("/report/posts/\(post.sequence)"))
            let form = "/report/posts/\(post.sequence)"
            // A report needs words; what was typed is still there.
            let empty = try await bob.submit(form, [("reason", "abuse"), ("text", " ")])
            #expect(empty.status == .unprocessableContent && empty.text.contains("value=\"abuse\" selected"))
            let thanks = try await bob.submit(form, [("reason", "abuse"), ("text", "<b>He insults me</b>")])
            #expect(thanks.status == .ok && thanks.text.contains("Thank you"))
            #expect(try await bob.submit(form, [("reason", "abuse"), ("text", "Again")]).status == .conflict)

            #expect(try await mia.get("/moderation").location == "/moderation/reports")
            #expect(try await mia.get("/moderation/reports").text.contains("@ann"))
            let found = try #require(try await waiting().first)
            let page = "/moderation/cases/\(found.id)"
            let shown = try await mia.get(page).text
            #expect(shown.contains("&lt;b&gt;He insults me&lt;/b&gt;") && shown.contains("@bob"))
            let wrong = try await mia.submit(page, [("what", "suspension"), ("days", "99"), ("why", "A long pause")])
            #expect(wrong.status == .unprocessableContent)
            #expect(wrong.text.contains("A long pause") && wrong.text.contains("value=\"99\""))
            let decided = try await mia.submit(
                page, [("what", "warning"), ("hide", "yes"), ("why", "No insults, please")])
            #expect(decided.status == .seeOther && decided.location == page)
            // A second press of the same button comes too late.
            let late = try await mia.post(
                page,
                [
                    ("token", try #require(token(in: try await mia.get("/settings/profile").text))), ("state", "open"),
                    ("what", "show"), ("why", "Fine"),
                ])
            #expect(late.status == .conflict)
            #expect(try await bob.get("/p/\(post.id)").status == .notFound)

            // What was decided, why, and how to appeal; not who has decided, and who has reported.
            let told = try await ann.get("/notices").text
            #expect(told.contains("<strong>Warning</strong>") && told.contains("No insults, please"))
            #expect(told.contains("/settings/standing#case-\(found.id)") && told.contains("appeal"))
            #expect(!told.contains("mia") && !told.contains("bob"))
            let standing = try await ann.get("/settings/standing").text
            #expect(standing.contains("id=\"case-\(found.id)\""))
            #expect(standing.contains("No insults, please") && !standing.contains("mia") && !standing.contains("bob"))
            let appeal = "/settings/standing/\(found.id)/appeal"
            let said = try await ann.submit("/settings/standing", to: appeal, [("text", "It was a quote")])
            #expect(said.location == "/settings/standing")
            #expect(
                try await ann.submit("/settings/profile", to: appeal, [("text", "Once more")]).status == .conflict)
            #expect(
                try await bob.submit("/settings/profile", to: appeal, [("text", "For her")]).status == .notFound)

            // The one who decided does not decide about the appeal; the owner does.
            #expect(try await mia.submit(page, [("what", "uphold"), ("why", "No")]).status == .forbidden)
            let boss = try await owner(client)
            #expect(try await boss.submit(page, [("what", "show"), ("why", "So it was")]).status == .seeOther)
            #expect(try await bob.get("/p/\(post.id)").status == .ok)
            let log = try await mia.get("/moderation/log").text
            #expect(log.contains("So it was") && log.contains("No insults, please"))
        }
    }

    private func token(in page: String) -> String? {
        page.firstMatch(of: #/name="token" value="([^"]*)"/#).map { String($0.1) }
    }

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

    @Test func `what was decided about an account is among its notices, and of what cannot be appealed against no way`()
        async throws
    {
        try await house.application(settings()).application().test(.router) { client in
            let (ann, _, _) = try await people(client)
            let ids = (try await id("ann"), try await id("mia"))
            for (step, words) in [(Verdict.Step.notice, "Notice"), (.warning, "Warning")] {
                let found = try await library.openCase(about: .account(ids.0), by: ids.1)
                try await library.decide(found, Verdict(step, why: "<b>\(words)</b>, please"), by: ids.1, from: .open)
                let told = try await ann.get("/notices").text
                #expect(told.contains("about your account: <strong>\(words)</strong>"), "\(told)")
                #expect(told.contains("&lt;b&gt;\(words)&lt;/b&gt;, please") && told.contains("#case-\(found)"))
                try await library.appeal(found, by: ids.0, text: "No")
                #expect(try await !ann.get("/notices").text.contains("#case-\(found)"))
                let stays = Verdict(.uphold, why: "It was so")
                try await library.decide(found, stays, by: library.owner.id, from: .appealed)
                #expect(try await ann.get("/notices").text.contains("<strong>The decision stays</strong>"))
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

    @Test func `suspended people read, look and appeal; closed ones are out`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let (ann, bob, mia) = try await people(client)
            let ids = (try await id("ann"), try await id("mia"))
            let case1 = try await library.openCase(about: .account(ids.0), by: ids.1)
            try await library.decide(case1, Verdict(.suspension, days: 1, why: "A pause"), by: ids.1, from: .open)
            #expect(try await ann.get("/settings/standing").text.contains("A pause"))
            #expect(try await ann.get("/report/people/bob").status == .forbidden)
            #expect(try await ann.call(.post, "/api/v1/statuses", #"{"status": "Hello"}"#).status == .forbidden)
            let appeal = "/api/hub/v1/moderation/cases/\(case1)/appeal"
            #expect(try await ann.call(.post, appeal, #"{"text": "please"}"#).status == .ok)
            house.wait(24 * 3600)
            #expect(try await ann.call(.post, "/api/v1/statuses", #"{"status": "Hello"}"#).status == .ok)

            let other = try await library.openCase(about: .account(try await id("bob")), by: ids.1)
            try await library.decide(other, Verdict(.closing, why: "Enough"), by: ids.1, from: .open)
            #expect(try await bob.get("/settings").status == .seeOther)
            #expect(try await mia.get("/@bob").status == .notFound)

            // With the password, and only with it, he reads why and appeals once.
            let guess = try await bob.submit("/signin", [("username", "bob"), ("password", "wrong")])
            #expect(guess.status == .unprocessableContent && !guess.text.contains("closed"))
            let shown = try await bob.submit("/signin", [("username", "bob"), ("password", "correct horse battery")])
            #expect(shown.status == .forbidden && shown.text.contains("Enough") && !shown.text.contains("@mia"))
            #expect(try await bob.get("/settings").status == .seeOther)
            let hidden = type(of: bob).hidden(in: shown.text)
            let empty = try await bob.post("/signin/appeal", hidden + [("text", " ")])
            #expect(empty.status == .unprocessableContent && empty.text.contains("Enough"))
            let done = try await bob.post("/signin/appeal", hidden + [("text", "It was not me")])
            #expect(done.status == .ok)
            #expect(try await library.moderationCase(other, for: ids.1).appeal == "It was not me")
            let twice = try await bob.post("/signin/appeal", hidden + [("text", "Please")])
            #expect(twice.status == .conflict)
            house.wait(31 * 60)
            let late = try await bob.post("/signin/appeal", hidden + [("text", "Please")])
            #expect(late.location == "/signin")
        }
    }

    @Test func `a letter tells of a decision, and nothing of who reported`() async throws {
        try await house.application(settings()).application().test(.router) { client in
            let (_, _, mia) = try await people(client)
            let ids = (try await id("ann"), try await id("mia"))
            let found = try await library.openCase(about: .account(ids.0), by: ids.1)
            try await library.decide(found, Verdict(.warning, why: "A bad word"), by: ids.1, from: .open)
            // The next letter takes it along.
            _ = try await mia.submit("/reset", [("email", "ann@example.org")])
            let folder = house.folder.path("hub/mail")
            let letters = try FileManager.default.contentsOfDirectory(atPath: folder).map {
                try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
            }
            let letter = try #require(
                letters.first { $0.contains("To: ann@example.org\r\nSubject: A moderator has decided\r\n") })
            #expect(letter.contains("/settings/standing"))
            #expect(letter.contains("Warning") && !letter.contains("@mia") && !letter.contains("A bad word"))
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

    @Test func `a report by Mastodon's client API is a case`() async throws {
        struct Report: Decodable {
            struct Account: Decodable { let acct: String }
            let id, category, comment: String
            let status_ids: [String]
            let action_taken: Bool
            let target_account: Account
        }
        try await house.application(settings()).application().test(.router) { client in
            let (ann, bob, mia) = try await people(client)
            _ = mia
            let (post, annID) = (try await post(by: "ann"), try await id("ann"))
            let sent = #"{"account_id": "\#(annID)", "status_ids": ["\#(post.sequence)"], "category": "spam"}"#
            let answer = try await bob.call(.post, "/api/v1/reports", sent)
            #expect(answer.status == .ok)
            let report = try JSONDecoder().decode(Report.self, from: Data(answer.text.utf8))
            #expect(report.status_ids == ["\(post.sequence)"] && report.category == "spam" && !report.action_taken)
            #expect(report.target_account.acct == "ann")
            #expect(try await waiting().map(\.id) == [report.id])
            #expect(try await bob.call(.post, "/api/v1/reports", sent).status == .conflict)
            let soon = try await bob.call(.post, "/api/v1/reports", #"{"account_id": "\#(annID)"}"#)
            #expect(soon.status == .tooManyRequests && soon.headers[.retryAfter] == "300")
            for (json, status) in [
                ("{}", HTTPResponse.Status.notFound), (#"{"account_id": "nobody"}"#, .notFound),
                (#"{"account_id": "\#(annID)", "status_ids": ["999"]}"#, .notFound),
                (#"{"account_id": "\#(annID)", "status_ids": ["x"]}"#, .notFound),
                (#"{"account_id": "\#(annID)", "category": "DROP TABLE"}"#, .unprocessableContent),
                ("[]", .badRequest),
            ] {
                #expect(try await bob.call(.post, "/api/v1/reports", json).status == status, "\(json)")
            }
            #expect(try await ann.call(.post, "/api/v1/reports", sent).status == .forbidden)
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

    @Test(arguments: [
        "<script>alert(1)</script>", "\u{202E}gnirts\u{2066}", "\u{0}\u{7}", "' OR 1=1; DROP TABLE cases; --",
        "javascript:alert(1)", "\" onmouseover=\"x", "%00%0d%0aSet-Cookie: a=b",
        String(repeating: "ä\u{301}", count: 900),
    ])
    func `hostile words in reports, answers and reasons stay words`(words: String) async throws {
        try await house.application(settings()).application().test(.router) { client in
            let (ann, bob, mia) = try await people(client)
            let post = try await post(by: "ann")
            let sent = try await bob.submit(
                "/report/posts/\(post.sequence)", [("reason", "spam"), ("text", "x\(words)")])
            #expect(sent.status == .ok)
            let found = try #require(try await waiting().first)
            _ = try await ann.submit(
                "/settings/standing", to: "/settings/standing/\(found.id)/answer", [("text", "x\(words)")])
            let page = "/moderation/cases/\(found.id)"
            _ = try await mia.submit(page, [("what", "notice"), ("why", "x\(words)")])
            for (reader, path) in [
                (mia, page), (mia, "/moderation/log"), (mia, "/moderation/cases"), (ann, "/settings/standing"),
            ] {
                let answer = try await reader.get(path)
                #expect(answer.status == .ok)
                #expect(!answer.text.contains("<script>alert") && !answer.text.contains("\" onmouseover"))
                #expect(!answer.text.unicodeScalars.contains("\u{202E}") && !answer.text.contains("\u{0}"))
            }
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
