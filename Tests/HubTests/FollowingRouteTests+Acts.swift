import ChirpAccounts
import ChirpCommunity
import ChirpHub
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// What is done to clips of somebody at another server.
extension FollowingRouteTests {
    @Test func `programs like, share and answer his clips, and take it back`() async throws {
        let (ann, _) = try await follower("ann")
        let token = try await cast.token(of: ann)
        let post = try await clip("Blackbird")
        let status = "/api/v1/statuses/\(post.sequence)"
        try await application().application().test(.router) { client in
            func call(_ method: HTTPRequest.Method, _ path: String, _ json: String? = nil) async throws -> TestResponse
            {
                try await client.send(method, path, json: json, token: token)
            }
            for act in ["favourite", "favourite", "reblog", "reblog"] {
                #expect(try await call(.post, "\(status)/\(act)").status == .ok)
            }
            let marked = try await call(.get, status).facts
            #expect(marked["favourited"] as? Bool == true && marked["reblogged"] as? Bool == true)
            // Programs answer with the visibility of what they answer.
            #expect(marked["visibility"] as? String == "public")
            let answer = try await call(
                .post, "/api/v1/statuses", #"{"status":"Lovely","in_reply_to_id":"\#(post.sequence)"}"#)
            let reply = try #require(try answer.facts["id"] as? String)
            let acts = try await waiting()
            #expect(acts.map(\.kind) == [.like, .announce, .create])
            #expect(Set(acts.map(\.target)) == [bob.id] && acts.first?.about == "https://far.example/notes/Blackbird")
            for act in ["unfavourite", "unreblog"] { _ = try await call(.post, "\(status)/\(act)") }
            _ = try await call(.delete, "/api/v1/statuses/\(reply)")
            let undone = try await waiting()
            #expect(undone.map(\.kind) == [.unlike, .unannounce, .delete])
            #expect(undone.prefix(2).map(\.object) == acts.prefix(2).map(\.activityID))
            // What was posted here is not shared there.
            let own = try await house.library.post(PostDraft(author: ann.id, text: "words", key: "own"))
            #expect(try await call(.post, "/api/v1/statuses/\(own.sequence)/reblog").status == .unprocessableContent)
        }
    }

    @Test func `who likes, shares and answers all day is told when that may go on, by pages and programs`() async throws
    {
        let (ann, _) = try await follower("ann")
        let token = try await cast.token(of: ann)
        let post = try await clip("Blackbird")
        let actor = try #require(try await house.library.federationActor(of: ann.id)).id
        try await house.change(
            """
            WITH RECURSIVE numbers (n) AS (
                SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(HubLibrary.mostOutwardActsADay))
            INSERT INTO federationActivities (actor, kind, created)
            SELECT '\(actor)', 'like', \(Int64(house.now.timeIntervalSince1970 * 1000)) FROM numbers
            """)
        house.wait(3600)
        let (status, page) = ("/api/v1/statuses", "/c/\(try #require(post.clip).id)")
        let answer = #"{"status":"Lovely","in_reply_to_id":"\#(post.sequence)"}"#
        try await application().application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            func ask() async throws -> [TestResponse] {
                [
                    try await client.send(.post, "\(status)/\(post.sequence)/favourite", token: token),
                    try await client.send(.post, "\(status)/\(post.sequence)/reblog", token: token),
                    try await client.send(.post, status, json: answer, token: token),
                    try await browser.submit(page, to: "/posts/\(post.sequence)/like"),
                    try await browser.submit(page, to: "/posts/\(post.sequence)/share"),
                    try await browser.submit(page, to: "/posts/\(post.sequence)/reply", [("text", "Lovely")]),
                ]
            }
            for refused in try await ask() {
                #expect(refused.status == .tooManyRequests)
                let seconds = refused.headers[.retryAfter].flatMap { Int($0) } ?? 0
                #expect((82_790...82_800).contains(seconds), "\(seconds)")
            }
            let acts = try await house.texts("SELECT COUNT(*) FROM federationActivities WHERE kind <> 'follow'")
            #expect(acts == ["\(HubLibrary.mostOutwardActsADay)"], "nothing of it was done, nor told")
            #expect(
                try await client.send(.get, "\(status)/\(post.sequence)", token: token).facts["favourited"] as? Bool
                    == false)
            // What was posted here is as it was.
            let own = try await house.library.post(PostDraft(author: ann.id, text: "words", key: "own"))
            #expect(try await client.send(.post, "\(status)/\(own.sequence)/favourite", token: token).status == .ok)
            house.wait(82_801)
            #expect(try await ask().map(\.status) == [.ok, .ok, .ok, .seeOther, .seeOther, .seeOther])
        }
    }

    @Test func `his clips are shared and answered by forms`() async throws {
        _ = try await follower("ann")
        let post = try await clip("Blackbird")
        let page = "/c/\(try #require(post.clip).id)"
        try await application().application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            #expect(try await browser.get("/").text.contains("/posts/\(post.sequence)/share"))
            _ = try await browser.submit(page, to: "/posts/\(post.sequence)/share")
            let answered = try await browser.submit(page, to: "/posts/\(post.sequence)/reply", [("text", "Lovely")])
            #expect(answered.status == .seeOther)
            #expect(try await waiting().map(\.kind) == [.announce, .create])
            #expect(try await browser.get("/").text.contains("/posts/\(post.sequence)/unshare"))
            _ = try await browser.submit(page, to: "/posts/\(post.sequence)/unshare")
            #expect(try await waiting().map(\.kind) == [.unannounce])
        }
    }
}
