import ChirpCore
import ChirpHTTP
import ChirpNetworks
import ChirpTestKit
import Foundation
import LoopbackService
import Synchronization
import Testing

/// CH-9, CH-10: fetching a stranger's clip over a line that breaks, from a server that may be hostile.
@Suite struct ClipDownloaderTests {
    private static let bytes = Array("ID3".utf8) + (0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    private static func downloader(_ server: LoopbackServer? = nil, web: String = "https://drive.google.com")
        -> ClipDownloader
    {
        let pause = Sleeper(now: { Date(timeIntervalSince1970: 0) }, wait: { _ in true }, jitter: { 0.5 })
        return ClipDownloader(
            transport: CurlTransport(settings: CurlSettings(onlyPublicAddresses: true)), trusted: CurlTransport(),
            rules: HostRules(trusted: [server?.base].compactMap { $0 }.compactMap { WebAddress($0) }),
            drive: ClipDownloader.Drive(web: web), pause: pause)
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path() -> String { folder.path(UUID().uuidString) }

    private static func content(_ path: String) throws -> [UInt8] {
        let data = try Data(contentsOf: URL(filePath: path))
        try FileManager.default.removeItem(atPath: path)
        return [UInt8](data)
    }

    @Test func `a broken download goes on where it was, as often as it breaks`() async throws {
        let offsets = Mutex<[String]>([])
        let server = try LoopbackServer { request in
            let range = request.headers["Range"] ?? "none"
            offsets.withLock { $0.append(range) }
            let start = Int(range.split(separator: "=").last?.split(separator: "-").first ?? "0") ?? 0
            let rest = Array(Self.bytes[start...])
            let headers = [
                ("Content-Type", "audio/mpeg"),
                ("Content-Range", "bytes \(start)-\(Self.bytes.count - 1)/\(Self.bytes.count)"),
            ]
            return LoopbackServer.Reply(
                start == 0 ? 200 : 206, headers: start == 0 ? [headers[0]] : headers, body: rest,
                cutAfter: rest.count > 20_000 ? 20_000 : nil)
        }
        let path = path()
        let result = try await Self.downloader(server).download(
            .hub("http://127.0.0.1:\(server.port)/media/a.mp3"), to: path, limit: 1 << 20)
        #expect(result.bytes == Int64(Self.bytes.count))
        #expect(try Self.content(path) == Self.bytes)
        let asked = offsets.withLock { $0 }
        #expect(
            asked.count >= 3 && asked[0] == "none" && asked.dropFirst().allSatisfy { $0 != "none" && $0 != "bytes=0-" })
    }

    @Test func `a server that never gets to the end of a clip is given up, and the clip may be had later`() async throws
    {
        let downloader = ClipDownloader(
            transport: SilentTransport(), trusted: SilentTransport(), rules: HostRules(), clock: InstantClock())
        do throws(NetworkError) {
            _ = try await downloader.download(.hub("https://hub.example/media/a.mp3"), to: path(), limit: 1 << 20)
            Issue.record("nothing comes from there")
        } catch {
            #expect(!error.isPermanent && error != .cancelled, "\(error)")
        }
        #expect(ClipDownloader.patience(for: 16_000_000) == .seconds(1120))
        #expect(ClipDownloader.patience(for: -1) == .seconds(120))
    }

    /// A server whose file may change; it knows `Range` and `If-Range`, and breaks off after 20,000 bytes while it is asked to.
    private final class Shelf: Sendable {
        let content = Mutex<(bytes: [UInt8], tag: String?, breaks: Bool)>((ClipDownloaderTests.bytes, nil, true))
        let asked = Mutex<[String]>([])

        func reply(to request: LoopbackServer.Request) -> LoopbackServer.Reply {
            let (bytes, tag, breaks) = content.withLock { $0 }
            let range = request.headers["Range"] ?? "none"
            asked.withLock { $0.append("\(range) \(request.headers["If-Range"] ?? "")") }
            var headers = [("Content-Type", "audio/mpeg")]
            if let tag { headers.append(("ETag", tag)) }
            let start = Int(range.split(separator: "=").last?.split(separator: "-").first ?? "") ?? 0
            let isSame = request.headers["If-Range"].map { $0 == tag } ?? true
            guard start > 0, isSame, start < bytes.count else {
                return LoopbackServer.Reply(200, headers: headers, body: bytes, cutAfter: breaks ? 20_000 : nil)
            }
            headers.append(("Content-Range", "bytes \(start)-\(bytes.count - 1)/\(bytes.count)"))
            return LoopbackServer.Reply(
                206, headers: headers, body: Array(bytes[start...]), cutAfter: breaks ? 10 : nil)
        }
    }

    @Test(arguments: ["\"one\"", "W/\"one\"", nil])
    func `a clip that has changed since the line broke is fetched anew, not put together from two`(
        tag: String?
    ) async throws {
        let shelf = Shelf()
        shelf.content.withLock { $0.tag = tag }
        let server = try LoopbackServer { shelf.reply(to: $0) }
        let (path, clip) = (path(), ClipAddress.hub("http://127.0.0.1:\(server.port)/a.mp3"))
        await #expect(throws: NetworkError.self) {
            try await Self.downloader(server).download(clip, to: path, limit: 1 << 20)
        }
        #expect(FileManager.default.fileExists(atPath: path))
        // Another file under the same name, of the same size only where the server can tell them apart.
        let count = tag == "\"one\"" ? 60_000 : 59_000
        let other = Array("ID3".utf8) + (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        shelf.content.withLock { $0 = (other, tag.map { $0.replacing("one", with: "two") }, false) }
        let result = try await Self.downloader(server).download(clip, to: path, limit: 1 << 20)
        #expect(result.bytes == Int64(other.count))
        #expect(try Self.content(path) == other)
        #expect(shelf.asked.withLock { $0 }.contains { $0.hasSuffix(" \"one\"") } == (tag == "\"one\""))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty)
    }

    @Test func `a part that nobody has noted anything about is begun anew`() async throws {
        let shelf = Shelf()
        shelf.content.withLock { $0.breaks = false }
        let server = try LoopbackServer { shelf.reply(to: $0) }
        let path = path()
        try Data(repeating: 7, count: 30_000).write(to: URL(filePath: path))
        _ = try await Self.downloader(server).download(
            .hub("http://127.0.0.1:\(server.port)/a.mp3"), to: path, limit: 1 << 20)
        #expect(try Self.content(path) == Self.bytes)
        #expect(shelf.asked.withLock { $0 } == ["none "])
    }

    @Test func `a clip larger than the limit is given up on the way`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.Reply(200, headers: [("Content-Type", "audio/mpeg")], body: Self.bytes)
        }
        let path = path()
        let error = await #expect(throws: NetworkError.self) {
            try await Self.downloader(server).download(
                .attachment("http://127.0.0.1:\(server.port)/a.mp3"), to: path, limit: 10_000)
        }
        #expect(error?.isPermanent == true)
    }

    @Test(arguments: [(404, true), (403, true), (410, true), (500, false), (503, false), (429, false)])
    func `refusals are final, overload is tried again`(status: Int, isFinal: Bool) async throws {
        let count = Mutex(0)
        let server = try LoopbackServer { _ in
            count.withLock { $0 += 1 }
            return LoopbackServer.Reply(status, body: Array("no".utf8))
        }
        let error = await #expect(throws: NetworkError.self) {
            try await Self.downloader(server).download(
                .attachment("http://127.0.0.1:\(server.port)/a.mp3"), to: path(), limit: 10_000)
        }
        #expect(error?.isPermanent == isFinal)
        #expect(count.withLock { $0 } == (isFinal ? 1 : 6))
    }

    @Test func `an address within the local network is refused without asking, by name or by redirect`() async throws {
        let asked = Mutex<[String]>([])
        let inner = try LoopbackServer { request in
            asked.withLock { $0.append(request.path) }
            return LoopbackServer.Reply(200, headers: [("Content-Type", "audio/mpeg")], body: Self.bytes)
        }
        let outer = try LoopbackServer { _ in
            LoopbackServer.Reply(302, headers: [("Location", "http://127.0.0.2:\(inner.port)/secret")])
        }
        for address in [
            "http://127.0.0.2:\(inner.port)/a", "https://127.0.0.2:\(inner.port)/a",
            "http://127.0.0.1:\(outer.port)/a.mp3",
        ] {
            let error = await #expect(throws: NetworkError.self) {
                try await Self.downloader(outer).download(.attachment(address), to: path(), limit: 1 << 20)
            }
            let isForbidden = if case .forbidden = error { true } else { false }
            #expect(isForbidden)
        }
        #expect(asked.withLock { $0 }.isEmpty)
    }

    @Test func `Drive's question about large files is answered once`() async throws {
        let server = try LoopbackServer { request in
            if request.path == "/download", request.query["confirm"] == "t", request.query["uuid"] == "u-1" {
                return LoopbackServer.Reply(200, headers: [("Content-Type", "audio/mpeg")], body: Self.bytes)
            }
            let page = """
                <html><body>Google Drive can't scan this file for viruses.
                <form id="download-form" action="/download" method="get"><input type="submit" value="Download anyway"/>
                <input type="hidden" name="id" value="1234567890"><input type="hidden" name="export" value="download">
                <input type="hidden" name="confirm" value="t"><input type="hidden" name="uuid" value="u-1"></form></body></html>
                """
            return LoopbackServer.Reply(
                200, headers: [("Content-Type", "text/html; charset=utf-8")], body: Array(page.utf8))
        }
        let path = path()
        let downloader = Self.downloader(web: "http://127.0.0.1:\(server.port)")
        _ = try await downloader.download(.drive(id: "1234567890", resourceKey: nil), to: path, limit: 1 << 20)
        #expect(try Self.content(path) == Self.bytes)
    }

    @Test(arguments: ["text/html", "audio/mpeg"])
    func `a page is not a clip, whatever it calls itself`(type: String) async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.Reply(200, headers: [("Content-Type", type)], body: Array("\n <html>Sign in</html>".utf8))
        }
        let path = path()
        let downloader = Self.downloader(web: "http://127.0.0.1:\(server.port)")
        let error = await #expect(throws: NetworkError.self) {
            try await downloader.download(.drive(id: "1234567890", resourceKey: nil), to: path, limit: 1 << 20)
        }
        #expect(error?.isPermanent == true)
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
