import ChirpCommunity
import ChirpHub
import ChirpOwnHub
import ChirpStores
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// What feed readers and podcast programs get (CH-12): RSS and JSON Feed, of everybody and of one account.
@Suite struct FeedTests {
    private static let here = HubHousehold.publicURL

    private func get(
        _ house: HubHousehold, _ uri: String, _ method: HTTPRequest.Method = .get, _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await house.application().application().test(.router) { client in
            try await client.execute(uri: uri, method: method, headers: headers) { $0 }
        }
    }

    private func channel(_ house: HubHousehold, _ uri: String = "/feed.xml") async throws -> FeedElement {
        let response = try await get(house, uri)
        try #require(response.status == .ok)
        #expect(response.headers[.contentType] == "application/rss+xml; charset=utf-8")
        let document = try FeedElement.reading(response.text)
        #expect(document.tag == "rss" && document.attributes == ["version": "2.0"])
        return try document.one("channel")
    }

    private func items(_ house: HubHousehold, _ uri: String) async throws -> [[String: Any]] {
        let response = try await get(house, uri)
        try #require(response.status == .ok)
        let feed = try JSONSerialization.jsonObject(with: Data(response.text.utf8)) as? [String: Any]
        return try #require(feed?["items"] as? [[String: Any]])
    }

    @Test func `the feed is RSS with all that podcast programs ask for`() async throws {
        let house = try HubHousehold(sound: HubSound(seconds: 12.5))
        let id = try await house.publish([UInt8](repeating: 7, count: 70_001), title: "Rain & <wind>")
        let channel = try await channel(house)
        #expect(try channel.one("title").text == "Chirp")
        #expect(try channel.one("link").text == "\(Self.here)/")
        #expect(try channel.one("description").text == "The latest clips on clips.example.org")
        #expect(try channel.one("language").text == "en")
        #expect(try channel.one(FeedElement.itunes + "author").text == "clips.example.org")
        #expect(try channel.one(FeedElement.itunes + "explicit").text == "false")
        // Made by another implementation: uuid.uuid5 of Python.
        let guid = try channel.one(FeedElement.podcast + "guid").text
        #expect(guid == "e47d9040-ba36-5134-8b49-b5ebcb7e024f")
        #expect(
            try channel.one(FeedElement.atom + "link").attributes
                == ["rel": "self", "type": "application/rss+xml", "href": "\(Self.here)/feed.xml"])

