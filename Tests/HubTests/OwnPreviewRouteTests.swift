import ChirpAccounts
import ChirpBeats
import ChirpBoards
import ChirpCommunity
import ChirpHub
import ChirpMusic
import Foundation
import HTTPTypes
import HubHousehold
import NIOCore
import Testing

/// Previews that tell whose they are, as people and programs meet them: nobody decodes here, a preview's file is its pattern
/// (boards.md 3.1, idea 2).
@Suite struct OwnPreviewRouteTests {
    private let cast: HubCast
    private static let api = "/api/hub/v1/beats"
    private static let slots = TagSlots(beats: [], loudestSecond: 30, length: 120, voice: 1)

    init() throws { cast = HubCast(house: try HubHousehold(boards: Boards.tables)) }

    private static let tagging = ListenerTagging(
        prepare: { (_, _, person) async throws(ListenerTagging.Failure) in
            ListenerTagging.Ground(slots: slots, common: TagPlan(slots, seed: 1), voice: Array(person.utf8))
        },
        make: { (order) async throws(ListenerTagging.Failure) in
            do { try JSONEncoder().encode(order.places).write(to: URL(filePath: order.goal)) } catch {
                throw .notNow("\(error)")
            }
        },
        hear: { (copy, _, _) async throws(ListenerTagging.Failure) in
            guard let data = try? Data(contentsOf: URL(filePath: copy)),
                let places = try? JSONDecoder().decode([Double].self, from: data)
            else { throw .refused("the copy is no sound") }
            let tags = places.filter { (40..<69).contains($0) }.map { TaggedLeak.Tag(seconds: $0, match: 0.8) }
            return TaggedLeak(
                fits: places.isEmpty ? [] : [.init(from: 40, to: 70, speed: 1, likeness: 0.9, tags: tags)], voice: 1)
        })

    private func hub(_ tagging: ListenerTagging? = tagging, limitScale: Double = 1000) throws -> HubApplication {
        var application = try cast.house.application(try cast.settings(limitScale: limitScale))
        application.tracks = TrackMaking(tagging: tagging) { _ throws(TrackMaking.Failure) in
            throw .notNow("no tracks")
        }
        return application
    }

