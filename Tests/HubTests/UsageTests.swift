import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Testing

/// How much a hub is used, without persons.
@Suite struct UsageTests {
    @Test func `visits, plays and publications are counted by the hour, and written`() async throws {
        let house = try HubHousehold()
        let book = try UsageBook(house.library)
        try await book.write()
        for _ in 0..<3 { book.count(.home) }
        try await house.post("one")
        try await house.post("two")
        try await book.write()
        house.wait(3600)
        book.count(.home)
        book.count(.play)
        try book.writeNow()
        let hours = try await UsageBook(house.library).hours(limit: 10)
        #expect(hours.map { $0.counts[.home] } == [1, 3])
        #expect(hours.map { $0.counts[.publication] } == [nil, 2])
        #expect(hours.first?.counts[.play] == 1)
        #expect(hours.map(\.start) == hours.map(\.start).sorted(by: >))
    }

    @Test func `figures are for who shows the token, and name nobody`() async throws {
        let house = try HubHousehold()
        let id = try await house.publish()
        let me = AccountID(rawValue: "me")
        let quota = ByteCount(Int64(1000))
        let refused = try await house.library.beginUpload(MediaItem.Wishes(), bytes: 0, of: me, quota: quota)
        #expect(try await house.library.completeUpload(refused.id))
        try await house.library.refuse(refused.id, because: "it is empty")
        for _ in 0..<2 { _ = try await house.library.beginUpload(MediaItem.Wishes(), bytes: 9, of: me, quota: quota) }
        try await HubCast(house: house).member("ann", isConfirmed: false)
        var settings = try HubSettings(HubAddress(port: 0, publicURL: HubHousehold.publicURL))
        settings.metrics = true
        try await house.application(settings).application().test(.router) { client in
            #expect(try await client.execute(uri: "/c/\(id)", method: .get).status == .ok)
            #expect(try await client.execute(uri: "/@me", method: .get).status == .ok)
            #expect(try await client.execute(uri: "/metrics", method: .get).status == .unauthorized)
            let path = house.folder.path("hub/metrics.token")
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let token = try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .newlines)
            let answer = try await client.execute(
                uri: "/metrics", method: .get, headers: [.authorization: "Bearer \(token)"])
            #expect(answer.status == .ok)
            let lines = answer.text.split(separator: "\n").map(String.init)
            #expect(lines.contains("chirp_http_requests_total{class=\"clip\",status=\"200\"} 1"))
            #expect(lines.contains("chirp_http_response_seconds_bucket{class=\"clip\",le=\"+Inf\"} 1"))
            #expect(lines.contains("chirp_posts 1") && lines.contains("chirp_event_listeners{stream=\"public\"} 0"))
            #expect(lines.contains("chirp_uploads{state=\"receiving\"} 2"))
            #expect(lines.contains("chirp_uploads{state=\"refused\"} 1"))
            #expect(lines.contains("chirp_uploads{state=\"checking\"} 0"))
            #expect(lines.contains("chirp_letters_waiting 1"))
            #expect(!answer.text.contains(id) && !answer.text.contains("@me"))
            // Each line is a comment or a figure.
            #expect(
                lines.allSatisfy { $0.hasPrefix("# ") || $0.wholeMatch(of: #/[a-z_]+(\{[^{}]*\})? [0-9.e+-]+/#) != nil }
            )
        }
    }

    @Test func `the page is for the owner, and figures are off unless asked for`() async throws {
        let house = try HubHousehold()
        try await house.application().application().test(.router) { client in
            let visitor = Visitor(client)
            let page = try await visitor.get("/moderation/usage")
            #expect(page.status == .seeOther && page.location.hasPrefix("/signin"))
            #expect(try await visitor.get("/metrics").status == .notFound)
            let link = try await house.library.accounts().ownerLink()
            let path = HubPages(publicURL: HubHousehold.publicURL).ownerSignIn(link)
            _ = try await visitor.submit(String(path.dropFirst(HubHousehold.publicURL.count)))
            _ = try await visitor.get("/")
            let shown = try await visitor.get("/moderation/usage")
            #expect(shown.status == .ok && shown.text.contains("<h1>Usage</h1>") && shown.text.contains("<td>1</td>"))
        }
    }

    @Test func `pages count names of a fixed list, in any language of the owner's page, and not too often`()
        async throws
    {
        let house = try HubHousehold()
        let path = "/api/hub/v1/count"
        try await house.application().application().test(.router) { client in
            for name in UsageMark.allCases.map(\.rawValue) + ["press.record.publish"] {
                let answer = try await client.send(.post, path, json: #"{"name": "\#(name)"}"#)
                #expect(answer.status == .noContent && answer.text.isEmpty, "\(name)")
            }
            for body in [#"{"name": "press.ann"}"#, "{}", #"{"name": "screen"}"#, #"{"name": ""}"#] {
                #expect(try await client.send(.post, path, json: body).status == .unprocessableContent, "\(body)")
            }
            let owner = Visitor(client)
            let link = try await house.library.accounts().ownerLink()
            _ = try await owner.submit(HubPages(publicURL: "").ownerSignIn(link))
            let page = try await owner.get("/moderation/usage").text
            #expect(page.contains("<td>Press: recording, publish</td><td>2</td>"))
            #expect(page.contains("<td>Screen: frame, welcome</td><td>1</td>"))
            let german = try await owner.get("/moderation/usage", [.acceptLanguage: "de"]).text
            #expect(german.contains("<td>Taste: Aufnahme, Veröffentlichen</td><td>2</td>"))

            // An address that counts without end is told to wait; another one is not.
            let (noisy, other) = (try client.at("203.0.113.7"), try client.at("203.0.113.8"))
            var last = HTTPResponse.Status.noContent
            for _ in 0..<700 where last == .noContent {
                last = try await noisy.send(.post, path, json: #"{"name": "screen.live"}"#).status
            }
            #expect(last == .tooManyRequests)
            #expect(try await other.send(.post, path, json: #"{"name": "screen.live"}"#).status == .noContent)
        }
    }
}
