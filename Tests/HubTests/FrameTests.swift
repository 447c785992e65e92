import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpNumbers
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// Frames: from the first press to the end, at this hub.
@Suite struct FrameTests {
    private let house: HubHousehold
    private let cast: HubCast
    private static let base = "/api/hub/v1/frame"

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    /// A browser on a wall, with the token of the frame's page.
    private struct Screen<R: HTTPResponder> where R.Context: InitializableFromSource<ApplicationRequestContextSource> {
        let visitor: Visitor<R>
        let token: String

        init(_ client: RouterClient<R>) async throws {
            visitor = Visitor(client)
            token = try await visitor.frameForm()
        }

        func call(_ method: HTTPTypes.HTTPRequest.Method, _ path: String = "", _ json: String = "{}") async throws
            -> TestResponse
        {
            try await visitor.call(method, "\(FrameTests.base)\(path)", json, [.formToken: token])
        }
    }

    /// Somebody who cares for frames, and follows Ann.
    @discardableResult
    private func caretaker() async throws -> (carla: HubAccount, ann: AccountID) {
        let carla = try await cast.member("carla")
        let ann = try await house.person("ann")
        try await house.library.follow(ann, by: carla.id)
        return (carla, ann)
    }

    @discardableResult
    private func say(
        _ text: String, by account: AccountID, _ visibility: HubPost.Visibility = .published
    ) async throws -> HubPost {
        var draft = PostDraft(author: account, text: text, key: UUID().uuidString)
        draft.visibility = visibility
        return try await house.library.post(draft)
    }

    private func texts(_ answer: TestResponse) throws -> [String] {
        let updates = try #require(try answer.facts["updates"] as? [[String: Any]])
        return updates.compactMap { $0["text"] as? String }
    }

