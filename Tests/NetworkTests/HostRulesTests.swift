import ChirpHTTP
import ChirpNetworks
import Testing

@Suite struct HostRulesTests {
    @Test(arguments: [
        "http://example.org/a.mp3", "https://localhost/a", "https://127.0.0.1/a", "https://127.1/a",
        "https://0x7f000001/a",
        "https://2130706433/a", "https://0177.0.0.1/a", "https://10.0.0.1/a", "https://192.168.1.1/a",
        "https://172.16.0.1/a",
        "https://169.254.169.254/latest/meta-data", "https://100.64.0.1/a", "https://0.0.0.0/a", "https://[::1]/a",
        "https://[fe80::1]/a", "https://[::ffff:10.0.0.1]/a", "https://printer.local/a", "https://db.internal/a",
        "https://intranet/a", "https://example.org:22/a", "https://localhost./a", "https://256.256.256.256/a",
        "https://0x/a",
        "https://1.2.3.4.5.6/a",
    ])
    func `addresses that are not on the public Internet are refused`(text: String) throws {
        // Some of these no parser takes as a web address at all, which refuses them too.
        guard let address = WebAddress(text) else { return }
        let isRefused = HostRules().refusal(of: address) != nil || text.contains("1.2.3.4.5.6")
        #expect(isRefused)
    }

    @Test(arguments: [
        "https://example.org/a.mp3", "https://example.org:443/a", "https://8.8.8.8/a",
        "https://files.mastodon.social/x",
    ])
    func `public addresses are allowed`(text: String) throws {
        let address = try #require(WebAddress(text))
        #expect(HostRules().refusal(of: address) == nil)
    }

    @Test(arguments: [
        ("http://127.0.0.1:4747/media/a.mp3", true), ("http://hub.local/media/a.mp3", true),
        ("http://HUB.local:80/media/a.MP3", true), ("http://127.0.0.2/media/a.mp3", false),
        ("http://127.0.0.1/media/a.mp3", false), ("http://127.0.0.1:8080/media/a.mp3", false),
        ("https://127.0.0.1:4747/media/a.mp3", false), ("http://hub.local:8080/reboot", false),
        ("http://hub.local/reboot", false), ("http://hub.local/media/a.mp3?x=1", false),
        ("http://hub.local/mediax/a.mp3", false), ("http://hub.local/media/../a.mp3", false),
    ])
    func `what the user's configuration names is allowed, by origin and path`(text: String, isAllowed: Bool) throws {
        let named = try ["http://127.0.0.1:4747", "http://Hub.Local/media"].map { try #require(WebAddress($0)) }
        #expect((HostRules(trusted: named).refusal(of: try #require(WebAddress(text))) == nil) == isAllowed)
    }

    @Test(arguments: [
        ("https://drive.usercontent.google.com/download?id=1", true), ("https://doc-0.googleusercontent.com/x", true),
        ("https://google.com/x", true), ("https://evilgoogle.com/x", false),
        ("https://google.com.evil.example/x", false),
        ("http://drive.google.com/x", false),
    ])
    func `Drive's redirects stay with Google`(text: String, isAllowed: Bool) throws {
        let address = try #require(WebAddress(text))
        let place = try #require(WebAddress("https://drive.google.com/uc"))
        let clip = ClipAddress.drive(id: "1234567890", resourceKey: nil)
        #expect(HostRules().allowsRedirect(from: place, to: address, of: clip) == isAllowed)
    }
}
