import ChirpCommunity
import ChirpHub
import ChirpOwnHub
import ChirpStores
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// What the router answers with: pages, feed and API (W-5, CH-12, CH-13).
@Suite struct PageTests {
    private func get(
        _ house: HubHousehold, _ uri: String, _ method: HTTPRequest.Method = .get, headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await house.application().application().test(.router) { client in
            try await client.execute(uri: uri, method: method, headers: headers) { $0 }
        }
    }

    private func text(_ response: TestResponse) -> String { String(buffer: response.body) }

    @Test func `a clip's page plays it, shows it and gives the text to share`() async throws {
        let house = try HubHousehold(sound: HubSound(seconds: 222, peaks: [10, 200, 30]))
        let id = try await house.publish([UInt8](repeating: 7, count: 2_500_000), title: "Rain")
        let response = try await get(house, "/c/\(id)")
        let page = text(response)
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        for piece in [
            "<audio controls preload=\"metadata\" src=\"/media/\(id).mp3\"", "<h1 dir=\"auto\">Rain</h1>", "3:42",
            "2.5 MB", "Rain https://clips.example.org/c/\(id) #Chirp</textarea>", "aria-label=\"Waveform, 3 minutes",
            "<meta property=\"og:audio\" content=\"https://clips.example.org/media/\(id).mp3\">",
            "15 January 2027, 08:00 UTC", "<html lang=\"en\" data-prefix=\"\">",
        ] { #expect(page.contains(piece), "\(piece)") }
    }

    @Test func `nothing on a page is inline or from elsewhere`() async throws {
        let house = try HubHousehold(sound: HubSound(seconds: 2, peaks: [1, 2]))
        let id = try await house.publish()
        for path in ["/", "/@me", "/c/\(id)", "/embed/\(id)", "/nothing"] {
            let response = try await get(house, path)
            let page = text(response)
            for piece in ["<style", " style=", " onclick", " onload", "javascript:", "<script>", "src=\"http"] {
                #expect(!page.contains(piece), "\(piece) in \(path)")
            }
            let policy = try #require(response.headers[.contentSecurityPolicy])
            #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
            #expect(policy.hasSuffix("frame-ancestors \(path.hasPrefix("/embed") ? "*" : "'none'")"))
            #expect(response.headers[.xContentTypeOptions] == "nosniff")
        }
    }

    @Test(
        arguments: [
            "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "a & b < c", "' onfocus='x",
            "\u{202E}gpj.exe", "line\nbreak\r\nSet-Cookie: x=1", "</textarea><script>", "\u{0}\u{1B}[2J", "]]>--><!--",
        ])
    func `a hostile title is only text`(title: String) async throws {
        let house = try HubHousehold(sound: HubSound(seconds: 2, peaks: [1, 2]))
        let id = try await house.save(title: title, name: title + ".mp3")
        try await house.post("\(title) https://clips.example.org/c/\(id)", link: "https://clips.example.org/c/\(id)")
        try await house.post("\(title) https://x.example/\"onmouseover=\"alert(1)", link: "https://x.example/")
        for path in ["/", "/@me", "/c/\(id)", "/embed/\(id)"] {
            let page = text(try await get(house, path))
            // All that the page itself brings; whatever else opens a tag came from the title.
            for piece in [
                "<script>", "<img", "onerror=alert(1)>", "' onfocus='", "\u{202E}", "\u{1B}", "<!--", "\"onmouse",
            ] {
                #expect(!page.contains(piece), "\(piece) in \(path)")
            }
            #expect(page.components(separatedBy: "<script ").count == 3)
            #expect(page.components(separatedBy: "</textarea>").count == (path.hasPrefix("/c") ? 2 : 1))
        }
        let media = try await get(house, "/media/\(id).mp3")
        let disposition = try #require(media.headers[.contentDisposition])
        #expect(disposition.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
        #expect(media.headers[.setCookie] == nil)
    }

    @Test func `the list shows the newest first, a page at a time`() async throws {
        let house = try HubHousehold()
        for number in 1...45 { try await house.publish(title: "clip number \(number).") }
        let first = text(try await get(house, "/"))
        #expect(first.contains("clip number 45.") && first.contains("clip number 26."))
        #expect(!first.contains("clip number 25."))
        let newest = try #require(first.range(of: "clip number 45."))
        let next = try #require(first.range(of: "clip number 44."))
        #expect(newest.lowerBound < next.lowerBound)
        #expect(first.contains("href=\"/?before=26\""))
        let second = text(try await get(house, "/?before=26"))
        #expect(second.contains("clip number 25.") && second.contains("href=\"/?before=6\""))
        let last = text(try await get(house, "/?before=6"))
        #expect(last.contains("clip number 1.") && !last.contains("rel=\"next\""))
    }

    @Test func `an empty hub says how to begin`() async throws {
        let response = try await get(try HubHousehold(), "/")
        #expect(response.status == .ok)
        #expect(text(response).contains("chirp publish"))
    }

    @Test func `what is not shared is not there, and what is gone says so`() async throws {
        let house = try HubHousehold()
        let hidden = try await house.save(share: false)
        let brief = try await house.publish(expires: house.now + 5)
        let removed = try await house.publish()
        try await house.store.remove(StoredObject.ID(removed))
        house.wait(5)
        for (id, status) in [(hidden, 404), (brief, 410), (removed, 410)] {
            for path in ["/c/\(id)", "/media/\(id).mp3"] {
                let response = try await get(house, path)
                #expect(response.status.code == status, "\(path)")
                #expect(text(response).contains("<h1>\(status == 410 ? "This clip is gone" : "Nothing here")</h1>"))
            }
            // Other sites are not told which of these it was.
            #expect(try await get(house, "/embed/\(id)").status == .notFound)
        }
        #expect(!text(try await get(house, "/")).contains("/c/"))
    }

    @Test(
        arguments: [
            "/c/", "/c/../../etc/passwd", "/c/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/media/../hub.sqlite",
            "/media/%2e%2e%2fhub.sqlite", "/media/..%2Fhub.sqlite.mp3", "/media/.mp3", "/media/hub.sqlite", "/assets/",
            "/assets/../../x", "/c/aaaaaaaaaaaaaaaaaaaaaa", "/c/%00", "/c/'%20OR%201=1--", "/c", "/favicon.ico",
            "/api/v1/nothing", "/c/\(String(repeating: "a", count: 5000))",
        ])
    func `an address that leads nowhere is a 404`(path: String) async throws {
        let response = try await get(try HubHousehold(), path)
        #expect(response.status == .notFound)
        let type = try #require(response.headers[.contentType])
        #expect(type.hasPrefix(path.hasPrefix("/api") ? "application/json" : "text/html"))
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .delete, .patch, .options, .trace])
    func `only reading is possible`(method: HTTPRequest.Method) async throws {
        let house = try HubHousehold()
        for path in ["/", "/api/v1/posts", "/nothing"] {
            let response = try await get(house, path, method)
            #expect(response.status == .methodNotAllowed)
            #expect(response.headers[.allow] == "GET, HEAD")
        }
    }

