import ChirpAccounts
import ChirpCommunity
import ChirpHub
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// What is said in clips: written by the author, shown on the page, in the player and in feeds (CH-25).
@Suite struct TranscriptPageTests {
    private let house: HubHousehold
    private let cast: HubCast
    private static let timed = "WEBVTT\n\n00:00.000 --> 00:02.000\nRain <over> & the harbour\n"

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    @Test func `the author writes it in a form, and everybody reads it`() async throws {
        let ann = try await cast.member("ann")
        try await cast.member("bob")
        let (id, _) = try await cast.clip(of: ann)
        try await house.application(cast.settings()).application().test(.router) { client in
            let (hers, his) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            let page = "/c/\(id)/transcript"
            #expect(try await his.get(page).status == .notFound)
            #expect(try await Visitor(client).get(page).location.hasPrefix("/signin?to="))
            let words = "One <script>alert(1)</script>\nTwo"
            let answer = try await hers.submit(page, [("transcript", words), ("language", "en")])
            #expect(answer.status == .seeOther)
            let shown = try await Visitor(client).get("/c/\(id)").text
            #expect(shown.contains("One &lt;script&gt;alert(1)") && shown.contains("Transcript"))
            #expect(shown.contains("<div class=\"lines\" lang=\"en\">") && !shown.contains("Edit transcript"))
            #expect(try await hers.get("/c/\(id)").text.contains("Edit transcript"))
            let file = try await Visitor(client).get("/media/\(id).txt")
            #expect(file.headers[.contentType] == "text/plain; charset=utf-8" && file.text == words)
            #expect(try await Visitor(client).get("/media/\(id).vtt").status == .notFound)
            let wrong = try await hers.submit(page, [("transcript", "WEBVTT\n\nx --> y\nz"), ("language", "en")])
            #expect(wrong.status == .unprocessableContent && wrong.text.contains("x --&gt; y"))
            #expect(try await hers.submit(page, [("transcript", ""), ("language", "")]).status == .seeOther)
            #expect(!(try await Visitor(client).get("/c/\(id)").text.contains("Transcript")))
        }
    }

    @Test func `one with times stands in the player and in the feed`() async throws {
        let ann = try await cast.member("ann")
        try await cast.member("bob")
        let (id, _) = try await cast.clip(of: ann)
        let path = "/api/hub/v1/clips/\(id)/transcript"
        let body = "{\"language\":\"de\",\"text\":\"WEBVTT\\n\\n00:00.000 --> 00:02.000\\nRain &amp; harbour\\n\"}"
        try await house.application(cast.settings()).application().test(.router) { client in
            let (hers, his) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            #expect(try await Visitor(client).get(path).status == .notFound)
            #expect(try await his.call(.put, path, body).status == .notFound)
            #expect(try await client.send(.put, path, json: body).status == .unauthorized)
            let put = try await hers.call(.put, path, body)
            #expect(put.status == .ok)
            #expect(try put.facts["url"] as? String == "\(HubHousehold.publicURL)/media/\(id).vtt")
            #expect(try await Visitor(client).get(path).facts["source"] as? String == "own")
            let page = try await Visitor(client).get("/c/\(id)").text
            #expect(page.contains("<track kind=\"captions\" src=\"/media/\(id).vtt\" srclang=\"de\""))
            #expect(page.contains("<span class=\"at\">0:00</span> Rain &amp; harbour"))
            let file = try await Visitor(client).get("/media/\(id).vtt")
            #expect(file.headers[.contentType] == "text/vtt; charset=utf-8" && file.text.hasPrefix("WEBVTT\n"))
            let item = try FeedElement.reading(try await Visitor(client).get("/feed.xml").text).one("channel").one(
                "item")
            let told = try item.one("\(FeedElement.podcast)transcript").attributes
            #expect(told["type"] == "text/vtt" && told["language"] == "de")
            #expect(told["url"] == "\(HubHousehold.publicURL)/media/\(id).vtt")
            #expect(try await hers.call(.put, path, "{\"text\":\"WEBVTT\"}").status == .unprocessableContent)
            #expect(try await hers.call(.put, path, "{\"text\":\"\"}").status == .noContent)
            #expect(try await Visitor(client).get("/media/\(id).vtt").status == .notFound)
        }
    }

    @Test func `a program never takes the place of the author's words, and both go with the clip`() async throws {
        let ann = try await cast.member("ann")
        let (id, _) = try await cast.clip(of: ann)
        let library = house.library
        let (heard, own) = (try TranscriptDraft(Self.timed, language: ""), try TranscriptDraft("Own", language: ""))
        #expect(try await library.setTranscript(heard, of: id, by: nil))
        #expect(try await library.setTranscript(own, of: id, by: ann.id))
        #expect(!(try await library.setTranscript(heard, of: id, by: nil)))
        #expect(try await library.seen(by: .visitor).transcript(of: id)?.text == "Own")
        try await library.remove(id)
        #expect(try await library.seen(by: .owner).transcript(of: id) == nil)
    }
}
