import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Live listening over HTTP: what programs and forms are answered, and the stream.
@Suite struct ListeningRouteTests {
    private let house: HubHousehold
    private let cast: HubCast

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    private func clip(_ author: AccountID, _ key: String) async throws -> HubPost {
        var clip = HubClip(
            id: HubID(), title: key, fileName: "take.mp3", contentType: "audio/mpeg", bytes: 10, sha256: "00",
            sound: HubSound(seconds: 12, peaks: [1, 2]), created: house.now, expires: nil, shared: true)
        clip.owner = author
        _ = try await house.library.insert(clip)
        var draft = PostDraft(author: author, text: key, key: key)
        draft.clip = clip.id
        return try await house.library.post(draft)
    }

    @Test func `a session is begun, changed, asked and ended by programs`() async throws {
        try await house.application(cast.settings(limitScale: 1e6)).application().test(.router) { client in
            let visitor = Visitor(client)
            try await visitor.join("lena", house)
            let ann = try await house.person("ann")
            let lena = try #require(try await house.library.seen(by: .visitor).person(named: "lena")).id
            try await house.library.follow(ann, by: lena)
            let path = "/api/hub/v1/live"
            #expect(try await visitor.call(.get, path).status == .notFound)
            let refusals: [(body: String, kind: String)] = [
                (#"{"for":"10m"}"#, "nobody-chosen"), (#"{"accounts":["@eve"],"for":"10m"}"#, "not-followed"),
                (#"{"accounts":["@ann"]}"#, "bad-time"), (#"{"accounts":["@ann"],"for":"25h"}"#, "bad-time"),
                (#"{"accounts":["@ann"],"for":"-1m"}"#, "bad-time"),
                (#"{"accounts":["@ann"],"between":"22-23","zone":"../x"}"#, "bad-time"),
                (#"{"accounts":["@ann"],"between":"99:99-1"}"#, "bad-time"),
            ]
            for refusal in refusals {
                let answer = try await visitor.call(.post, path, refusal.body)
                #expect(answer.status == .unprocessableContent, "\(refusal.body)")
                #expect(answer.text.contains("/problems/\(refusal.kind)"), "\(answer.text)")
            }
            for body in ["", "[]", "nonsense", #"{"accounts":{"a":{"b":{"c":{"d":{"e":1}}}}}}"#] {
                #expect((400..<500).contains(try await visitor.call(.post, path, body).status.code), "\(body)")
            }
            let begun = try await visitor.call(.post, path, #"{"accounts":["@ann"],"for":"1h30m"}"#)
            #expect(begun.status == .created)
            let session = try begun.facts
            #expect(session["state"] as? String == "open" && session["paused"] as? Bool == false)
            let again = try await visitor.call(.post, path, #"{"accounts":["@ann"],"for":"2h"}"#)
            #expect(again.status == .conflict)
            #expect(try again.facts["detail"] as? String == session["id"] as? String)
            let changed = try await visitor.call(.put, path, #"{"for":"10m"}"#)
            #expect(try changed.facts["id"] as? String == session["id"] as? String)
            for body in [#"{"do":"dance"}"#, "{}", #"{"do":"replay","play":"x"}"#] {
                #expect(try await visitor.call(.post, "\(path)/requests", body).status == .unprocessableContent)
            }
            let missing = try await visitor.call(.post, "\(path)/requests", #"{"do":"replay","play":77}"#)
            #expect(missing.status == .notFound)
            let unknown = try await visitor.call(.post, "\(path)/turns", #"{"turn":1,"state":"ended"}"#)
            #expect(unknown.status == .noContent)
            for body in [#"{"turn":1,"state":"position","seconds":"nan"}"#, #"{"state":"ended"}"#] {
                #expect(try await visitor.call(.post, "\(path)/turns", body).status == .unprocessableContent)
            }
            let ended = try await visitor.call(.post, "\(path)/requests", #"{"do":"stop"}"#)
            #expect(try ended.facts["state"] as? String == "ended")
            #expect(try await visitor.call(.get, path).status == .notFound)
        }
    }

    @Test func `without script a form begins and ends it, and says what is wrong`() async throws {
        try await house.application(cast.settings(limitScale: 1e6)).application().test(.router) { client in
            #expect(try await Visitor(client).get("/live").status == .seeOther)
            let visitor = Visitor(client)
            try await visitor.join("lena", house)
            let ann = try await house.person("ann")
            let lena = try #require(try await house.library.seen(by: .visitor).person(named: "lena")).id
            try await house.library.follow(ann, by: lena)
            let refused = try await visitor.submit("/live", [("account", ann.rawValue), ("for", "10 parsecs")])
            #expect(refused.status == .unprocessableContent && refused.text.contains("10 parsecs"))
            #expect(try await visitor.submit("/live", [("for", "10m")]).status == .unprocessableContent)
            let half = try await visitor.submit("/live", [("account", ann.rawValue), ("begins", "22:00")])
            #expect(half.status == .unprocessableContent)
            let begun = try await visitor.submit("/live", [("account", ann.rawValue), ("for", "10m"), ("do", "start")])
            #expect(begun.status == .seeOther && begun.headers[.location]?.hasSuffix("/live") == true)
            #expect(try await visitor.get("/live").status == .ok)
            #expect(try await visitor.call(.get, "/api/hub/v1/live").status == .ok)
            #expect(try await visitor.submit("/live", [("do", "stop")]).status == .seeOther)
            #expect(try await visitor.call(.get, "/api/hub/v1/live").status == .notFound)
            #expect(try await visitor.get("/replay").status == .ok)
        }
    }

    @Test func `a stream tells how it stands, what arrives and whose turn it is, and ends with the session`()
        async throws
    {
        let lena = try await cast.member("lena")
        let ann = try await house.person("ann")
        try await house.library.follow(ann, by: lena.id)
        let token = try await cast.token(of: lena)
        let field = "Authorization: Bearer \(token)"
        try await withLiveHub(house, publicURL: "http://127.0.0.1:4747") { port in
            let base = "http://127.0.0.1:\(port)/api/hub/v1/live"
            let none = try #require(OpenAnswer(port: port, path: "/api/hub/v1/live/events", headers: [field]))
            #expect(await none.lines { $0.hasPrefix("HTTP/1.1") }?.last?.contains("404") == true)
            let begun = try await curl(["-H", field, "-d", "accounts[]=@ann", "-d", "for=10m", base])
            #expect(begun.text.contains("\"state\":\"open\""))
            let answer = try #require(OpenAnswer(port: port, path: "/api/hub/v1/live/events", headers: [field]))
            let start = try #require(await answer.lines { $0 == "data: null" })
            #expect(start.contains("event: session") && start.contains("event: turn"))
            let post = try await clip(ann, "Listen")
            let told = try #require(await answer.lines { $0.hasPrefix("data: ") && $0.contains("\"replay\":false") })
            #expect(told.contains("event: play") && told.contains { $0.contains(post.clip?.id.text ?? "?") })
            let turn = try #require(told.last?.firstMatch(of: #/"turn":([0-9]+)/#)?.1)
            _ = try await curl(["-H", field, "-d", "turn=\(turn)", "-d", "state=started", "\(base)/turns"])
            #expect(await answer.lines { $0.contains("\"state\":\"playing\"") } != nil)
            _ = try await curl(["-H", field, "-d", "do=stop", "\(base)/requests"])
            #expect(await answer.lines { $0.contains("\"state\":\"ended\"") } != nil)
            // The last chunk of a whole answer.
            #expect(await answer.lines { $0 == "0" } != nil)
        }
    }

    @Test func `a stream tells nothing that arrives after its session at the hub has ended, before any pulse`()
        async throws
    {
        let lena = try await cast.member("lena")
        let ann = try await house.person("ann")
        try await house.library.follow(ann, by: lena.id)
        let session = try await cast.accounts.signIn(name: "lena", password: Secret(HubCast.password), agent: "")
        let cookie = "Cookie: session=\(session.token.secret.reveal())"
        let field = "Authorization: Bearer \(try await cast.token(of: lena))"
        try await withLiveHub(house, publicURL: "http://127.0.0.1:4747") { port in
            _ = try await curl([
                "-H", field, "-d", "accounts[]=@ann", "-d", "for=10m", "http://127.0.0.1:\(port)/api/hub/v1/live",
            ])
            let answer = try #require(OpenAnswer(port: port, path: "/api/hub/v1/live/events", headers: [cookie]))
            #expect(await answer.lines { $0 == "data: null" } != nil)
            try await house.library.accounts().signOutEverywhere(lena.id)
            _ = try await clip(ann, "Listen")
            // The last chunk of a whole answer.
            let rest = try #require(await answer.lines { $0 == "0" })
            #expect(!rest.contains("event: play"))
        }
    }

    @Test func `a stream ends when its session at the hub has ended`() async throws {
        let lena = try await cast.member("lena")
        let ann = try await house.person("ann")
        try await house.library.follow(ann, by: lena.id)
        let clock = PatientClock()
        let session = try await cast.accounts.signIn(name: "lena", password: Secret(HubCast.password), agent: "")
        let cookie = "Cookie: session=\(session.token.secret.reveal())"
        let field = "Authorization: Bearer \(try await cast.token(of: lena))"
        try await withLiveHub(house, clock: clock, publicURL: "http://127.0.0.1:4747") { port in
            _ = try await curl([
                "-H", field, "-d", "accounts[]=@ann", "-d", "for=10m", "http://127.0.0.1:\(port)/api/hub/v1/live",
            ])
            let answer = try #require(OpenAnswer(port: port, path: "/api/hub/v1/live/events", headers: [cookie]))
            #expect(await answer.lines { $0 == "data: null" } != nil)
            try await house.library.accounts().signOutEverywhere(lena.id)
            clock.hurry()
            #expect(await answer.lines { $0 == "0" } != nil)
        }
    }
}
