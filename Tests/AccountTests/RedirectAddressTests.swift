import ChirpAccounts
import Testing

@Suite struct RedirectAddressTests {
    @Test(arguments: [
        ("https://client.example/back", "https://client.example"),
        ("https://Client.example:8443/?a=b", "https://client.example:8443"),
        ("http://127.0.0.1:1234/", "http://127.0.0.1:1234"), ("http://[::1]/x", "http://[::1]"),
        ("toot://back", "toot:"),
        ("org.example.app:/back", "org.example.app:"),
    ])
    func `an address is taken, and its origin is what a page's policy names`(text: String, origin: String) throws {
        let address = try #require(RedirectAddress(text))
        #expect(address.text == text && address.origin == origin)
    }

    @Test(arguments: [
        "", "back", "/back", "//client.example", "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x",
        "file:///etc/passwd", "https://", "https:///path", "https://client.example/#fragment", "https://a b.example/",
        "https://user@client.example/", "https://user:pass@client.example/", "https://client.example:0/",
        "https://client.example:99999/", "https://client.example:1;script-src/", "https://client.example\r\nX: y",
        "https://cliënt.example/", "https://client.example\\@evil.example/", "urn:ietf:wg:oauth:2.0:oob:auto",
        "https://client.example/\"", "https://client.example/ ; script-src *", "x:", "1x:y",
        "https://client.example/" + String(repeating: "a", count: 500),
    ])
    func `what is no such address, or could be taken for something else, is none`(text: String) {
        #expect(RedirectAddress(text) == nil)
    }

    @Test func `addresses are compared exactly, but on loopback any port will do`() throws {
        func allows(_ registered: String, _ given: String) throws -> Bool {
            try #require(RedirectAddress(registered)).allows(#require(RedirectAddress(given)))
        }
        #expect(try allows("https://a.example/x", "https://a.example/x"))
        #expect(try !allows("https://a.example/x", "https://a.example/x/"))
        #expect(try !allows("https://a.example/x", "https://a.example/x?y"))
        #expect(try !allows("https://a.example/x", "https://a.example:8443/x"))
        #expect(try allows("http://127.0.0.1/x", "http://127.0.0.1:5000/x"))
        #expect(try allows("http://[::1]:1/x", "http://[::1]:5000/x"))
        #expect(try !allows("http://127.0.0.1/x", "http://127.0.0.1:5000/y"))
        #expect(try !allows("http://127.0.0.1/x", "https://127.0.0.1/x"))
        #expect(try !allows("http://127.0.0.1/x", "http://127.0.0.1.evil.example/x"))
        #expect(try allows("urn:ietf:wg:oauth:2.0:oob", "urn:ietf:wg:oauth:2.0:oob"))
    }
}
