import ChirpAccounts
import ChirpCommunity
import ChirpHub
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// What other sites may have of a clip: its sound by its address, and a player, a card and a description if everybody may see it.
@Suite struct SightOfSoundTests {
    private let scene: SightScene

    init() throws { scene = try SightScene() }

    @Test func `sound that is not for everybody is for no other site, and tells no title`() async throws {
        let ann = try await scene.people()
        let clips = [
            "public": try await scene.clip("public", by: ann),
            "unlisted": try await scene.clip("unlisted", by: ann, .unlisted),
            "followers": try await scene.clip("followers", by: ann, .followers),
            "direct": try await scene.clip("direct", by: ann, .direct),
        ]
        let referrer = try #require(HTTPField.Name("Referrer-Policy"))
        try await scene.application().test(.router) { client in
            for (name, facts) in clips {
                let path = "/media/\(try #require(facts["clip"])).mp3"
                let isOpen = name == "public" || name == "unlisted"
                let tag = try #require(try await client.execute(uri: path, method: .get).headers[.eTag])
                for (method, headers, status) in [
                    (.get, [:], 200), (.head, [:], 200), (.get, [.range: "bytes=0-0"], 206),
                    (.get, [.ifNoneMatch: tag], 304), (.get, [.range: "bytes=9-"], 416),
                    (.get, [.origin: "https://other.example"], 200),
                ] as [(HTTPRequest.Method, HTTPFields, Int)] {
                    let answer = try await client.execute(uri: path, method: method, headers: headers)
                    #expect(answer.status.code == status)
                    #expect(answer.headers[referrer] == "same-origin")
                    if status == 416 { continue }
                    #expect(answer.headers[.accessControlAllowOrigin] == (isOpen ? "*" : nil), "\(name)")
                    let policy = answer.headers[.crossOriginResourcePolicy]
                    #expect(policy == (isOpen ? "cross-origin" : "same-origin"), "\(name)")
                    #expect(
                        answer.headers[.cacheControl] == (isOpen ? "private, max-age=300" : "private, no-cache"))
                    let says = answer.headers.contains { $0.value.contains(SightScene.word(name)) }
                    #expect(says == (isOpen && status != 304), "\(name)")
                }
            }
        }
    }

    @Test func `words are for other sites where everybody reads them`() async throws {
        let ann = try await scene.people()
        let open = try await scene.clip("public", by: ann)
        let closed = try await scene.clip("followers", by: ann, .followers)
        let cookie = try await scene.cookie(of: "fay")
        try await scene.application().test(.router) { client in
            let words = try await client.execute(uri: "/media/\(try #require(open["clip"])).vtt", method: .get)
            #expect(words.headers[.accessControlAllowOrigin] == "*")
            let path = "/media/\(try #require(closed["clip"])).vtt"
            let own = try await client.execute(uri: path, method: .get, headers: [.cookie: cookie])
            #expect(own.status == .ok && own.headers[.accessControlAllowOrigin] == nil)
            #expect(own.headers[.crossOriginResourcePolicy] == "same-origin")
            #expect(own.headers[.cacheControl] == "private, no-cache")
            // A copy does not open it for others.
            let known: HTTPFields = [.ifNoneMatch: try #require(own.headers[.eTag])]
            #expect(try await client.execute(uri: path, method: .get, headers: known).status == .notFound)
            let again = try await client.execute(uri: path, method: .get, headers: known.merging([.cookie: cookie]))
            #expect(again.status == .notModified)
        }
    }

    @Test func `oEmbed knows the page's own address alone, and nothing of what is for some`() async throws {
        let ann = try await scene.people()
        let open = try #require(try await scene.clip("public", by: ann)["clip"])
        let some = try await scene.clip("followers", by: ann, .followers)
        let nothing = HubID().text
        let forms: [(String, isKnown: Bool)] = [
            ("https%3A%2F%2Fclips.example.org%2Fc%2FID", true), ("https://clips.example.org/c/ID", true),
            ("https%3A%2F%2Fclips.example.org%2Fc%2FID%3Fa%3D1", false),
            ("https%3A%2F%2Fclips.example.org%2Fc%2FID%23a", false),
            ("https%3A%2F%2Fclips.example.org%2Fc%2FID%2F", false), ("http%3A%2F%2Fclips.example.org%2Fc%2FID", false),
            ("https%3A%2F%2Fother.example%2Fc%2FID", false), ("https%3A%2F%2Fclips.example.org%2F@ann%2FID", false),
            ("https%3A%2F%2Fclips.example.org%2Fembed%2FID", false),
            ("https%3A%2F%2Fclips.example.org%2Fmedia%2FID.mp3", false),
            ("https%3A%2F%2Fclips.example.org%2F%2Fc%2FID", false), ("%2Fc%2FID", false), ("ID", false),
        ]
        let cookie = try await scene.cookie(of: "fay")
        try await scene.application().test(.router) { client in
            for (form, isKnown) in forms {
                func ask(_ id: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
                    let path = "/oembed?url=\(form.replacing("ID", with: id))"
                    return try await client.execute(uri: path, method: .get, headers: headers)
                }
                #expect(try await ask(open).status == (isKnown ? .ok : .notFound), "\(form)")
                let never = try await ask(nothing)
                for id in [try #require(some["clip"]), try #require(some["post"]), try #require(some["sequence"])] {
                    for headers in [[:], [.cookie: cookie]] as [HTTPFields] {
                        let answer = try await ask(id, headers)
                        #expect(answer.status == .notFound, "\(form)")
                        // A number stands on pages for other reasons too.
                        guard id.count > 10 else { continue }
                        #expect(answer.text.replacing(id, with: nothing) == never.text, "\(form)")
                    }
                }
            }
        }
    }

    @Test func `what other sites had of a clip ends with the moment in which it is hidden`() async throws {
        let ann = try await scene.people()
        let facts = try await scene.clip("public", by: ann)
        let (clip, page) = (try #require(facts["clip"]), try #require(facts["page"]))
        let paths = ["/embed/\(clip)", "/card/\(clip).png", "/oembed?url=\(page)", "/media/\(clip).vtt"]
        try await scene.application().test(.router) { client in
            var tags: [String: String] = [:]
            for path in paths {
                let answer = try await client.execute(uri: path, method: .get)
                #expect(answer.status == .ok, "\(path)")
                tags[path] = answer.headers[.eTag] ?? "*"
            }
            for change in [
                "UPDATE posts SET visibility = 'followers'", "UPDATE posts SET visibility = 'public', state = 'held'",
                "UPDATE posts SET state = 'shown'; UPDATE accounts SET state = 'closed' WHERE handle = 'ann'",
            ] {
                try await scene.house.change(change)
                for path in paths {
                    let headers: HTTPFields = [.ifNoneMatch: try #require(tags[path])]
                    for headers in [[:], headers] as [HTTPFields] {
                        let answer = try await client.execute(uri: path, method: .get, headers: headers)
                        #expect(answer.status == .notFound, "\(path) after \(change)")
                    }
                }
            }
        }
    }

    @Test func `an answer does not name what its reader may not see`() async throws {
        let ann = try await scene.people()
        let above = try await scene.clip("followers", by: ann, .followers)
        var draft = PostDraft(author: try await scene.account(.follower).id, text: "An answer", key: "answer")
        draft.replyTo = Int64(try #require(above["sequence"]))
        let post = try await scene.house.library.post(draft)
        let cookie = try await scene.cookie(of: "fay")
        try await scene.application().test(.router) { client in
            let path = "/api/v1/statuses/\(post.sequence)"
            let seen = try await client.execute(uri: path, method: .get, headers: [.cookie: cookie]).facts
            #expect(seen["in_reply_to_id"] as? String == above["sequence"])
            let other = try await client.execute(uri: path, method: .get).facts
            #expect(other["in_reply_to_id"] as? String == nil && other["in_reply_to_account_id"] as? String == nil)
        }
    }

    @Test func `what may not be seen is answered like what is not there, in every language and form`() async throws {
        let ann = try await scene.people()
        let some = try await scene.clip("followers", by: ann, .followers)
        let (clip, nothing) = (try #require(some["clip"]), HubID().text)
        let other = try await scene.cookie(of: "mel")
        var cells = 0
        try await scene.application().test(.router) { client in
            for path in [
                "/c/ID", "/embed/ID", "/card/ID.png", "/media/ID.vtt", "/api/hub/v1/clips/ID", "/oembed?url=ID",
            ] {
                for language in ["", "de", "fr", "zh-Hant-TW", "de;q=0.1, xx", "*", "-", "en-\u{E9}"] {
                    for accept in ["*/*", "text/html", "application/json", "application/activity+json", "x"] {
                        for cookie in ["", other] {
                            let headers: HTTPFields = [
                                .acceptLanguage: language, .accept: accept, .cookie: cookie,
                            ]
                            let hidden = try await client.execute(
                                uri: path.replacing("ID", with: clip), method: .get, headers: headers)
                            let never = try await client.execute(
                                uri: path.replacing("ID", with: nothing), method: .get, headers: headers)
                            #expect(hidden.status == never.status, "\(path) \(language) \(accept)")
                            #expect(
                                hidden.isLike(never) || hidden.text.replacing(clip, with: nothing) == never.text,
                                "\(path) \(language) \(accept)")
                            let names = Set(hidden.headers.map(\.name.canonicalName))
                            #expect(names == Set(never.headers.map(\.name.canonicalName)), "\(path)")
                            cells += 1
                        }
                    }
                }
            }
        }
        #expect(cells == 480)
    }
}
