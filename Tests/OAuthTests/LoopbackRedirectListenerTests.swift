import ChirpHTTP
import ChirpOAuth
import Testing

struct LoopbackRedirectListenerTests {
    @Test func `the browser's return is taken once, strangers are ignored`() async throws {
        let listener = try LoopbackRedirectListener(path: "/callback")
        let address = listener.redirectAddress
        #expect(address.hasPrefix("http://127.0.0.1:") && address.hasSuffix("/callback"))
        let transport = CurlTransport()
        func get(_ text: String) async throws -> HTTPResponse {
            try await transport.send(HTTPRequest(.get, try #require(WebAddress(text))))
        }
        async let fields = listener.fields(state: "s1", timeout: .seconds(20))
        let base = String(address.dropLast("/callback".count))
        #expect(try await get(base + "/favicon.ico").status == 404)
        #expect(try await get(address + "?code=evil&state=guess").status == 404)
        let page = try await get(address + "?code=4%2F0Ab&state=s1&scope=a+b")
        #expect(page.status == 200)
        #expect(page.text.contains("signed in"))
        #expect(!page.text.contains("0Ab"))
        #expect(try await fields == ["code": "4/0Ab", "state": "s1", "scope": "a b"])
    }

    @Test func `nobody coming back is an error that says so`() async throws {
        let listener = try LoopbackRedirectListener()
        #expect(!listener.redirectAddress.dropFirst(7).contains("/"))
        await #expect(throws: HTTPError.interrupted(host: "127.0.0.1", reason: "the browser did not come back in time"))
        {
            try await listener.fields(state: "s", timeout: .milliseconds(1))
        }
    }
}
