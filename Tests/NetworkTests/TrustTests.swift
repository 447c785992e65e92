import ChirpHTTP
import ChirpNetworks
import ChirpTestKit
import Foundation
import Glibc
import LoopbackService
import Testing

/// A post must not be able to make `live` ask anything but the places that the configuration names, and the public Internet
/// (CH-9). Whatever it tries, nobody may knock at a real listener beside the trusted one.
@Suite(.timeLimit(.minutes(2))) struct TrustTests {
    /// Listens on every address of this machine, of both families, and counts who comes. Nobody is answered.
    private final class ForbiddenDoor: Sendable {
        let port: UInt16
        private let raw: Int32

        init() throws {
            raw = socket(AF_INET6, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            var no: Int32 = 0
            setsockopt(raw, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, socklen_t(MemoryLayout<Int32>.size))
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            let (raw, size) = (raw, length)
            let status = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    bind(raw, pointer, size) == 0 && listen(raw, 512) == 0 && getsockname(raw, pointer, &length) == 0
                }
            }
            try #require(status)
            port = UInt16(bigEndian: address.sin6_port)
        }

        deinit { close(raw) }

        /// How many have connected so far: the kernel has greeted them, whether or not anybody accepts.
        func visitors() -> Int {
            var count = 0
            while true {
                let guest = accept(raw, nil, nil)
                guard guest >= 0 else { return count }
                close(guest)
                count += 1
            }
        }
    }

    /// What a post can write; `A` stands for the port of the trusted place, `F` for that of the forbidden one.
    private static let ways = [
        "http://127.0.0.1:F/clips/a.mp3", "http://127.0.0.1:F/reboot", "https://127.0.0.1:A/clips/a.mp3",
        "https://127.0.0.1:F/clips/a.mp3", "http://127.0.0.1:A/reboot", "http://127.0.0.1:A/clips/../reboot",
        "http://127.0.0.1:A/clips/%2e%2e/reboot", "http://127.0.0.1:A/clips/../reboot.mp3",
        "http://127.0.0.1:A/clips/..%2freboot.mp3", "http://127.0.0.1:A/clips/%2E%2E/reboot.mp3",
        "http://127.0.0.1:A/clipsx/a.mp3", "http://127.0.0.1:A/CLIPS/a.mp3", "http://127.0.0.1:A/clips",
        "http://127.0.0.1/clips/a.mp3", "http://user@127.0.0.1:F/clips/a.mp3",
        "http://user:word@127.0.0.1:F/clips/a.mp3", "http://127.0.0.1:A@127.0.0.1:F/clips/a.mp3",
        "http://127.0.0.1:A#@127.0.0.1:F/clips/a.mp3", "http://127.0.0.1:A\\@127.0.0.1:F/clips/a.mp3",
        "http://127.0.0.1:A%40127.0.0.1:F/clips/a.mp3", "http://[::1]:F/clips/a.mp3", "http://[::1]:A/clips/a.mp3",
        "https://[::1]:F/clips/a.mp3", "http://[::ffff:127.0.0.1]:F/clips/a.mp3",
        "http://[::ffff:7f00:1]:F/clips/a.mp3", "http://[0:0:0:0:0:0:0:1]:F/clips/a.mp3",
        "http://[64:ff9b::7f00:1]:F/clips/a.mp3", "http://[fe80::1%25lo]:F/clips/a.mp3", "http://[::]:F/clips/a.mp3",
        "http://127.0.0.1.:F/clips/a.mp3", "http://127.0.0.1.:A/clips/a.mp3", "http://localhost:F/clips/a.mp3",
        "http://localhost:A/clips/a.mp3", "https://localhost:F/clips/a.mp3", "http://LOCALHOST:F/clips/a.mp3",
        "http://localhost.:F/clips/a.mp3", "http://sub.localhost:F/clips/a.mp3", "HTTP://127.0.0.1:F/clips/a.mp3",
        "hTTps://127.0.0.1:F/CLIPS/A.MP3", "http://2130706433:F/clips/a.mp3", "http://0177.0.0.1:F/clips/a.mp3",
        "http://0x7f.1:F/clips/a.mp3", "http://127.1:F/clips/a.mp3", "http://017700000001:F/clips/a.mp3",
        "http://0x7f000001:F/clips/a.mp3", "http://127.0.0.2:F/clips/a.mp3", "http://0.0.0.0:F/clips/a.mp3",
        "http://0:F/clips/a.mp3", "https://2130706433/clips/a.mp3", "http://127.0.0.1:0F/clips/a.mp3",
        "http://127.0.0.1:A:F/clips/a.mp3", "http://127.0.0.1:+F/clips/a.mp3", "http://127.0.0.1 :F/clips/a.mp3",
        "http://127.0.0.1:F\n/clips/a.mp3", "http://\u{2460}\u{2461}\u{2466}.0.0.1:F/clips/a.mp3",
        "http://\u{FF11}\u{FF12}\u{FF17}.0.0.1:F/clips/a.mp3", "http://127\u{3002}0\u{3002}0\u{3002}1:F/clips/a.mp3",
        "http://\u{24DB}ocalhost:F/clips/a.mp3", "http://loc\u{AD}alhost:F/clips/a.mp3", "//127.0.0.1:F/clips/a.mp3",
        "http:/127.0.0.1:F/clips/a.mp3", "http:127.0.0.1:F/clips/a.mp3", "http:///127.0.0.1:F/clips/a.mp3",
        "ftp://127.0.0.1:F/clips/a.mp3", "gopher://127.0.0.1:F/clips/a.mp3", "dict://127.0.0.1:F/clips/a.mp3",
        "file:///etc/passwd", "127.0.0.1:F/clips/a.mp3",
    ]

    /// Where a trusted place may try to send somebody.
    private static let targets = [
        "http://127.0.0.1:F/clips/a.mp3", "http://127.0.0.1:F/reboot", "//127.0.0.1:F/clips/a.mp3",
        "https://127.0.0.1:F/clips/a.mp3", "https://localhost:F/a.mp3", "http://localhost:F/a.mp3",
        "http://[::1]:F/a.mp3", "http://127.0.0.1.:F/a.mp3", "http://2130706433:F/a.mp3", "http://127.0.0.2:F/a.mp3",
        "http://user@127.0.0.1:F/a.mp3", "HTTP://127.0.0.1:F/a.mp3",
    ]
    private static let statuses = [301, 302, 303, 307, 308]

    @Test func `no post and no redirect reaches another port, scheme or path`() async throws {
        let (door, folder) = (try ForbiddenDoor(), try TemporaryFolder())
        let forbidden = door.port
        let server = try LoopbackServer { request in
            // `/clips/to/307/3.mp3` leads to the third place, `/clips/hop/..` there over one step more; `uc` is Drive's.
            let parts = request.path.split(separator: "/")
            guard request.path != "/uc" else {
                return Self.redirect(302, Self.targets[0].replacing(":F", with: ":\(forbidden)"))
            }
            guard parts.count == 4, let status = Int(parts[2]),
                let number = Int(parts[3].prefix { $0 != "." })
            else { return LoopbackServer.Reply(404) }
            if parts[1] == "hop" { return Self.redirect(status, "/clips/to/\(parts[2])/\(parts[3])") }
            return Self.redirect(status, Self.targets[number].replacing(":F", with: ":\(forbidden)"))
        }
        func written(_ way: String) -> String {
            way.replacing(":0F", with: ":0\(forbidden)").replacing(":+F", with: ":+\(forbidden)")
                .replacing(":F", with: ":\(forbidden)").replacing(":A", with: ":\(server.port)")
        }
        let base = "\(server.base)/clips"
        let links = ClipLinks(hubs: [base])
        let me = Account(id: Account.ID("1"), handle: "a", displayName: "A")
        var clips: [ClipAddress] = []
        for way in Self.ways.map(written) {
            // As a link in the text, as one that the network tells, as a sound of the network's, and by itself.
            let post = Post(
                id: Post.ID("p"), author: me, text: "#Chirp \(way)", links: [way], created: Date(), audio: [way])
            if case .clips(let found) = links.verdict(on: post, chosen: [me.id]) { clips += found }
            clips += [.hub(way), .attachment(way)]
        }
        for kind in ["to", "hop"] {
            for status in Self.statuses {
                clips += Self.targets.indices.map { .hub("\(base)/\(kind)/\(status)/\($0).mp3") }
            }
        }
        clips.append(.drive(id: "1234567890", resourceKey: nil))
        var settings = CurlSettings(slowTime: .seconds(1), onlyPublicAddresses: true)
        let transport = CurlTransport(settings: settings)
        settings.onlyPublicAddresses = false
        let downloader = ClipDownloader(
            transport: transport, trusted: CurlTransport(settings: settings),
            rules: HostRules(trusted: [try #require(WebAddress(base))]),
            drive: ClipDownloader.Drive(web: server.base),
            pause: Sleeper(now: { Date() }, wait: { _ in true }, jitter: { 0 }))
        for (number, clip) in clips.enumerated() {
            let path = folder.path("\(number).part")
            await #expect(throws: NetworkError.self, "\(clip)") {
                try await downloader.download(clip, to: path, limit: 1000)
            }
        }
        #expect(door.visitors() == 0)
        // At the trusted place nothing but its clips was asked for.
        let asked = server.requests.map(\.path)
        let allowed = ["/clips/to/", "/clips/hop/", "/uc"]
        #expect(asked.allSatisfy { path in allowed.contains { path.hasPrefix($0) } }, "\(asked)")
        #expect(clips.count > 200 && asked.count >= 2 * Self.statuses.count * Self.targets.count)
    }

    @Test func `within its origin a trusted place may send somebody on`() async throws {
        let content = Array("ID3".utf8) + [UInt8](repeating: 1, count: 100)
        let server = try LoopbackServer { request in
            request.path == "/files/1"
                ? LoopbackServer.Reply(200, headers: [("Content-Type", "audio/mpeg")], body: content)
                : Self.redirect(302, "/files/1")
        }
        let base = try #require(WebAddress("\(server.base)/clips"))
        let downloader = ClipDownloader(
            transport: CurlTransport(settings: CurlSettings(onlyPublicAddresses: true)), trusted: CurlTransport(),
            rules: HostRules(trusted: [base]))
        let folder = try TemporaryFolder()
        let result = try await downloader.download(
            .hub("\(server.base)/clips/a.mp3"), to: folder.path("a"), limit: 1000)
        #expect(result.bytes == Int64(content.count))
    }

    private static func redirect(_ status: Int, _ location: String) -> LoopbackServer.Reply {
        LoopbackServer.Reply(status, headers: [("Location", location)])
    }
}
