import ChirpAccounts
import Testing

@Suite struct HandleTests {
    @Test(arguments: [("ann", "ann"), ("@Ann", "ann"), ("  ann_2 ", "ann_2"), ("0x", "0x")])
    func `a name is taken as typed, in lower case`(typed: String, text: String) throws {
        #expect(try Handle(typed: typed).text == text)
    }

    @Test(arguments: [
        "", "a", "@", "__", "ann b", "ann-b", "ann.b", "änn", "аnn", "ann\u{200B}", "ann\n", "../etc", "a/b",
        String(repeating: "a", count: 31), String(repeating: "a", count: 100_000),
    ])
    func `what is no name is refused with the rule`(typed: String) {
        #expect(throws: AccountError.self) { try Handle(typed: typed) }
    }

    @Test(arguments: ["admin", "Signup", "settings", "@moderator", "c", "api"])
    func `names of pages and of those who run a hub are kept back`(typed: String) {
        #expect(throws: AccountError.self) { try Handle(typed: typed) }
    }

    @Test(arguments: [("bill", "bi11"), ("b_ill", "bill"), ("modern", "modem"), ("o0o", "000"), ("vvim", "wim")])
    func `names that look alike have one skeleton`(one: String, other: String) throws {
        #expect(try Handle(typed: one).skeleton == Handle(typed: other).skeleton)
    }

    @Test func `names that differ have different ones`() throws {
        #expect(try Handle(typed: "ann").skeleton != Handle(typed: "anna").skeleton)
        #expect(try Handle(typed: "bob").skeleton != Handle(typed: "bop").skeleton)
    }
}
