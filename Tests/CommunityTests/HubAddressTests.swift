import ChirpCommunity
import ChirpCore
import Testing

/// Where the hub is, and what it calls itself.
@Suite struct HubAddressTests {
    @Test(
        arguments: [
            ("http://127.0.0.1:4747/", "http://127.0.0.1:4747"), ("https://a.example/hub//", "https://a.example/hub"),
        ])
    func `a public address is brought into one form`(given: String, expected: String) throws {
        #expect(try HubAddress.checked(given) == expected)
    }

    @Test(
        arguments: [
            "", "clips.example.org", "ftp://a.example", "http://", "http://a.example/?q", "http://a.example/#f",
            "http://user@a.example", "javascript:alert(1)", "http://a b", "http://a.example/<x>",
        ])
    func `an address that cannot stand in a link is refused`(address: String) {
        let error = #expect(throws: HubAddressError.self) { try HubAddress.checked(address) }
        #expect(error?.exitCode == .badConfiguration)
    }

    @Test func `its parts follow from one another`() throws {
        #expect(try HubAddress().publicURL == "http://127.0.0.1:4747")
        #expect(try HubAddress(port: 8000).publicURL == "http://127.0.0.1:8000")
        #expect(try HubAddress(bind: "::1", port: 8000).publicURL == "http://[::1]:8000")
        #expect(try HubAddress(bind: "0.0.0.0").publicURL == "http://127.0.0.1:4747")
        #expect(try HubAddress(bind: "0.0.0.0", isSecure: true).publicURL == "https://127.0.0.1:4747")
        #expect(try HubAddress(publicURL: "http://a.example", isSecure: true).publicURL == "http://a.example")
        for port in [-1, 65536] { #expect(throws: HubAddressError.self) { try HubAddress(port: port) } }
        for bind in ["", "a b", "x/y"] { #expect(throws: HubAddressError.self) { try HubAddress(bind: bind) } }
    }
}
