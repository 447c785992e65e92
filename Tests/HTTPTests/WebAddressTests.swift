import ChirpCore
import ChirpHTTP
import Testing

struct WebAddressTests {
    @Test(
        arguments: [
            ("https://www.googleapis.com/drive/v3", "www.googleapis.com", nil, "/drive/v3", nil, true),
            ("HTTP://LocalHost:8080", "localhost", 8080, "/", nil, false),
            ("https://[::1]:99/a?b=c#d", "::1", 99, "/a", "b=c", true),
            ("https://mastodon.social?x", "mastodon.social", nil, "/", "x", true),
        ] as [(String, String, Int?, String, String?, Bool)])
    func `an address is taken apart`(
        _ text: String, host: String, port: Int?, path: String, query: String?, secure: Bool
    ) throws {
        let address = try #require(WebAddress(text))
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.path == path)
        #expect(address.query == query)
        #expect(address.isSecure == secure)
        #expect(WebAddress(address.text) == address)
    }

    @Test(arguments: [
        "", "ftp://x/", "javascript:alert(1)", "https://", "https:///path", "https://user:pass@host/", "https://ho st/",
        "https://host:0/", "https://host:70000/", "https://host:+80/", "https://host/\r\nX: y", "https://hóst/",
        "https://h/<a>",
        "https://[::1", "https://[zz]/", "//host/",
    ])
    func `what is no address is refused`(_ text: String) {
        #expect(WebAddress(text) == nil)
    }

    @Test(
        arguments: [
            ("https://other.example/x", "https://other.example/x"), ("/root?q", "https://h.example:8/root?q"),
            ("leaf", "https://h.example:8/a/leaf"), ("?p=2", "https://h.example:8/a/b?p=2"),
            ("//o.example/", "https://o.example/"),
            ("", "https://h.example:8/a/b?c"), ("mailto:a@b", nil), ("ftp://x/", nil),
            ("leaf#é", "https://h.example:8/a/leaf"),
            ("é", nil), ("\u{301}/", nil), (String(repeating: "a", count: 9000), nil),
        ] as [(String, String?)])
    func `a reference is resolved against its address`(_ reference: String, expected: String?) throws {
        let base = try #require(WebAddress("https://h.example:8/a/b?c"))
        #expect(base.resolving(reference)?.text == expected)
    }

    @Test(arguments: [
        ("http://127.0.0.1:1", true), ("http://127.9.9.9", true), ("http://localhost", true), ("http://[::1]", true),
        ("http://127.0.0.1.example.com", false), ("http://128.0.0.1", false), ("http://127.1", false),
        ("http://127.0.0.999", false),
    ])
    func `only this machine counts as loopback`(_ text: String, expected: Bool) throws {
        #expect(try #require(WebAddress(text)).isLoopback == expected)
    }

    @Test func `segments and fields are encoded`() throws {
        let address = try #require(WebAddress("https://h/v3/"))
        let built = address.appending("files", "a/b c").adding(["q": "name = 'ü&x'", "n": "1"])
        #expect(built.text == "https://h/v3/files/a%2Fb%20c?q=name%20%3D%20%27%C3%BC%26x%27&n=1")
        #expect(built.field("q") == "name = 'ü&x'")
        #expect(built.description == "https://h/v3/files/a%2Fb%20c")
    }

    @Test func `percent-encoding survives any bytes of text`() {
        for seed in 0..<500 {
            let text = String(
                String.UnicodeScalarView(
                    (0..<20).compactMap { Unicode.Scalar(UInt32(($0 * 7919 + seed * 104_729) % 0x2FFFF)) }))
            let encoded = PercentEncoding.encode(text)
            #expect(PercentEncoding.decode(encoded) == text)
            #expect(encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x26 && $0 != 0x3D })
        }
        #expect(PercentEncoding.decode("100%", plusIsSpace: true) == "100%")
        #expect(PercentEncoding.decode("%zz+%2", plusIsSpace: true) == "%zz %2")
    }
}
