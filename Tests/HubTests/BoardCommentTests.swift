import ChirpAccounts
import ChirpCommunity
import ChirpHub
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// What every board with comments has to do, for people without script and for programs.
@Suite struct BoardCommentTests {
    private let house: HubHousehold
    private let cast: HubCast

    init() throws {
        house = try HubHousehold(boards: Boards.tables)
        cast = HubCast(house: house)
    }

    private var library: HubLibrary { house.library }

    private func hub(_ board: BoardSample, intake: ClipIntake? = nil) throws -> HubApplication {
        try house.application(with: board, cast.settings(limitScale: 1000), intake: intake)
    }

    /// Lists something as somebody; gives its id.
    private func place<R>(_ board: BoardSample, _ client: RouterClient<R>, token: String) async throws -> String {
        var fields = board.fields.merging(["key": UUID().uuidString]) { $1 }
        fields.merge(try await board.further(house, token)) { $1 }
        let json = String(decoding: try JSONEncoder().encode(fields), as: UTF8.self)
        let answer = try await client.send(.post, board.api, json: json, token: token)
        #expect(answer.status == .created, "\(answer.text.prefix(300))")
        return try #require(try answer.facts["id"] as? String)
    }

    private func say<R>(
        _ board: BoardSample, _ item: String, _ client: RouterClient<R>, token: String?, _ fields: [String: String]
    ) async throws -> TestResponse {
        let json = String(decoding: try JSONEncoder().encode(fields), as: UTF8.self)
        return try await client.send(.post, "\(board.api)/\(item)/comments", json: json, token: token)
    }

    /// The same by the form of a page: the token first, as browsers send it.
    private func submit<R>(
        _ page: String, to path: String, _ text: String, voice: String = "", by visitor: Visitor<R>
    ) async throws -> TestResponse {
        let hidden = Visitor<R>.hidden(in: try await visitor.get(page).text)
        let parts =
            hidden.map { ($0.name, "", $0.value) } + [("text", "", text), ("voice", "; filename=\"a.wav\"", voice)]
        let body =
            parts.map {
                "--limit5f3a\r\nContent-Disposition: form-data; name=\"\($0.0)\"\($0.1)\r\n\r\n\($0.2)\r\n"
            }.joined() + "--limit5f3a--\r\n"
        return try await visitor.send(
            .post, path, [.contentType: "multipart/form-data; boundary=limit5f3a"], ByteBuffer(string: body))
    }

    /// The texts of an item's comments, as programs read them.
    private func texts<R>(
        _ board: BoardSample, _ item: String, _ client: RouterClient<R>, _ query: String = "", token: String? = nil
    ) async throws -> [String] {
        let answer = try await client.send(.get, "\(board.api)/\(item)/comments\(query)", token: token)
        #expect(answer.status == .ok)
        let found = try #require(try answer.facts["comments"] as? [[String: Any]])
        return found.map { $0["state"] as? String == "removed" ? "-" : $0["text"] as? String ?? "" }
    }

    private func token(_ name: String) async throws -> String { try await cast.token(of: try await cast.member(name)) }