    @Test func `a hub on loopback answers to its own names only`() async throws {
        let house = try HubHousehold()
        let application = try house.application(
            HubSettings(HubAddress(port: 4747, publicURL: "https://clips.example.org")))
        try await application.application().test(.router) { client in
            // The router's client always calls itself localhost, without the port.
            let response = try await client.execute(uri: "/", method: .get)
            #expect(response.status == .misdirectedRequest)
        }
    }

    @Test func `a HEAD has the headers of the page and no body`() async throws {
        let house = try HubHousehold()
        let id = try await house.publish()
        for path in ["/", "/@me", "/c/\(id)", "/feed.json", "/feed.xml", "/nothing", "/media/\(id).mp3"] {
            let full = try await get(house, path)
            let head = try await get(house, path, .head)
            #expect(head.status == full.status)
            #expect(head.headers[.contentLength] == full.headers[.contentLength])
            #expect(head.headers[.contentType] == full.headers[.contentType])
            #expect(head.body.readableBytes == 0)
        }
    }

    @Test func `the feed is JSON Feed 1.1 with the audio attached`() async throws {
        let house = try HubHousehold(sound: HubSound(seconds: 12.5))
        let id = try await house.publish(title: "Rain & <wind>")
        let response = try await get(house, "/feed.json")
        #expect(response.headers[.contentType] == "application/feed+json; charset=utf-8")
        let feed = try #require(
            try JSONSerialization.jsonObject(with: Data(Array(buffer: response.body))) as? [String: Any])
        #expect(feed["version"] as? String == "https://jsonfeed.org/version/1.1")
        #expect(feed["feed_url"] as? String == "https://clips.example.org/feed.json")
        let item = try #require((feed["items"] as? [[String: Any]])?.first)
        #expect(item["title"] as? String == "Rain & <wind>")
        #expect(item["url"] as? String == "https://clips.example.org/c/\(id)")
        #expect(item["date_published"] as? String == "2027-01-15T08:00:00Z")
        let audio = try #require((item["attachments"] as? [[String: Any]])?.first)
        #expect(audio["url"] as? String == "https://clips.example.org/media/\(id).mp3")
        #expect(audio["mime_type"] as? String == "audio/mpeg")
        #expect(audio["size_in_bytes"] as? Int == 10)
        #expect(audio["duration_in_seconds"] as? Double == 12.5)
    }

    @Test func `the feed goes on where a page ends`() async throws {
        let house = try HubHousehold()
        for number in 1...51 { try await house.post("post \(number)") }
        let first = try JSONSerialization.jsonObject(with: Data(Array(buffer: try await get(house, "/feed.json").body)))
        let next = try #require((first as? [String: Any])?["next_url"] as? String)
        #expect(next == "https://clips.example.org/feed.json?before=2")
        let second = text(try await get(house, "/feed.json?before=2"))
        #expect(second.contains("\"post 1\"") && !second.contains("next_url"))
    }

    @Test func `the API gives posts in order behind a place`() async throws {
        let house = try HubHousehold()
        for number in 1...5 { try await house.post("post \(number) #Chirp") }
        let page = text(try await get(house, "/api/v1/posts?after=1&limit=2&account=me"))
        #expect(page.contains("\"next\":3") && page.contains("post 2") && page.contains("post 3"))
        #expect(!page.contains("post 1") && !page.contains("post 4"))
        #expect(text(try await get(house, "/api/v1/posts?after=5")) == "{\"next\":5,\"posts\":[]}")
        #expect(text(try await get(house, "/api/v1/posts?account=you")) == "{\"next\":0,\"posts\":[]}")
    }

    @Test(
        arguments: [
            "/api/v1/posts?after=x", "/api/v1/posts?after=-1", "/api/v1/posts?limit=0", "/api/v1/posts?limit=201",
            "/api/v1/posts?limit=99999999999999999999", "/api/v1/accounts?limit=0", "/api/v1/accounts?limit=1001",
            "/api/v1/events?after=x", "/?before=0", "/?before=x",
            "/feed.json?before=%00",
        ])
    func `a query that makes no sense is refused`(uri: String) async throws {
        #expect(try await get(try HubHousehold(), uri).status == .badRequest)
    }

    @Test func `other sites can ask for the player`() async throws {
        let house = try HubHousehold()
        let id = try await house.publish(title: "\"><script>")
        let page = text(try await get(house, "/oembed?url=https%3A%2F%2Fclips.example.org%2Fc%2F\(id)&maxwidth=300"))
        #expect(page.contains("https://clips.example.org/embed/\(id)") && page.contains("\"width\":300"))
        let html = try #require(
            page.components(separatedBy: "\"html\":").last?.components(separatedBy: "</iframe>").first)
        #expect(html.contains("&lt;script&gt;") && !html.contains("<script>"))
        #expect(try await get(house, "/oembed?url=https%3A%2F%2Fevil.example%2Fc%2F\(id)").status == .notFound)
        #expect(try await get(house, "/oembed").status == .notFound)
    }

    @Test func `health tells where the feed ends`() async throws {
        let house = try HubHousehold()
        try await house.post("one")
        #expect(text(try await get(house, "/health")) == "{\"lastSeq\":1,\"status\":\"ok\"}")
    }

    @Test func `a failure inside tells nothing about the inside`() async throws {
        let house = try HubHousehold()
        let id = try await house.publish()
        try FileManager.default.removeItem(atPath: "\(house.mediaFolder)/\(id).mp3")
        let response = try await get(house, "/media/\(id).mp3")
        #expect(response.status == .internalServerError)
        #expect(text(response).contains("Something went wrong") && !text(response).contains("missing"))
    }

    @Test func `assets are kept for ever under names that change with them`() async throws {
        let house = try HubHousehold()
        let page = text(try await get(house, "/"))
        let names = page.components(separatedBy: "\"/assets/").dropFirst().compactMap {
            $0.split(separator: "\"").first
        }
        #expect(names.count == 3)
        for name in names {
            let response = try await get(house, "/assets/\(name)")
            #expect(response.status == .ok)
            #expect(response.headers[.cacheControl]?.contains("immutable") == true)
            #expect(response.body.readableBytes > 100)
        }
    }

    /// 1653, 1969, 2264, 9999: what a clock shows whose battery is empty, or that somebody has set.
    @Test(arguments: [-10_000_000_000, -1, 9_300_000_000, 253_402_000_000] as [Double])
    func `pages, feeds and sweeps work at any time`(instant: Double) async throws {
        let house = try HubHousehold()
        house.wait(instant - house.now.timeIntervalSince1970)
        let id = try await house.publish(expires: house.now + 60)
        let application = try house.application().application()
        let paths = ["/", "/c/\(id)", "/media/\(id).mp3", "/feed.json", "/api/v1/posts", "/health"]
        for path in paths {
            let status = try await application.test(.router) { client in
                try await client.execute(uri: path, method: .get) { $0.status }
            }
            #expect(status == .ok, "\(path)")
        }
        #expect(try await house.library.sweep(at: house.now).clips.isEmpty)
        house.wait(61)
        #expect(try await house.library.sweep(at: house.now).clips == [id])
    }
}
