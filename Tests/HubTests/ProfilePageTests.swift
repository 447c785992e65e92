import ChirpCommunity
import ChirpHub
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Pages of people, and how feed readers find feeds (CH-12, CH-13).
@Suite struct ProfilePageTests {
    private func get(_ house: HubHousehold, _ uri: String) async throws -> TestResponse {
        try await house.application().application().test(.router) { client in
            try await client.execute(uri: uri, method: .get) { $0 }
        }
    }

    /// The addresses that a page names as other forms of itself, by type.
    private func alternates(_ page: String, _ type: String) -> [String] {
        page.matches(of: #/<link rel="alternate" type="([^"]*)" title="[^"]*" href="([^"]*)">/#)
            .filter { $0.1 == type }.map { String($0.2) }
    }

    @Test func `somebody's page names the person and shows that account's clips alone`() async throws {
        let house = try HubHousehold(sound: HubSound(seconds: 65, peaks: [1, 200]))
        let mine = try await house.publish(title: "Mine")
        let hers = try await house.publish(title: "Hers")
        try house.give([hers], to: "ann", named: "Ann <b>")
        let response = try await get(house, "/@ann")
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        let page = response.text
        for piece in [
            "<title>Ann &lt;b&gt; (@ann) – Chirp</title>", "<h1 dir=\"auto\">Ann &lt;b&gt;</h1>", "<bdi>@ann</bdi>",
            "href=\"/c/\(hers)\"", "1:05", "data-preview=\"/media/\(hers).mp3\"",
            "<link rel=\"canonical\" href=\"https://clips.example.org/@ann\">",
        ] { #expect(page.contains(piece), "\(piece)") }
        #expect(!page.contains(mine) && !page.contains("<b>"))
        #expect(page.components(separatedBy: "<h1").count == 2 && page.components(separatedBy: "<main").count == 2)
        let owner = try await get(house, "/@me").text
        #expect(owner.contains(mine) && !owner.contains(hers))
    }

    @Test func `who wrote a post leads to that page, on the list and beside the clip`() async throws {
        let house = try HubHousehold()
        let id = try await house.publish()
        try house.give([id], to: "ann", named: "Ann")
        for path in ["/", "/c/\(id)"] {
            #expect(try await get(house, path).text.contains("<a href=\"/@ann\"><bdi>Ann</bdi></a>"), "\(path)")
        }
    }

    @Test func `somebody's page has pages as the list has`() async throws {
        let house = try HubHousehold()
        let other = try await house.publish(title: "other")
        try house.give([other], to: "ann", named: "Ann")
        for number in 2...46 { try await house.publish(title: "clip number \(number).") }
        let first = try await get(house, "/@me").text
        #expect(first.contains("clip number 46.") && first.contains("clip number 27."))
        #expect(!first.contains("clip number 26.") && first.contains("href=\"/@me?before=27\""))
        let second = try await get(house, "/@me?before=27").text
        #expect(second.contains("clip number 26.") && second.contains("href=\"/@me?before=7\""))
        #expect(second.contains("<a href=\"/@me\">Newest clips</a>"))
        let last = try await get(house, "/@me?before=7").text
        #expect(last.contains("clip number 2.") && !last.contains("rel=\"next\"") && !last.contains(other))
        #expect(try await get(house, "/@me?before=2").text.contains("There is nothing older."))
        #expect(try await get(house, "/@me?before=x").status == .badRequest)
    }

    @Test func `an account without posts has a page that says so`() async throws {
        let house = try HubHousehold()
        try house.give([], to: "ann", named: "Ann")
        let response = try await get(house, "/@ann")
        #expect(response.status == .ok && response.text.contains("Nothing has been published yet."))
        #expect(try await get(house, "/@ann/feed.xml").status == .ok)
        #expect(try await get(house, "/@ann/feed.json").text.contains("\"items\":[]"))
    }

    @Test func `feed readers find the feeds of a page`() async throws {
        let house = try HubHousehold()
        try house.give([], to: "ann", named: "Ann \"<Lee>")
        let (list, person) = (try await get(house, "/").text, try await get(house, "/@ann").text)
        #expect(alternates(list, "application/rss+xml") == ["/feed.xml"])
        #expect(alternates(list, "application/feed+json") == ["/feed.json"])
        #expect(alternates(person, "application/rss+xml") == ["/@ann/feed.xml"])
        #expect(alternates(person, "application/feed+json").contains("/@ann/feed.json"))
        let paths = alternates(list, "application/rss+xml") + alternates(person, "application/rss+xml")
        for path in paths { #expect(try await get(house, path).status == .ok, "\(path)") }
    }

    @Test func `behind a path of a web server all addresses begin with it`() async throws {
        let house = try HubHousehold(publicURL: "https://example.org/clips")
        let id = try await house.save(title: "Rain")
        try await house.post("Rain", link: "https://example.org/clips/c/\(id)")
        try house.give([id], to: "ann", named: "Ann")
        let settings = try HubSettings(HubAddress(port: 0, publicURL: "https://example.org/clips"))
        try await house.application(settings).application().test(.router) { client in
            let person = try await client.execute(uri: "/@ann", method: .get).text
            #expect(alternates(person, "application/rss+xml") == ["/clips/@ann/feed.xml"])
            let channel = try FeedElement.reading(try await client.execute(uri: "/@ann/feed.xml", method: .get).text)
                .one("channel")
            let item = try channel.one("item")
            #expect(try item.one("enclosure").attributes["url"] == "https://example.org/clips/media/\(id).mp3")
            let list = try await client.execute(uri: "/", method: .get).text
            #expect(list.contains("<a href=\"/clips/@ann\">"))
        }
    }
}