    @Test func `the walk: switched on, told, fetched, put elsewhere, named`() async throws {
        let ann = try await cast.member("ann")
        for name in ["bob", "eve"] { try await cast.member(name) }
        let page = "/beats/\(try await cast.beat(by: ann))"
        try await hub().application().test(.router) { client in
            let (author, visitor) = (try await cast.browser(of: "ann", client), Visitor(client))
            let (bob, eve) = (try await cast.browser(of: "bob", client), try await cast.browser(of: "eve", client))
            let before = try await bob.get(page).text
            #expect(!before.contains("data-beat-own") && !before.contains("heard.mp3") && !before.contains("/copies"))
            #expect(try await author.get(page).text.contains("\(page)/copies"))
            #expect(try await author.get("\(page)/copies").text.contains("data-beat-tag=\"off\""))
            let on = try await cast.press(author, "\(page)/copies/tag", [("on", "yes")])
            #expect(on.location == "\(page)/copies")
            // Without services the errand is done before the answer.
            #expect(try await author.get("\(page)/copies").text.contains("data-beat-tag=\"ready\""))

            let told = try await bob.get(page).text
            #expect(told.contains("data-beat-own") && told.contains("src=\"\(page)/heard.mp3\""))
            for other in [try await author.get(page).text, try await visitor.get(page).text] {
                #expect(!other.contains("data-beat-own") && !other.contains("heard.mp3"))
            }
            let common = try #require(
                try await visitor.get(page).text.firstMatch(of: #/src="(\/media\/[^"]+\.mp3)"/#)?.1)
            for listener in [bob, eve] {
                let first = try await listener.get("\(page)/heard.mp3")
                #expect(first.status == .seeOther && first.location == common, "until it is made")
                #expect(first.headers[.cacheControl]?.contains("no-store") == true)
            }
            let (his, hers) = (try await bob.get("\(page)/heard.mp3"), try await eve.get("\(page)/heard.mp3"))
            #expect(his.status == .ok && his.headers[.contentType] == "audio/mpeg")
            #expect(his.headers[.cacheControl] == "private, no-cache")
            #expect(his.headers[.crossOriginResourcePolicy] == "same-origin")
            #expect(Data(his.body.readableBytesView) != Data(hers.body.readableBytesView))
            let part = try await bob.get("\(page)/heard.mp3", [.range: "bytes=1-3"])
            #expect(part.status == .partialContent && part.body.readableBytes == 3)
            #expect(try await author.get("\(page)/heard.mp3").location == common, "its author hears what all hear")

            let copy = String(buffer: hers.body)
            let named = try await author.submitFiles("\(page)/copies", [], files: [("copy", copy)])
            #expect(named.status == .ok && named.text.contains("data-beat-copy=\"listener\""), "\(named.text)")
            #expect(named.text.contains("href=\"/@eve\"") && !named.text.contains("href=\"/@bob\""))
            for (file, found) in [("[]", "other-track"), ("[41.5, 50.25]", "unknown")] {
                let answer = try await author.submitFiles("\(page)/copies", [], files: [("copy", file)])
                #expect(answer.text.contains("data-beat-copy=\"\(found)\"") && !answer.text.contains("href=\"/@"))
            }
            let wrong = try await author.submitFiles("\(page)/copies", [], files: [("copy", "noise")])
            #expect(wrong.status == .unprocessableContent && wrong.text.contains("the copy is no sound"))
            let nothing = try await author.submitFiles("\(page)/copies", [])
            #expect(nothing.status == .unprocessableContent && nothing.text.contains("id=\"copy-problem\""))
            for stranger in [bob, eve] {
                #expect(try await stranger.get("\(page)/copies").status == .notFound)
                #expect(try await cast.press(stranger, "\(page)/copies/tag", [("on", "")]).status == .notFound)
            }
            _ = try await cast.press(author, "\(page)/copies/tag", [("on", "")])
            #expect(try await bob.get("\(page)/heard.mp3").location == common)
            #expect(try await !bob.get(page).text.contains("data-beat-own"))
        }
    }

    @Test func `programs do the same, and only the author's`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        let track = try await cast.beat(by: ann)
        let path = "\(Self.api)/\(track)"
        let (hers, his) = (try await cast.token(of: ann), try await cast.token(of: bob))
        try await hub().application().test(.router) { client in
            let before = try await client.send(.get, "\(path)/copies", token: hers).facts
            #expect(before["on"] as? Bool == false && before["state"] as? String == "none")
            let early = try await client.execute(
                uri: "\(path)/copies", method: .post, headers: [.authorization: "Bearer \(hers)"],
                body: ByteBuffer(string: "[1]"))
            #expect(early.status == .conflict, "no preview tells anything yet")
            let on = try await client.send(.put, "\(path)/copies", json: #"{"on":true}"#, token: hers).facts
            #expect(on["on"] as? Bool == true && on["state"] as? String == "ready")
            #expect(try await client.send(.get, "\(path)/heard.mp3", token: his).status == .seeOther)
            let heard = try await client.send(.get, "\(path)/heard.mp3", token: his)
            #expect(heard.status == .ok)
            func whose(_ bytes: ByteBuffer, _ token: String) async throws -> TestResponse {
                try await client.execute(
                    uri: "\(path)/copies", method: .post, headers: [.authorization: "Bearer \(token)"], body: bytes)
            }
            let found = try await whose(heard.body, hers).facts
            #expect(found["owner"] as? String == "listener" && found["handle"] as? String == "bob", "\(found)")
            #expect(found["from"] as? Double == 40 && found["heard"] as? Int == found["agreeing"] as? Int)
            let common = try JSONEncoder().encode(TagPlan(Self.slots, seed: 1).places)
            let everybody = try await whose(ByteBuffer(bytes: common), hers).facts
            #expect(everybody["owner"] as? String == "everybody" && everybody["handle"] == nil)
            #expect(try await whose(ByteBuffer(string: "noise"), hers).status == .unprocessableContent)
            #expect(try await whose(ByteBuffer(), hers).status == .unprocessableContent)
            #expect(try await whose(heard.body, his).status == .notFound)
            #expect(try await client.send(.get, "\(path)/copies", token: his).status == .notFound)
            #expect(
                try await client.send(.put, "\(path)/copies", json: #"{"on":false}"#, token: his).status == .notFound)
        }
    }

    @Test func `where nothing can speak nobody is asked`() async throws {
        let ann = try await cast.member("ann")
        try await cast.member("bob")
        let page = "/beats/\(try await cast.beat(by: ann))"
        try await hub(nil).application().test(.router) { client in
            let (author, bob) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            #expect(try await !author.get(page).text.contains("/copies"))
            #expect(try await author.get("\(page)/copies").status == .notFound)
            #expect(try await bob.get("\(page)/heard.mp3").status == .seeOther)
        }
    }

    @Test func `whose copies they are is asked twenty times an hour`() async throws {
        let ann = try await cast.member("ann")
        let page = "/beats/\(try await cast.beat(by: ann))"
        try await hub(limitScale: 1).application().test(.router) { client in
            let author = try await cast.browser(of: "ann", client)
            _ = try await cast.press(author, "\(page)/copies/tag", [("on", "yes")])
            for _ in 0..<20 {
                #expect(try await author.submitFiles("\(page)/copies", [], files: [("copy", "[]")]).status == .ok)
            }
            let answer = try await author.submitFiles("\(page)/copies", [], files: [("copy", "[]")])
            #expect(answer.status == .tooManyRequests && answer.headers[.retryAfter] != nil)
        }
    }
}