    @Test func `a frame without a keyboard is paired by its code, once`() async throws {
        let (carla, ann) = try await caretaker()
        try await house.library.follow(try await house.person("aaron"), by: carla.id)
        try await house.application(cast.settings()).application().test(.router) { client in
            let screen = try await Screen(client)
            let none = try await screen.call(.get)
            #expect(none.status == .notFound && none.text.contains("problems/no-frame"))
            let pairing = try await screen.call(.post, "/pairing")
            let code = try #require(try pairing.facts["code"] as? String)
            #expect(code.wholeMatch(of: #/[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}/#) != nil)
            #expect(pairing.headers[.setCookie]?.contains("HttpOnly; SameSite=Lax") == true)
            #expect(try await screen.call(.get).facts["step"] as? String == "network")

            let browser = try await cast.browser(of: "carla", client)
            let typed = code.lowercased().replacing("-", with: " ")
            #expect(try await browser.submit("/settings/frames", [("code", typed)]).status == .seeOther)
            #expect(try await browser.submit("/settings/frames", [("code", typed)]).status == .unprocessableContent)

            let paired = try await screen.call(.get).facts
            #expect(paired["step"] as? String == "friends" && paired["paired"] as? Bool == true)
            #expect(paired["account"] as? String == "carla")
            let friends = try await screen.call(.get, "/friends").facts
            let found = try #require(friends["friends"] as? [[String: Any]])
            #expect(found.compactMap { $0["handle"] as? String } == ["aaron", "ann"])
            #expect(friends["loaded"] as? Int == 2)
            let stranger = try await screen.call(.put, "", #"{"vip": "id-nobody"}"#)
            #expect(stranger.status == .unprocessableContent)
            let chosen = try await screen.call(.put, "", #"{"vip": "\#(ann)", "crop": {"x": 0.25, "zoom": 2}}"#).facts
            #expect(chosen["step"] as? String == "watch")
            #expect((chosen["vip"] as? [String: Any])?["handle"] as? String == "ann")
            #expect((chosen["crop"] as? [String: Any])?["x"] as? Double == 0.25)
        }
    }

    @Test func `a code has ended after ten minutes`() async throws {
        try await caretaker()
        try await house.application(cast.settings()).application().test(.router) { client in
            let screen = try await Screen(client)
            let code = try #require(try await screen.call(.post, "/pairing").facts["code"] as? String)
            house.wait(601)
            let browser = try await cast.browser(of: "carla", client)
            #expect(try await browser.submit("/settings/frames", [("code", code)]).status == .unprocessableContent)
        }
    }

    @Test func `whoever signs in for the frame is signed out again, and the frame reads`() async throws {
        try await caretaker()
        try await house.application(cast.settings()).application().test(.router) { client in
            let screen = try await Screen(client)
            let start = try await screen.call(.post, "/start", #"{"network": "hub"}"#).facts
            #expect(start["location"] as? String == "/signin?to=/frame")
            let answer = try await screen.visitor.submit(
                "/signin?to=/frame", to: "/signin", [("username", "carla"), ("password", HubCast.password)])
            #expect(answer.location == "/frame" && screen.visitor.has("session"))
            #expect(try await screen.visitor.get("/frame").text.contains("\"step\":\"friends\""))
            #expect(!screen.visitor.has("session") && screen.visitor.has("frame"))
            #expect(try await screen.visitor.get("/settings").status == .seeOther)
        }
    }

    @Test func `the token of a frame opens nothing else`() async throws {
        let (carla, ann) = try await caretaker()
        let (_, token) = try await cast.frame(of: carla.id, showing: ann)
        let hub = try house.application(cast.settings(limitScale: 1e6))
        try await hub.application().test(.router) { client in
            let bearer: HTTPFields = [.authorization: "Bearer \(token.secret.reveal())"]
            #expect(try await client.execute(uri: Self.base, method: .get, headers: bearer).status == .ok)
            for route in try hub.declaredRoutes()
            where !(route.path == Self.base || route.path.hasPrefix(Self.base + "/")) {
                let path = route.path.replacing(#/:\w+/#, with: "999999")
                let answer = try await client.glance(uri: path, method: route.method, headers: bearer, body: nil)
                #expect(answer.status == .unauthorized, "\(route.method) \(route.path) answers \(answer.status)")
            }
            // The cookie without the page's token changes nothing.
            let cookie: HTTPFields = [.cookie: "__Host-frame=\(token.secret.reveal())"]
            let forged = try await client.execute(uri: Self.base, method: .delete, headers: cookie)
            #expect(forged.status == .forbidden && forged.text.contains("form-token"))
            // What only reads does not give itself the right to speak.
            let speaking = try await client.send(
                .put, Self.base, json: #"{"style": {"answers": true}}"#, token: token.secret.reveal())
            #expect(speaking.status == .forbidden && speaking.text.contains("read-only"))
            let answering = try await client.execute(
                uri: "\(Self.base)/answer", method: .post,
                headers: [.authorization: "Bearer \(token.secret.reveal())", .contentType: "audio/wav"],
                body: ByteBuffer(string: "RIFF"))
            #expect(answering.status == .forbidden)
        }
    }

    @Test func `answering is switched on where frames are looked after, and off again`() async throws {
        let (carla, ann) = try await caretaker()
        let (frame, _) = try await cast.frame(of: carla.id, showing: ann)
        try await house.application(cast.settings()).application().test(.router) { client in
            let browser = try await cast.browser(of: "carla", client)
            for isOn in [true, false] {
                let answer = try await browser.submit(
                    "/settings/frames", to: "/settings/frames/change",
                    [("rate", isOn ? "0.75" : "1.0")] + (isOn ? [("answers", "on")] : []))
                #expect(answer.status == .seeOther)
                #expect(try await house.library.frame(frame.id)?.style.answers == isOn)
                #expect(try await house.library.frame(frame.id)?.style.rate == (isOn ? 0.75 : 1))
                let page = try await browser.get("/settings/frames").text
                #expect(page.contains("name=\"answers\" type=\"checkbox\" value=\"on\" checked") == isOn)
            }
        }
    }

    @Test func `fifty updates at once come in order, and once`() async throws {
        let (carla, ann) = try await caretaker()
        try await say("before", by: ann)
        let (frame, token) = try await cast.frame(of: carla.id, showing: ann)
        var expected: [String] = []
        for number in 1...49 {
            let text = number == 25 ? "@carla hush" : "number \(number)"
            try await say(text, by: ann, number == 25 ? .direct : number == 30 ? .followers : .published)
            expected.append(text)
        }
        try await say("@somebody not for her", by: ann, .direct)
        let bearer = token.secret.reveal()
        try await house.application(cast.settings()).application().test(.router) { client in
            let first = try await client.send(.get, "\(Self.base)/updates", token: bearer)
            #expect(try texts(first) == ["before"] + expected)
            let updates = try #require(try first.facts["updates"] as? [[String: Any]])
            #expect(updates.map { $0["shown"] as? Bool == true } == [true] + Array(repeating: false, count: 49))
            #expect(updates[25]["kind"] as? String == "message" && updates[24]["kind"] as? String == "post")
            let last = try #require(updates.last?["id"] as? Int)
            let seen = try await client.send(.post, "\(Self.base)/seen", json: #"{"id": \#(last - 9)}"#, token: bearer)
            #expect(seen.status == .noContent)
        }
        // Another process, as after a kill: nothing is shown again, nothing is lost.
        let again = try HubHousehold(sharing: house)
        try await again.application(cast.settings()).application().test(.router) { client in
            let updates = try await client.send(.get, "\(Self.base)/updates", token: bearer)
            #expect(try texts(updates) == ["before"] + expected)
            let shown = try #require(try updates.facts["updates"] as? [[String: Any]]).map {
                $0["shown"] as? Bool == true
            }
            #expect(shown == Array(repeating: true, count: 41) + Array(repeating: false, count: 9))
        }
        let left = try #require(try await house.library.frame(frame.id))
        #expect(try await house.library.updates(of: left, after: PageCursor(left.seen), limit: 50).count == 9)
    }

    @Test func `the stream tells what comes, goes on where it broke off, and says when it is over`() async throws {
        let (carla, ann) = try await caretaker()
        let (frame, token) = try await cast.frame(of: carla.id, showing: ann)
        let (house, headers) = (house, ["Cookie: __Host-frame=\(token.secret.reveal())"])
        try await withLiveHub(house) { port in
            let path = "\(Self.base)/events"
            let stream = try #require(OpenAnswer(port: port, path: path, headers: headers))
            _ = try #require(await stream.lines { $0 == "event: frame" })
            for number in 1...3 { try await say("number \(number)", by: ann) }
            let heard = try #require(await stream.lines { $0.contains("number 3") })
            let ids = heard.filter { $0.hasPrefix("id: ") }.compactMap { $0.dropFirst(4).safeInteger }
            #expect(ids.count == 3 && ids == ids.sorted())

            let second = try #require(
                OpenAnswer(port: port, path: path, headers: headers + ["Last-Event-ID: \(ids[0])"]))
            let missed = try #require(await second.lines { $0.contains("number 3") })
            #expect(!missed.contains { $0.contains("number 1") })

            var change = HubLibrary.FrameChange()
            change.style = FrameStyle()
            change.style?.stay = 4321
            try await house.library.change(frame.id, change)
            _ = try #require(await second.lines { $0.contains("\"stay\":4321") })

            try await house.library.unfollow(ann, by: carla.id)
            let back = try #require(await second.lines { $0.contains("\"step\":\"friends\"") })
            #expect(back.contains { $0.contains("no longer follows") })

            try await house.library.endFrame(frame.id, why: .ended)
            let end = try #require(
                await second.lines { $0.hasPrefix("data: ") && $0.contains("\"why\"") && $0.contains("ended") })
            #expect(end.contains("event: ended"))
        }
    }

    @Test func `signing out leaves nothing, and others' frames are not there`() async throws {
        let (carla, ann) = try await caretaker()
        let (frame, token) = try await cast.frame(of: carla.id, showing: ann)
        try await say("something", by: ann)
        try await cast.member("eve")
        let secret = token.secret.reveal()
        try await house.application(cast.settings()).application().test(.router) { client in
            let eve = try await cast.browser(of: "eve", client)
            #expect(try await eve.call(.get, "/api/hub/v1/frames/\(frame.id)").status == .notFound)
            #expect(try await eve.call(.delete, "/api/hub/v1/frames/\(frame.id)").status == .notFound)
            let own = try await cast.browser(of: "carla", client)
            let changed = try await own.call(.put, "/api/hub/v1/frames/\(frame.id)", #"{"style": {"answers": true}}"#)
            #expect(changed.status == .ok && changed.text.contains("\"answers\":true"))

            let end = try await client.send(.delete, Self.base, token: secret)
            #expect(end.status == .noContent && end.headers[.clearSiteData] == "\"cache\", \"storage\"")
            #expect(end.headers[.setCookie]?.contains("Max-Age=0") == true)
            #expect(try await client.send(.get, Self.base, token: secret).status == .notFound)
            #expect(try await own.get("/api/hub/v1/frames").text == #"{"frames":[]}"#)
        }
        let folder = house.folder.path("hub")
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
            #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name) holds the token")
        }
    }

    @Test func `signing out leaves nothing of who was signed in at the screen either`() async throws {
        try await caretaker()
        try await house.application(cast.settings()).application().test(.router) { client in
            let screen = try await Screen(client)
            let kept = Visitor(client)
            _ = try await kept.submit("/signin", [("username", "carla"), ("password", HubCast.password)])
            _ = try await screen.visitor.submit("/signin", [("username", "carla"), ("password", HubCast.password)])
            #expect(try await screen.call(.post, "/start", #"{"network": "hub"}"#).status == .ok)
            let session = try #require(screen.visitor.cookie("session"))
            #expect(screen.visitor.has("frame") && screen.visitor.has("known"))
            // Without the proof that the press was on the frame's page nothing ends.
            let path = Self.base
            #expect(try await screen.visitor.send(.delete, path, [:], nil).status == .forbidden)
            #expect(try await screen.visitor.get("/settings").status == .ok)

            let end = try await screen.call(.delete)
            #expect(end.status == .noContent)
            for name in ["session", "frame", "known"] { #expect(!screen.visitor.has(name), "\(name)") }
            // The session is over, not only forgotten here; others of the account go on.
            let stolen: HTTPFields = [.cookie: "__Host-session=\(session)"]
            #expect(try await client.send(.get, "/settings", stolen).status == .seeOther)
            #expect(try await kept.get("/settings").status == .ok)
        }
    }

    @Test func `a frame ends with its account, and says so when it comes back`() async throws {
        let (carla, ann) = try await caretaker()
        let (frame, token) = try await cast.frame(of: carla.id, showing: ann)
        _ = try await cast.accounts.delete(carla.id)
        #expect(try await house.library.frame(frame.id) == nil)
        try await house.application(cast.settings()).application().test(.router) { client in
            let answer = try await client.send(.get, Self.base, token: token.secret.reveal())
            #expect(answer.status == .notFound && answer.text.contains("The account of this frame is gone"))
            // Its browser lets the token go, which no script can reach.
            let end = try await client.send(.delete, Self.base, token: token.secret.reveal())
            #expect(end.status == .noContent && end.headers[.setCookie]?.contains("Max-Age=0") == true)
            #expect(end.headers[.clearSiteData] == nil)
        }
    }

    @Test func `a photo is made elsewhere, is kept whole, and goes again`() async throws {
        let (carla, ann) = try await caretaker()
        let (_, token) = try await cast.frame(of: carla.id, showing: ann)
        let pictures = PictureIntake({ $0 }, screen: { Array("made of \($0.count)".utf8) })
        let hub = HubApplication(
            settings: try cast.settings(), library: house.library, logger: HubHousehold.logger, pictures: pictures)
        try await hub.application().test(.router) { client in
            let bearer: HTTPFields = [.authorization: "Bearer \(token.secret.reveal())"]
            let path = "\(Self.base)/photo"
            #expect(try await client.execute(uri: path, method: .get, headers: bearer).status == .notFound)
            let sent = try await client.execute(
                uri: path, method: .put, headers: bearer, body: ByteBuffer(string: "a picture"))
            #expect(try sent.facts["ownPhoto"] as? Bool == true)
            let address = try #require(try sent.facts["photo"] as? String)
            let got = try await client.execute(uri: address, method: .get, headers: bearer)
            #expect(got.text == "made of 9" && got.headers[.contentType] == "image/jpeg")
            var known = bearer
            known[.ifNoneMatch] = got.headers[.eTag]
            #expect(try await client.execute(uri: address, method: .get, headers: known).status == .notModified)
            let gone = try await client.execute(uri: path, method: .delete, headers: bearer)
            #expect(try gone.facts["photo"] is NSNull)
        }
    }

    @Test func `a link from this machine begins a frame, once`() async throws {
        let (carla, _) = try await caretaker()
        let link = try await house.library.frameLink(for: carla.id)
        try await house.application(cast.settings()).application().test(.router) { client in
            let (first, second) = (Visitor(client), Visitor(client))
            let path = "/frame/open?token=\(link.secret.reveal())"
            // A page of another site can lead a browser here: nothing happens without a press.
            let shown = try await first.get(path)
            #expect(shown.status == .ok && shown.text.contains(">Begin</button>") && !first.has("frame"))
            #expect(shown.headers[.cacheControl] == "no-store")
            let forged = try await first.post("/frame/open", [("link", link.secret.reveal()), ("token", "forged")])
            #expect(forged.status == .forbidden && !first.has("frame"))
            let opened = try await first.submit(path)
            #expect(opened.location == "/frame" && first.has("frame"))
            let again = try await second.submit(path)
            #expect(again.location == "/frame" && !second.has("frame"))
            #expect(try await second.get("/frame/open?token=x").location == "/frame")
            let page = try await first.get("/frame").text
            #expect(page.contains("\"step\":\"friends\""))
        }
    }

    @Test func `what is counted is of the fixed list, and stands in the owner's page of usage`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let screen = try await Screen(client)
            for body in [#"{"screen": "watch"}"#, #"{"screen": "watch"}"#, #"{"press": "friend", "error": "script"}"#] {
                #expect(try await screen.call(.post, "/count", body).status == .noContent, "\(body)")
            }
            for body in [#"{"press": "@ann"}"#, #"{"press": "ann"}"#, #"{"screen": ""}"#] {
                #expect(try await screen.call(.post, "/count", body).status == .unprocessableContent, "\(body)")
            }
            let owner = Visitor(client)
            let link = try await house.library.accounts().ownerLink()
            _ = try await owner.submit(HubPages(publicURL: "").ownerSignIn(link))
            let page = try await owner.get("/moderation/usage").text
            #expect(page.contains("<td>Screen: frame, watching</td><td>2</td>"))
            #expect(page.contains("<td>Press: frame, friend</td><td>1</td>"))
            #expect(page.contains("<td>Error: frame, script</td><td>1</td>"))
        }
    }
}
