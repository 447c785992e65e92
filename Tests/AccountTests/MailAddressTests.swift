import ChirpAccounts
import Testing

@Suite struct MailAddressTests {
    @Test(arguments: [
        "ann@example.org", "ann+chirp@example.org", "o'neill@example.org", "a.b.c@x.example", "!#$%&'*+-/=?^_`{|}~@a.b",
        "\"ann smith\"@example.org", #""a\"b"@example.org"#, "ann@localhost", "ann@xn--bcher-kva.example",
        String(repeating: "a", count: 64) + "@example.org",
    ])
    func `every legal oddity is an address`(typed: String) throws {
        #expect(try MailAddress(typed: typed).text == typed)
    }

    @Test func `the domain is kept in lower case, the part before it as it is`() throws {
        #expect(try MailAddress(typed: " Ann@Example.ORG\n").text == "Ann@example.org")
    }

    @Test(arguments: [
        "", "ann", "@example.org", "ann@", "ann@@example.org", ".ann@example.org", "ann.@example.org",
        "a..b@example.org",
        "ann@-a.example", "ann@a-.example", "ann@a..b", "ann@[192.0.2.1]", "ann@exa mple.org", "ann smith@example.org",
        "\"ann@example.org", "\"a\"b\"@example.org", "ann@example.org\r\nBcc: bob@example.org", "änn@example.org",
        "ann@bücher.example", String(repeating: "a", count: 65) + "@example.org",
        "a@" + String(repeating: "b", count: 64) + ".org", "a@" + String(repeating: "bcd.", count: 80) + "org",
    ])
    func `what no server would take is refused`(typed: String) {
        #expect(throws: AccountError.self) { try MailAddress(typed: typed) }
    }

    @Test(arguments: [
        ("Ann@Example.org", "ann@example.org"), ("ann+chirp@example.org", "ann@example.org"),
        ("ann+a+b@example.org", "ann@example.org"), ("+ann@example.org", "+ann@example.org"),
        ("\"ann\"@example.org", "ann@example.org"), (#""a\"n+x"@example.org"#, "a\"n@example.org"),
        ("a.n.n@gmail.com", "ann@gmail.com"), ("Ann+x@googlemail.com", "ann@gmail.com"),
        ("a.n.n@example.org", "a.n.n@example.org"), ("ann-chirp@example.org", "ann-chirp@example.org"),
    ])
    func `two addresses of one mailbox are known for that`(typed: String, mailbox: String) throws {
        #expect(try MailAddress(typed: typed).mailbox == mailbox)
    }
}