    @Test(arguments: BoardSample.commented) func `comments are declared below the items, and changing is for members`(
        _ board: BoardSample
    ) async throws {
        let declared = try hub(board).declaredRoutes()
        for (path, methods) in [
            ("\(board.page)/:id/comments", ["GET", "POST"]), ("\(board.api)/:id/comments", ["GET", "POST"]),
            ("\(board.page)/:id/comments/:comment", ["GET"]),
            ("\(board.api)/:id/comments/:comment", ["DELETE", "GET"]),
            ("\(board.page)/:id/comments/:comment/removal", ["GET", "POST"]),
        ] {
            let routes = declared.filter { $0.path == path }
            #expect(routes.map(\.method.rawValue).sorted() == methods, "\(path)")
            for route in routes where route.method != .get { #expect(route.access != .everybody, "\(path)") }
        }
    }

    @Test(arguments: BoardSample.commented) func `programs say, read page by page, answer and remove`(
        _ board: BoardSample
    ) async throws {
        let (ann, bob) = (try await token("ann"), try await token("bob"))
        try await hub(board).application().test(.router) { client in
            let item = try await place(board, client, token: ann)
            let path = "\(board.api)/\(item)/comments"
            let first = try await say(board, item, client, token: bob, ["text": "Hello", "key": "1"])
            #expect(first.status == .created)
            let id = try #require(try first.facts["id"] as? String)
            #expect(try first.facts["isOwn"] as? Bool == true)
            #expect(
                try await say(board, item, client, token: bob, ["text": "Twice", "key": "1"]).facts["id"] as? String
                    == id)
            let answer = try await say(board, item, client, token: ann, ["text": "Hello Bob", "answers": id])
            #expect(answer.status == .created)
            #expect(try answer.facts["answers"] as? String == id)
            for number in 0..<5 { _ = try await say(board, item, client, token: bob, ["text": "\(number)"]) }
            #expect(try await texts(board, item, client) == ["Hello", "0", "1", "2", "3", "4"])
            #expect(try await texts(board, item, client, "?order=newest&limit=2") == ["4", "3"])
            #expect(try await texts(board, item, client, "?answers=\(id)") == ["Hello Bob"])
            let page = try await client.send(.get, "\(path)?limit=4")
            let next = try #require(try page.facts["next"] as? String)
            #expect(try page.facts["count"] as? Int == 7)
            #expect(try await texts(board, item, client, "?limit=4&after=\(next)") == ["3", "4"])

            for (token, status) in [(nil, HTTPResponse.Status.unauthorized), (try await token("eve"), .notFound)] {
                #expect(try await client.send(.delete, "\(path)/\(id)", token: token).status == status)
            }
            #expect(try await client.send(.delete, "\(path)/\(id)", token: bob).status == .noContent)
            #expect(try await client.send(.delete, "\(path)/\(id)", token: bob).status == .notFound)
            #expect(try await texts(board, item, client).first == "-", "Ann's answer keeps its place")
            let left = try await client.send(.get, "\(path)/\(id)").facts
            #expect(left["author"] is NSNull && left["text"] as? String == "" && left["created"] is NSNull)
            // Who has listed something removes what others say about it.
            let other = try await say(board, item, client, token: bob, ["text": "Rude"])
            let rude = try #require(try other.facts["id"] as? String)
            #expect(try await client.send(.delete, "\(path)/\(rude)", token: ann).status == .noContent)
            #expect(try await client.send(.get, "\(path)/\(rude)").status == .notFound)
        }
    }

    @Test(arguments: BoardSample.commented) func `people without script say, answer, read and remove, and are told`(
        _ board: BoardSample
    ) async throws {
        let ann = try await token("ann")
        try await cast.member("bob")
        try await hub(board).application().test(.router) { client in
            let item = try await place(board, client, token: ann)
            let (page, path) = ("\(board.page)/\(item)", "\(board.page)/\(item)/comments")
            let visitor = Visitor(client)
            let empty = try await visitor.get(page).text
            #expect(empty.contains("Nobody has said anything yet.") && empty.contains("/signin?to="))
            let (annie, bob) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            let said = try await submit(page, to: path, "It rings <b>well</b>\nreally", by: bob)
            #expect(said.status == .seeOther && said.location.hasPrefix("\(page)#comment-"))
            let id = String(said.location.split(separator: "#comment-").last ?? "")
            let shown = try await visitor.get(page).text
            #expect(shown.contains("It rings &lt;b&gt;well&lt;/b&gt;<br>really") && shown.contains("1 comment<"))
            #expect(shown.contains("id=\"comment-\(id)\"") && shown.contains("/report/comments/\(id)"))
            #expect(!shown.contains("/removal"), "nothing that a visitor cannot do")

            let notices = try await annie.get("/notices").text
            #expect(notices.contains("says something about <a href=\"\(path)/\(id)\""))
            let answer = try await submit("\(path)/\(id)", to: path, "Thank you", by: annie)
            #expect(answer.location.hasPrefix("\(path)/\(id)#comment-"))
            #expect(try await bob.get("/notices").text.contains("answers what you have said about <a href=\"\(path)/"))
            let thread = try await visitor.get("\(path)/\(id)").text
            #expect(thread.contains("It rings") && thread.contains("Thank you") && thread.contains("/signin?to="))

            let wrong = try await submit(page, to: path, "  ", by: bob)
            #expect(wrong.status == .unprocessableContent && wrong.text.contains("aria-invalid=\"true\""))
            let long = try await submit(page, to: path, String(repeating: "x", count: 2001), by: bob)
            #expect(long.status == .unprocessableContent && long.text.contains("at most 2000 characters"))

            let removal = "\(path)/\(id)/removal"
            #expect(try await visitor.get(removal).location.hasPrefix("/signin?to="))
            try await cast.member("eve")
            #expect(try await cast.browser(of: "eve", client).get(removal).status == .notFound)
            #expect(try await bob.get(removal).text.contains("It rings"))
            #expect(try await bob.submit(removal).location == page)
            let after = try await visitor.get(page).text
            #expect(!after.contains("It rings") && after.contains("Thank you"))
            #expect(after.contains("A comment that was here is gone."))
        }
    }

