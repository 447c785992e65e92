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

    @Test(arguments: [
        "admin", "Signup", "settings", "@moderator", "c_", "api", "adm1n", "_moderator", "0fficial", "chirp_",
        "supp0rt",
        "abuse", "noreply", "hostmaster", "p0stmaster",
    ])
    func `names of the hub, and those that look like them, are given to nobody`(typed: String) async throws {
        let world = try AccountWorld()
        let handle = try Handle(typed: typed)
        let refused = AccountError.refused(.handle, .handleReserved)
        await #expect(throws: refused) {
            try await world.accounts.signUp(
                handle: handle, mail: MailAddress(typed: "eve@example.org"), password: AccountWorld.password,
                registration: .open)
        }
        let ann = try await world.member("ann")
        await #expect(throws: refused) { try await world.accounts.changeHandle(of: ann.id, to: handle) }
    }

    @Test func `whoever has a name that is kept back now signs in by it`() async throws {
        let world = try AccountWorld()
        let ann = try await world.member("ann")
        try await world.change("UPDATE accounts SET handle = 'abuse', skeleton = 'abuse' WHERE handle = 'ann'")
        let session = try await world.signIn("abuse")
        #expect(session.account == ann.id)
    }

    @Test func `the name of an account that is gone is given to nobody, nor one that looks like it`() async throws {
        let world = try AccountWorld(hasOwner: true)
        let bill = try await world.member("bill")
        _ = try await world.accounts.delete(bill.id)
        for name in ["bill", "bi11"] {
            await #expect(throws: AccountError.refused(.handle, .handleTaken)) {
                try await world.member(name, mail: "eve@example.org")
            }
        }
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