        let item = try channel.one("item")
        #expect(try item.one("title").text == "Rain & <wind>")
        #expect(try item.one("link").text == "\(Self.here)/c/\(id)")
        #expect(try item.one("pubDate").text == "Fri, 15 Jan 2027 08:00:00 GMT")
        #expect(try item.one("guid").attributes == ["isPermaLink": "false"])
        #expect(try item.one(FeedElement.itunes + "duration").text == "13")
        let description = try item.one("description").text
        #expect(description == "Rain &amp; &lt;wind&gt; \(Self.here)/c/\(id) #Chirp")
    }

    @Test func `an enclosure is what its address answers with`() async throws {
        let house = try HubHousehold()
        for count in [1, 10, 65_536, 200_003] {
            try await house.publish((0..<count).map { UInt8(truncatingIfNeeded: $0) }, title: "\(count)")
        }
        let items = try await channel(house).all("item")
        #expect(items.count == 4)
        for item in items {
            let enclosure = try item.one("enclosure").attributes
            let address = try #require(enclosure["url"])
            try #require(address.hasPrefix(Self.here))
            let media = try await get(house, String(address.dropFirst(Self.here.count)))
            #expect(media.status == .ok)
            #expect(enclosure["length"] == "\(media.body.readableBytes)")
            #expect(media.headers[.contentLength] == enclosure["length"])
            #expect(enclosure["type"] == "audio/mpeg" && media.headers[.contentType] == enclosure["type"])
            let count = try #require(Int(try item.one("title").text))
            #expect(Array(buffer: media.body) == (0..<count).map { UInt8(truncatingIfNeeded: $0) })
        }
    }

    @Test(
        arguments: [
            "<script>alert(1)</script>", "]]></title><item>", "a & b &amp; c", "\u{0}\u{8}\u{B}\u{1F}x\u{FFFE}\u{FFFF}",
            "\"' onload='x", "line\r\nbreak", "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"c\">]>&b;",
            "\u{202E}gpj.exe",
            "&#0;", "\u{1F600}\u{10FFFF}",
        ])
    func `a hostile title is only text in a feed`(title: String) async throws {
        let house = try HubHousehold(sound: HubSound(seconds: 2))
        let id = try await house.save(title: title, name: title + ".mp3")
        let page = "\(Self.here)/c/\(id)"
        try await house.post("\(title) \(page)", link: page)
        try await house.post(title, link: "https://x.example/\"><item>&\u{1}")
        let items = try await channel(house).all("item")
        #expect(items.count == 2)
        for item in items {
            // Readers take it as HTML: then it has no tag but the break between lines, and no reference that was typed.
            let description = try item.one("description").text.replacing("<br>", with: "\n")
            #expect(!description.contains { "<>\"'".contains($0) }, "\(description)")
            #expect(!title.contains("&amp;") || description.contains("a &amp; b &amp;amp; c"))
            #expect(item.children.allSatisfy { $0.children.isEmpty })
        }
        #expect(try items[0].one("link").text == "https://x.example/\"><item>&")
        // What is saved is plain text already; here nothing may be lost of it.
        let clip = try #require(HubID(id))
        let saved = try #require(try await house.library.unfilteredClip(clip)).displayTitle
        #expect(try items[1].one("title").text == saved.filter { !"\u{FFFE}\u{FFFF}".contains($0) })
    }

    @Test func `an item is known by its post, and a post without a clip is one too`() async throws {
        let house = try HubHousehold()
        let id = try await house.publish(title: "Rain")
        try await house.post("again", link: "\(Self.here)/c/\(id)")
        try await house.post("first line\nsecond line", link: "javascript:alert(1)")
        let items = try await channel(house).all("item")
        #expect(items.count == 3)
        #expect(Set(try items.map { try $0.one("guid").text }).count == 3)
        #expect(try items[0].one("description").text == "first line<br>second line")
        #expect(items[0].all("link").isEmpty && items[0].all("title").isEmpty && items[0].all("enclosure").isEmpty)
    }

    @Test func `the newest fifty are in it, newest first`() async throws {
        let house = try HubHousehold()
        for number in 1...51 { try await house.post("post \(number)") }
        for path in ["/feed.xml", "/@me/feed.xml"] {
            let items = try await channel(house, path).all("item")
            #expect(
                try items.map { try $0.one("description").text } == (2...51).reversed().map { "post \($0)" }, "\(path)")
        }
    }

    @Test func `an account has feeds of its own`() async throws {
        let house = try HubHousehold(sound: HubSound(seconds: 1))
        let mine = try await house.publish(title: "Mine")
        let hers = try await house.publish(title: "Hers")
        try house.give([hers], to: "ann", named: "Ann <&> Ärger")
        let title = "Ann <&> Ärger (@ann)"
        for path in ["/@ann/feed.xml", "/@Ann/feed.xml", "/%40ann/feed.xml"] {
            let channel = try await channel(house, path)
            #expect(try channel.one("title").text == title)
            #expect(try channel.one("link").text == "\(Self.here)/@ann")
            #expect(try channel.one(FeedElement.itunes + "author").text == "Ann <&> Ärger")
            let guid = try channel.one(FeedElement.podcast + "guid").text
            #expect(guid == "d7d6c9ec-3c71-5df2-a9c6-aecf5c88ae33")
            #expect(
                try channel.one(FeedElement.atom + "link").attributes["href"] == "\(Self.here)/@ann/feed.xml")
            #expect(try channel.one("item").one("link").text == "\(Self.here)/c/\(hers)")
        }
        let response = try await get(house, "/@ann/feed.json")
        #expect(response.headers[.contentType] == "application/feed+json; charset=utf-8")
        let feed = try #require(try JSONSerialization.jsonObject(with: Data(response.text.utf8)) as? [String: Any])
        #expect(feed["version"] as? String == "https://jsonfeed.org/version/1.1")
        #expect(feed["title"] as? String == title)
        #expect(feed["home_page_url"] as? String == "\(Self.here)/@ann")
        #expect(feed["feed_url"] as? String == "\(Self.here)/@ann/feed.json")
        let items = try await items(house, "/@ann/feed.json")
        #expect(items.map { $0["url"] as? String } == ["\(Self.here)/c/\(hers)"])
        let attachment = try #require((items.first?["attachments"] as? [[String: Any]])?.first)
        #expect(attachment["url"] as? String == "\(Self.here)/media/\(hers).mp3")
        #expect(attachment["size_in_bytes"] as? Int == 10 && attachment["mime_type"] as? String == "audio/mpeg")
        #expect(
            try await self.items(house, "/@me/feed.json").map { $0["url"] as? String } == ["\(Self.here)/c/\(mine)"])
        #expect(try await self.items(house, "/feed.json").count == 2)
    }

    @Test func `an account's JSON feed goes on where a page ends`() async throws {
        let house = try HubHousehold()
        let hers = try await house.publish()
        try house.give([hers], to: "ann", named: "Ann")
        for number in 2...53 { try await house.post("post \(number)") }
        let first = try await get(house, "/@me/feed.json").text
        #expect(first.contains("\"next_url\":\"\(Self.here)/@me/feed.json?before=4\""))
        let second = try await get(house, "/@me/feed.json?before=4").text
        #expect(second.contains("\"post 2\"") && second.contains("\"post 3\"") && !second.contains("next_url"))
        #expect(try await items(house, "/@me/feed.json?before=4").count == 2)
        #expect(try await get(house, "/@me/feed.json?before=0").status == .badRequest)
    }

    @Test func `nobody's feeds and pages are not there`() async throws {
        let house = try HubHousehold()
        let id = try await house.publish()
        try house.give([id], to: "eve", named: "Eve", state: "closed")
        try house.give([], to: "new", named: "New", state: "unconfirmed")
        try house.give([], to: "bob", named: "Bob", state: "suspended")
        let names = [
            "nobody", "eve", "new", "", "%00", "me%20", "me'--", "..", String(repeating: "a", count: 5000), "@me",
        ]
        for name in names {
            for tail in ["", "/feed.xml", "/feed.json"] {
                #expect(try await get(house, "/@\(name)\(tail)").status == .notFound, "\(name)\(tail)")
            }
        }
        for path in ["/me", "/me/feed.xml", "/@me/feed.atom", "/@me/feed.xml/x"] {
            #expect(try await get(house, path).status == .notFound, "\(path)")
        }
        #expect(try await get(house, "/@bob").status == .ok)
    }

    @Test func `what a reader has is not sent again until it changes`() async throws {
        let house = try HubHousehold()
        let brief = try await house.publish(title: "Brief", expires: house.now + 60)
        let paths = ["/feed.xml", "/feed.json", "/@me/feed.xml", "/@me/feed.json"]
        var tags: [String: String] = [:]
        for path in paths {
            let full = try await get(house, path)
            let tag = try #require(full.headers[.eTag])
            tags[path] = tag
            #expect(full.headers[.cacheControl] == "no-cache" && full.headers[.lastModified] == nil)
            for value in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                let known = try await get(house, path, .get, [.ifNoneMatch: value])
                #expect(known.status == .notModified && known.body.readableBytes == 0)
                #expect(known.headers[.eTag] == tag)
            }
            // A date tells nothing of what has left the list.
            let dated = try await get(house, path, .get, [.ifModifiedSince: "Fri, 15 Jan 2027 08:00:00 GMT"])
            #expect(dated.status == .ok)
            let head = try await get(house, path, .head)
            #expect(head.status == .ok && head.body.readableBytes == 0)
            #expect(head.headers[.eTag] == tag && head.headers[.contentType] == full.headers[.contentType])
            #expect(head.headers[.contentLength] == "\(full.body.readableBytes)")
            #expect(try await get(house, path, .head, [.ifNoneMatch: tag]).status == .notModified)
        }
        house.wait(60)
        for path in paths {
            let changed = try await get(house, path, .get, [.ifNoneMatch: tags[path] ?? ""])
            #expect(changed.status == .ok && changed.headers[.eTag] != tags[path])
            #expect(!changed.text.contains(brief))
        }
    }

    @Test func `a clip that expired or was removed leaves every feed, and its sound is gone`() async throws {
        let house = try HubHousehold()
        let stays = try await house.publish(title: "Stays")
        let brief = try await house.publish(title: "Brief", expires: house.now + 5)
        let removed = try await house.publish(title: "Removed")
        let hidden = try await house.save(title: "Hidden", share: false)
        try await house.post("early", link: "\(Self.here)/c/\(hidden)")
        let paths = [
            "/", "/@me", "/feed.xml", "/feed.json", "/@me/feed.xml", "/@me/feed.json", "/api/v1/posts",
        ]
        for path in paths {
            let text = try await get(house, path).text
            #expect(text.contains(stays) && text.contains(brief) && text.contains(removed), "\(path)")
            #expect(!text.contains(hidden) && !text.contains("early"), "\(path)")
        }
        try await house.store.remove(StoredObject.ID(removed))
        house.wait(5)
        func check() async throws {
            for path in paths {
                let text = try await get(house, path).text
                #expect(text.contains(stays) && !text.contains(brief) && !text.contains(removed), "\(path)")
            }
            for id in [brief, removed] {
                let query = "/oembed?url=https%3A%2F%2Fclips.example.org%2Fc%2F\(id)"
                for path in ["/media/\(id).mp3", "/c/\(id)"] {
                    #expect(try await get(house, path).status == .gone, "\(path)")
                }
                for path in ["/embed/\(id)", "/card/\(id).png", query] {
                    #expect(try await get(house, path).status == .notFound, "\(path)")
                }
                #expect(try await get(house, "/media/\(id).mp3", .head).status == .gone)
                #expect(try await get(house, "/media/\(id).mp3", .get, [.range: "bytes=0-0"]).status == .gone)
            }
            #expect(try await get(house, "/media/\(hidden).mp3").status == .notFound)
        }
        try await check()
        // The same when the files have been swept.
        #expect(try await house.library.sweep(at: house.now).clips == [brief])
        try await check()
    }

    /// 1653, 1969, 2264, 9999: what a clock shows whose battery is empty, or that somebody has set.
    @Test(arguments: [-10_000_000_000, -1, 9_300_000_000, 253_402_000_000] as [Double])
    func `feeds are made at any time`(instant: Double) async throws {
        let house = try HubHousehold(sound: HubSound(seconds: 1e300))
        house.wait(instant - house.now.timeIntervalSince1970)
        try await house.publish()
        let item = try await channel(house).one("item")
        #expect(try item.one("pubDate").text.hasSuffix(" GMT"))
        #expect(try item.one(FeedElement.itunes + "duration").text == "1000000000")
    }
}

extension HubHousehold {
    /// Makes an account, and makes it the author of what was posted about some clips.
    func give(_ clips: [String], to handle: String, named name: String, state: String = "active") throws {
        let script = """
            import sqlite3, sys
            path, handle, name, state, *clips = sys.argv[1:]
            database = sqlite3.connect(path)
            database.execute("INSERT INTO accounts (id, handle, skeleton, name, state, created) VALUES (?, ?, ?, ?, ?, 0)",
                (handle, handle, handle, name, state))
            for clip in clips:
                database.execute("UPDATE posts SET account = ? WHERE clip = ?", (handle, clip))
            database.commit()
            """
        let result = try ExternalProgram("python3").run(
            ["-c", script, folder.path("hub/hub.sqlite"), handle, name, state] + clips)
        try #require(result.status == 0, "\(result.errors)")
    }
}
