import ChirpAccounts
import ChirpCommunity
import ChirpHub
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// From a report to the last decision, as people without script meet it, and as programs do.
@Suite struct CasePageTests: ModeratedHub {
    let house: HubHousehold

    init() throws { house = try HubHousehold() }

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
}