    @Test(arguments: BoardSample.commented) func `a list of many comments is read page by page, without script`(
        _ board: BoardSample
    ) async throws {
        let (ann, bob) = (try await token("ann"), try await token("bob"))
        try await hub(board).application().test(.router) { client in
            let item = try await place(board, client, token: ann)
            for number in 0..<50 { _ = try await say(board, item, client, token: bob, ["text": "words \(number) end"]) }
            let section = try await client.send(.get, "\(board.page)/\(item)").text
            #expect(section.contains("words 49 end") && !section.contains("words 39 end"))
            for order in ["oldest", "newest"] {
                var (path, seen) = ("\(board.page)/\(item)/comments?order=\(order)", [Int]())
                for _ in 0..<10 {
                    let text = try await client.send(.get, path).text
                    seen += text.matches(of: #/words (\d+) end/#).compactMap { Int($0.1) }
                    guard let next = text.firstMatch(of: #/rel="next" href="([^"]*)"/#) else { break }
                    path = String(next.1).replacing("&amp;", with: "&")
                }
                #expect(seen == (order == "oldest" ? Array(0..<50) : Array((0..<50).reversed())), "\(order)")
            }
        }
    }

    @Test(arguments: BoardSample.commented) func `what is said aloud is heard by everybody, as long as it is there`(
        _ board: BoardSample
    ) async throws {
        let ann = try await token("ann")
        try await cast.member("bob")
        try await hub(board, intake: .levelling()).application().test(.router) { client in
            let item = try await place(board, client, token: ann)
            let (page, path) = ("\(board.page)/\(item)", "\(board.page)/\(item)/comments")
            let bob = try await cast.browser(of: "bob", client)
            #expect(try await bob.get(page).text.contains("type=\"file\""))
            let said = try await submit(page, to: path, "", voice: "a recording", by: bob)
            #expect(said.status == .seeOther, "\(said.text.prefix(2000))")
            let shown = try await client.send(.get, page).text
            let sound = try #require(shown.firstMatch(of: #/<audio controls preload="none" src="([^"]*)"/#)?.1)
            #expect(try await client.send(.get, String(sound)).status == .ok)
            let id = String(said.location.split(separator: "#comment-").last ?? "")
            _ = try await bob.submit("\(path)/\(id)/removal")
            #expect(try await client.send(.get, String(sound)).status == .notFound)
        }
    }

    @Test(arguments: BoardSample.commented)
    func `reports hide a comment, moderators see its words, and the writer appeals`(
        _ board: BoardSample
    ) async throws {
        let (ann, bob) = (try await token("ann"), try await token("bob"))
        for name in ["carl", "dora", "mia"] { try await cast.member(name) }
        let mia = try #require(try await library.seen(by: .visitor).person(named: "mia")).id
        try await library.setRole(of: mia, to: .moderator, by: library.owner.id)
        house.wait(2 * 24 * 3600)
        try await hub(board).application().test(.router) { client in
            let item = try await place(board, client, token: ann)
            let answer = try await say(board, item, client, token: bob, ["text": "You are a <fool>"])
            let id = try #require(try answer.facts["id"] as? String)
            let (carl, mia) = (try await cast.browser(of: "carl", client), try await cast.browser(of: "mia", client))
            let form = try await carl.get("/report/comments/\(id)").text
            #expect(form.contains("You are a &lt;fool&gt;") && !form.contains("value=\"ownership\""))
            #expect(
                try await carl.submit("/report/comments/\(id)", [("reason", "abuse"), ("text", "Rude")]).status == .ok)
            let report = "/api/hub/v1/comments/\(id)/reports"
            let json = #"{"reason": "abuse", "text": "Rude"}"#
            #expect(try await client.send(.post, report, json: json, token: bob).status == .forbidden, "not one's own")
            let hides = try await client.send(.post, report, json: json, token: ann)
            #expect(try hides.facts["hides"] as? Bool == true, "\(hides.text)")
            #expect(try await texts(board, item, client).isEmpty)
            #expect(try await texts(board, item, client, token: bob) == ["You are a <fool>"])
            #expect(try await client.send(.get, "\(board.api)/\(item)/comments/\(id)").status == .notFound)

            let waiting = try #require(try await library.cases(waiting: true, for: library.owner.id).first)
            #expect(try await mia.get("/moderation/reports").text.contains("A comment by"))
            let page = try await mia.get("/moderation/cases/\(waiting.id)").text
            #expect(page.contains("You are a &lt;fool&gt;") && page.contains("Hide the comment, too"))
            #expect(page.contains("\(board.page)/\(item)/comments/\(id)") && !page.contains("value=\"freeze\""))
            let decided = try await mia.submit(
                "/moderation/cases/\(waiting.id)", [("what", "warning"), ("hide", "yes"), ("why", "Be kind")])
            #expect(decided.status == .seeOther)
            let bobs = try await cast.browser(of: "bob", client)
            let standing = try await bobs.get("/settings/standing").text
            #expect(standing.contains("You are a &lt;fool&gt;") && standing.contains("Be kind"))
            let appeal = try await bobs.submit(
                "/settings/standing", to: "/settings/standing/\(waiting.id)/appeal", [("text", "A joke")])
            #expect(appeal.location == "/settings/standing")
            try await library.decide(waiting.id, Verdict(.show, why: "It was"), by: library.owner.id, from: .appealed)
            #expect(try await texts(board, item, client) == ["You are a <fool>"])
            // A moderator who has seen something begins a case.
            #expect(try await mia.get("/moderation/comments/\(id)").text.contains("You are a &lt;fool&gt;"))
            let opened = try await mia.submit("/moderation/comments/\(id)", to: "/moderation/comments/\(id)/case")
            #expect(opened.location.hasPrefix("/moderation/cases/"))
            #expect(try await carl.get("/moderation/comments/\(id)").status == .forbidden)
        }
    }

    @Test(arguments: BoardSample.commented) func `what has ended is read and talked about, what is gone is neither`(
        _ board: BoardSample
    ) async throws {
        let (ann, bob) = (try await token("ann"), try await token("bob"))
        try await hub(board).application().test(.router) { client in
            let item = try await place(board, client, token: ann)
            _ = try await say(board, item, client, token: bob, ["text": "Hello"])
            func end(_ act: (act: String, fields: [String: String]), _ item: String) async throws -> Int {
                let json = String(decoding: try JSONEncoder().encode(act.fields), as: UTF8.self)
                return try await client.send(.post, "\(board.api)/\(item)/\(act.act)", json: json, token: ann).status
                    .code
            }
            #expect(try await end(board.ending, item) / 100 == 2)
            #expect(try await say(board, item, client, token: bob, ["text": "Good"]).status == .created)
            let gone = try await place(board, client, token: ann)
            _ = try await say(board, gone, client, token: bob, ["text": "Hello"])
            #expect(try await end(board.withdrawal, gone) / 100 == 2)
            #expect(try await say(board, gone, client, token: bob, ["text": "Hm"]).status == .gone)
            #expect(try await client.send(.get, "\(board.api)/\(gone)/comments").status == .gone)
            #expect(try await client.send(.get, "\(board.page)/\(gone)/comments").status == .gone)
            #expect(try await say(board, gone, client, token: ann, ["text": "Hm"]).status == .conflict)
            #expect(try await client.send(.get, "\(board.api)/\(HubID())/comments").status == .notFound)
        }
    }

    @Test(arguments: BoardSample.commented)
    func `blocked, suspended and unconfirmed people say nothing, and an export and erasure know comments`(
        _ board: BoardSample
    ) async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        let (anns, bobs) = (try await cast.token(of: ann), try await cast.token(of: bob))
        let una = try await cast.token(of: try await cast.member("una", isConfirmed: false))
        let sue = try await token("sue")
        try await hub(board).application().test(.router) { client in
            let item = try await place(board, client, token: anns)
            try await house.change("UPDATE accounts SET state = 'suspended' WHERE handle = 'sue'")
            for token in [nil, una, sue] {
                #expect(
                    try await [401, 403].contains(
                        say(board, item, client, token: token, ["text": "Hello"]).status.code))
            }
            #expect(try await say(board, item, client, token: bobs, ["text": "Xylophone"]).status == .created)
            let export = try await client.send(
                .post, "/api/hub/v1/account/export", json: "{\"password\":\"\(HubCast.password)\"}", token: bobs)
            #expect(export.text.contains("comments.json") && export.text.contains("Xylophone"))
            try await house.change(
                "INSERT INTO blocks (blocker, blocked, created) VALUES ('\(ann.id)', '\(bob.id)', 0)")
            #expect(try await say(board, item, client, token: bobs, ["text": "Hello"]).status == .notFound)
            #expect(try await texts(board, item, client, token: anns).isEmpty)
            #expect(try await texts(board, item, client) == ["Xylophone"])
            try await house.change("PRAGMA foreign_keys = ON; DELETE FROM accounts WHERE id = '\(bob.id)'")
            #expect(try await house.traces(of: ["Xylophone", "\(bob.id)"]).isEmpty)
        }
    }

    @Test(arguments: BoardSample.commented)
    func `whatever is said is shown as text or refused, in every order of fields`(
        _ board: BoardSample
    ) async throws {
        let (ann, bob) = (try await token("ann"), try await token("bob"))
        try await hub(board).application().test(.router) { client in
            let item = try await place(board, client, token: ann)
            for text in [
                "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "\u{202E}txt.exe\u{2066}",
                "a\u{0}b\u{1B}[31m", "javascript:alert(1)", "https://swindle.example/pay", "{{7*7}} ${x} %s %n",
                String(repeating: "ä", count: 20_000), "\u{FFFE}\u{FFFF}", "   \n\t ",
            ] {
                let answer = try await say(board, item, client, token: bob, ["text": text])
                #expect([201, 422].contains(answer.status.code), "\(text.prefix(30)): \(answer.status)")
            }
            for field in ["answers", "clip"] {
                for text in ["x", "../../etc/passwd", "\(HubID())"] {
                    let answer = try await say(board, item, client, token: bob, ["text": "x", field: text])
                    #expect([404, 422].contains(answer.status.code), "\(field) \(text): \(answer.status)")
                }
            }
            for query in ["?after=x", "?after=-1", "?limit=99999999999999999999", "?limit=0", "?order=x", "?answers=x"]
            {
                let answer = try await client.send(.get, "\(board.api)/\(item)/comments\(query)")
                #expect(answer.status.code < 500, "\(query): \(answer.status)")
            }
            for page in ["\(board.page)/\(item)", "\(board.page)/\(item)/comments"] {
                let text = try await client.send(.get, page).text
                for raw in ["<script>alert", "<img src=x", "\u{0}", "\u{1B}", "\u{202E}", "href=\"https://swindle"] {
                    #expect(!text.contains(raw), "\(page): \(raw.debugDescription)")
                }
            }
        }
    }
}
