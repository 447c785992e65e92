import ChirpHub
import Foundation
import HTTPTypes
import HubHousehold
import NIOCore
import Testing

/// What is heard of a track before it appears, and after it was taken down, is for its author alone (AR-6, AR-8; boards.md 2.3).
@Suite struct BeatPreviewTests {
    private let cast: HubCast
    private static let api = "/api/hub/v1/beats"

    init() throws { cast = HubCast(house: try HubHousehold(boards: Boards.tables)) }

    /// Whether somebody gets the preview that every track of the household has.
    private func isHeard<R>(_ visitor: Visitor<R>, _ path: String) async throws -> Bool {
        let answer = try await visitor.get(path)
        return answer.status == .ok && Data(answer.body.readableBytesView) == Data([9, 9, 9])
    }

    @Test func `a draft is heard by its author, in her pages and by her programs, and by nobody else`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        let draft = try await cast.beat(by: ann, isDraft: true)
        let (page, api) = ("/beats/\(draft)", "\(Self.api)/\(draft)")
        let (hers, his) = (try await cast.token(of: ann), try await cast.token(of: bob))
        let narrow = try await cast.token(of: ann, "read:statuses")
        try await cast.house.application(try cast.settings(limitScale: 1000)).application().test(.router) { client in
            let (author, other) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            let visitor = Visitor(client)
            let shown = try await author.get(page).text
            #expect(shown.contains("data-player") && shown.contains("src=\"\(page)/preview.mp3\""))
            #expect(!shown.contains("/media/") && !shown.contains("og:audio"), "no address for others")
            #expect(try await author.get("/beats/mine").text.contains("src=\"\(page)/preview.mp3\""))
            #expect(try await isHeard(author, "\(page)/preview.mp3"))
            let answer = try await author.get("\(page)/preview.mp3", [.range: "bytes=1-1"])
            #expect(answer.status == .partialContent && answer.headers[.contentType] == "audio/mpeg")
            #expect(answer.headers[.cacheControl] == "private, no-cache")
            #expect(answer.headers[.crossOriginResourcePolicy] == "same-origin")
            #expect(answer.headers[.accessControlAllowOrigin] == nil)

            let facts = try await client.send(.get, api, token: hers).facts
            let preview = try #require(facts["preview"] as? [String: Any])
            #expect(preview["url"] as? String == "\(HubHousehold.publicURL)\(api)/preview.mp3")
            let clip = "/media/\(try #require(preview["id"] as? String)).mp3"
            #expect(try await client.send(.get, "\(api)/preview.mp3", token: hers).status == .ok)
            #expect(try await client.send(.get, "\(api)/preview.mp3", token: narrow).status == .forbidden)
            #expect(try await client.send(.get, "\(api)/preview.mp3", token: his).status == .notFound)
            #expect(try await client.send(.get, "\(api)/preview.mp3").status == .unauthorized)

            #expect(try await other.get("\(page)/preview.mp3").status == .notFound)
            #expect(try await !isHeard(visitor, "\(page)/preview.mp3"))
            for somebody in [author, other, visitor] { #expect(try await somebody.get(clip).status == .notFound) }
        }
    }

    @Test func `what appears is heard at the address for everybody, and when it was taken down by its author again`()
        async throws
    {
        let ann = try await cast.member("ann")
        try await cast.member("bob")
        let track = try await cast.beat(by: ann)
        let page = "/beats/\(track)"
        let token = try await cast.token(of: ann)
        try await cast.house.application(try cast.settings(limitScale: 1000)).application().test(.router) { client in
            let (author, other) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            let shown = try await author.get(page).text
            let clip = try #require(shown.firstMatch(of: #/src="(\/media\/[^"]+\.mp3)"/#)?.1)
            #expect(shown.contains("og:audio") && !shown.contains("preview.mp3"))
            #expect(try await isHeard(other, String(clip)))
            #expect(try await other.get("\(page)/preview.mp3").status == .notFound, "that one is its author's")
            let gone = try await client.send(
                .post, "\(Self.api)/\(track)/withdrawal", json: #"{"reason":"By mistake","sure":true}"#, token: token)
            #expect(gone.status.kind == .successful, "\(gone.text)")
            #expect(try await author.get(page).text.contains("src=\"\(page)/preview.mp3\""))
            #expect(try await isHeard(author, "\(page)/preview.mp3"))
            for path in ["\(page)/preview.mp3", String(clip)] {
                #expect(try await !isHeard(other, path), "\(path)")
            }
        }
    }
}
