import ChirpCore
import Testing

/// Whose request it is, with what strangers write into `X-Forwarded-For`.
@Suite struct TrustedProxyTests {
    private func proxies(_ blocks: String...) throws -> TrustedProxies {
        TrustedProxies(try blocks.map { try #require(AddressBlock($0)) })
    }

    @Test(
        arguments: [
            // Nobody has handed it on.
            ([], "127.0.0.1"),
            (["198.51.100.7"], "198.51.100.7"),
            // What stands before the visitor's address was written by the visitor.
            (["203.0.113.9, 198.51.100.7"], "198.51.100.7"),
            (["203.0.113.9", "198.51.100.7"], "198.51.100.7"),
            (["127.0.0.1, 198.51.100.7"], "198.51.100.7"),
            // Two proxies in a row.
            (["203.0.113.9, 198.51.100.7, 10.1.2.3"], "198.51.100.7"),
            (["203.0.113.9", "198.51.100.7,10.1.2.3"], "198.51.100.7"),
            // Nobody but proxies: a request of one of them.
            (["10.1.2.3"], "10.1.2.3"),
            (["10.9.9.9, 10.1.2.3"], "10.9.9.9"),
            // What is no address ends the row.
            (["198.51.100.7, unknown"], "127.0.0.1"),
            (["198.51.100.7, _hidden, 10.1.2.3"], "10.1.2.3"),
            (["198.51.100.7,"], "127.0.0.1"),
            ([""], "127.0.0.1"),
            (["198.51.100.7, fe80::1%eth0"], "127.0.0.1"),
            // Ports, brackets, blanks, and one spelling for an address.
            (["  198.51.100.7:4321\t"], "198.51.100.7"),
            (["[2001:db8::7]:4321"], "2001:db8::7"),
            (["[2001:db8::7]"], "2001:db8::7"),
            (["2001:0DB8:0:0::7"], "2001:db8::7"),
            (["::ffff:198.51.100.7"], "198.51.100.7"),
            (["::ffff:10.1.2.3"], "10.1.2.3"),
            (["198.51.100.7:port"], "127.0.0.1"),
            (["[2001:db8::7"], "127.0.0.1"),
        ])
    func `behind trusted proxies the visitor is the last who is none`(forwarded: [String], visitor: String) throws {
        let proxies = try proxies("127.0.0.1", "10.0.0.0/8")
        #expect(proxies.visitor(peer: "127.0.0.1", forwarded: forwarded) == visitor)
        // The same from a socket that speaks both families.
        let mapped = proxies.visitor(peer: "::ffff:127.0.0.1", forwarded: forwarded)
        #expect(mapped == (visitor == "127.0.0.1" ? "::ffff:127.0.0.1" : visitor))
    }

    @Test(arguments: ["198.51.100.7", "2001:db8::7", "", "::1"])
    func `who is no trusted proxy is nobody but himself, whatever he writes`(peer: String) throws {
        let proxies = try proxies("127.0.0.1", "10.0.0.0/8")
        #expect(proxies.visitor(peer: peer, forwarded: ["203.0.113.9"]) == peer)
        #expect(TrustedProxies.none.visitor(peer: peer, forwarded: ["203.0.113.9"]) == peer)
    }

    @Test func `a row without end is read for a while only`() throws {
        let row = Array(repeating: "10.0.0.1", count: 10_000).joined(separator: ",")
        let proxies = try proxies("10.0.0.0/8")
        #expect(proxies.visitor(peer: "10.0.0.2", forwarded: ["198.51.100.7," + row]) == "10.0.0.1")
    }

    @Test(
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", "11.0.0.1"), ("192.0.2.128/25", "192.0.2.200", "192.0.2.127"),
            ("192.0.2.1", "192.0.2.1", "192.0.2.2"), ("fd00::/8", "fd12::1", "fe00::1"),
            ("2001:db8::/33", "2001:db8:7fff::1", "2001:db8:8000::1"), ("::1", "::1", "::2"),
        ])
    func `a block holds what begins with its bits`(block: String, inside: String, outside: String) throws {
        let proxies = try proxies(block)
        #expect(proxies.contains(inside) && !proxies.contains(outside))
        #expect(proxies.blocks.map(\.description) == [block])
    }

    @Test(
        arguments: [
            "", "/", "10.0.0.0/", "10.0.0.0/0", "10.0.0.0/33", "::/0", "::/129", "10.0.0.0/-8", "10.0.0.0/+8",
            "10.0.0.0/8/8", "10.0.0", "localhost", "fe80::1%eth0", "1.2.3.4:80", "10.0.0.0/0008", "0x7f.1",
            "127.0.0.1\u{0}",
        ])
    func `what is no block is refused`(text: String) {
        #expect(AddressBlock(text) == nil)
    }
}
