import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpNumbers
import Foundation
import HubHousehold
import Testing

/// What new accounts may post, who may sign up, and who may not.
@Suite struct PostingTests {
    private func draft(_ author: AccountID, _ key: String) -> PostDraft {
        PostDraft(author: author, text: "Listen", key: key)
    }

    private func refusal(_ body: () async throws(PostingRefusal) -> Void) async -> PostingRefusal? {
        do throws(PostingRefusal) {
            try await body()
            return nil
        } catch { return error }
    }

    @Test func `a new account posts ten times a day, also when it removes what it has posted`() async throws {
        let world = try await CaseWorld()
        let eve = try await world.person("eve")
        for number in 1...10 {
            world.house.wait(60)
            let post = try await world.library.post(draft(eve, "\(number)"), under: PostingPolicy())
            if number.isMultiple(of: 2) { _ = try await world.library.removePost(post.sequence, by: eve) }
        }
        let rule = try await world.library.postingRule(for: eve, PostingPolicy())
        #expect(rule == .tooMany(retryAfter: 24 * 3600 - 540))
        let refused = await refusal { () async throws(PostingRefusal) in
            _ = try await world.library.post(draft(eve, "11"), under: PostingPolicy())
        }
        #expect(refused == .tooOften(seconds: 24 * 3600 - 540))
        // The same once more is no other post.
        _ = try await world.library.post(draft(eve, "1"), under: PostingPolicy())
        #expect(try await world.library.postingRule(for: eve, PostingPolicy(scale: 2)) == .allowed)
        world.house.wait(24 * 3600 - 540)
        _ = try await world.library.post(draft(eve, "11"), under: PostingPolicy())
        // Who is known, and who moderates, is not counted.
        for number in 1...11 {
            _ = try await world.library.post(draft(world.mia, "m\(number)"), under: PostingPolicy())
        }
        world.house.wait(7 * 24 * 3600)
        for number in 1...11 { _ = try await world.library.post(draft(eve, "later \(number)"), under: PostingPolicy()) }
    }

    @Test func `what the hub writes in a member's name is for those who are listed, and what it quotes for nobody`()
        async throws
    {
        let world = try await CaseWorld()
        let (eve, bob) = (try await world.person("eve"), world.bob)
        let library = world.library
        let draft = PostDraft(author: world.mia, text: "@eve and @bob", key: "1")
        _ = try await library.transact { try library.announce(draft, to: [bob], in: $0) }
        func isTold(_ person: AccountID) async throws -> Bool {
            try await library.seen(by: .member(person)).notices(limit: 10).contains { $0.kind == .mention }
        }
        #expect(try await isTold(bob))
        #expect(try await !isTold(eve))
        for text in [
            "@eve", "(@eve) #a", "a:#b_c", "https://a.example/#c", "see:http://a.example", "_#d@eve", "¡@eve", "«#e",
        ] {
            let quoted = PostText.quoted(text)
            #expect(PostText.mentions(in: quoted).isEmpty, "\(text)")
            #expect(PostText.parts(of: quoted) == [.words(quoted)], "\(text)")
            #expect(quoted.replacing("\u{2060}", with: "") == text)
        }
        #expect(PostText.quoted("ann@example.org, C#") == "ann@example.org, C#")
    }

    @Test func `who is known posts three hundred times an hour, also by removing them, and no more`() async throws {
        let world = try await CaseWorld()
        let (eve, library, policy) = (try await world.person("eve"), world.library, PostingPolicy())
        world.house.wait(8 * 24 * 3600)
        for number in 1...300 {
            let post = try await library.post(draft(eve, "\(number)"), under: policy)
            if number.isMultiple(of: 3) { _ = try await library.removePost(post.sequence, by: eve) }
            if number == 1 { world.house.wait(600) }
        }
        #expect(try await library.postingRule(for: eve, policy) == .tooMany(retryAfter: 3000))
        let refused = await refusal { () async throws(PostingRefusal) in
            _ = try await library.post(draft(eve, "301"), under: policy)
        }
        #expect(refused == .tooOften(seconds: 3000))
        #expect(try await library.postingRule(for: eve, PostingPolicy(scale: 2)) == .allowed)
        // Another member and who moderates post meanwhile.
        _ = try await library.post(draft(world.ann, "1"), under: policy)
        _ = try await library.post(draft(world.mia, "1"), under: policy)
        world.house.wait(3000)
        _ = try await library.post(draft(eve, "301"), under: policy)
    }

    @Test func `of twenty at once ten get through`() async throws {
        let world = try await CaseWorld()
        let eve = try await world.person("eve")
        let library = world.library
        let posted = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<20 {
                let draft = draft(eve, "\(number)")
                group.addTask { (try? await library.post(draft, under: PostingPolicy())) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(posted == 10)
    }

    @Test func `a post that is shown stands at the end of the feed with all that refers to it`() async throws {
        let world = try await CaseWorld()
        let (library, policy) = (world.library, PostingPolicy(heldFirst: 1))
        var first = draft(world.ann, "1")
        first.text = "#waiting for @bob"
        let held = try await library.post(first, under: policy)
        var answer = draft(world.ann, "and more")
        answer.replyTo = held.sequence
        let below = try await library.post(answer, under: policy)
        let mine = library.seen(by: .member(world.ann))
        try await library.mark(held, .bookmark, by: world.ann)
        let other = try await library.post(draft(world.mia, "meanwhile"), under: policy)
        let before = try await library.lastNotice()

        let place = try await library.admit(held.sequence, shows: true, by: world.mia, why: "Looked at")
        #expect(place > other.sequence)
        // Its author's programs know it by the place it had.
        for known in [held.sequence, place] {
            #expect(try await mine.post(known)?.sequence == place)
            #expect(try await library.seen(by: .visitor).post(known)?.id == held.id)
        }
        #expect(try await mine.post(below.sequence)?.replyTo == place)
        #expect(try await mine.posts(.marked(.bookmark), limit: 10).map(\.id) == [held.id])
        #expect(try await library.seen(by: .visitor).posts(.tagged("waiting"), limit: 10).map(\.id) == [held.id])
        let notice = try #require(
            try await library.seen(by: .member(world.bob)).notices(after: PageCursor(before), limit: 10).first)
        #expect(notice.kind == .mention && notice.post == place)
        // The same draft again is the same post.
        #expect(try await library.post(first, under: policy).id == held.id)
        // A later post has a place of its own.
        #expect(try await library.post(draft(world.mia, "later"), under: policy).sequence > place)
        try await library.removePost(held.id)
        #expect(try await mine.post(held.sequence) == nil)
    }

    @Test func `first posts wait for a look, letters do not, and later ones go through`() async throws {
        let world = try await CaseWorld()
        let policy = PostingPolicy(heldFirst: 1)
        let first = try await world.library.post(draft(world.ann, "1"), under: policy)
        let second = try await world.library.post(draft(world.ann, "2"), under: policy)
        #expect(first.isWithheld && second.isWithheld)
        var letter = draft(world.ann, "3")
        letter.visibility = .direct
        #expect(try await !world.library.post(letter, under: policy).isWithheld)
        #expect(try await !world.isSeen(first.sequence))
        #expect(try await world.library.heldPosts(for: world.mia).map(\.id) == [first.id, second.id])

        try await world.library.admit(first.sequence, shows: true, by: world.mia, why: "Looked at")
        try await world.library.admit(second.sequence, shows: false, by: world.mia, why: "Advertising")
        #expect(try await world.isSeen(first.sequence))
        #expect(try await !world.isSeen(second.sequence))
        let again = await world.refusal { () async throws(CaseError) in
            try await world.library.admit(second.sequence, shows: true, by: world.max, why: "Fine")
        }
        #expect(again == .changedMeanwhile)
        #expect(try await !world.library.post(draft(world.ann, "4"), under: policy).isWithheld)
        // What was hidden can be appealed against.
        let own = try #require(try await world.library.standing(of: world.ann).first { $0.canBeAppealed })
        try await world.library.appeal(own.id, by: world.ann, text: "It is my own song")
        try await world.library.decide(own.id, Verdict(.show, why: "So it is"), by: world.max, from: .appealed)
        #expect(try await world.isSeen(second.sequence))
        // Nobody lets herself in, and members look at nothing.
        #expect(try await !world.library.post(draft(world.mia, "m"), under: policy).isWithheld)
        let member = await world.refusal { () async throws(CaseError) in
            _ = try await world.library.heldPosts(for: world.bob)
        }
        #expect(member == .notAllowed)
    }

    @Test func `who is suspended does not post, whatever the request was when it came`() async throws {
        let world = try await CaseWorld()
        let id = try await world.library.openCase(about: .account(world.ann), by: world.mia)
        try await world.library.decide(id, Verdict(.suspension, days: 1, why: "a pause"), by: world.mia, from: .open)
        let refused = await refusal { () async throws(PostingRefusal) in
            _ = try await world.library.post(draft(world.ann, "1"), under: PostingPolicy())
        }
        #expect(refused == .notActive)
        world.house.wait(24 * 3600)
        _ = try await world.library.post(draft(world.ann, "1"), under: PostingPolicy())
    }

    @Test func `an open hub closes when no moderator was there for 14 days, and opens when one is back`() async throws {
        let world = try await CaseWorld()
        let library = world.library
        #expect(try await library.registration(configured: .invite).now == .invite)
        try await library.setRegistration(.open, by: world.owner)
        let member = await world.refusal { () async throws(CaseError) in
            try await library.setRegistration(.closed, by: world.mia)
        }
        #expect(member == .notAllowed)
        #expect(try await library.registration(configured: .closed).now == .open)
        let session = try await world.accounts.signIn(name: "mia", password: CaseWorld.password, agent: "")
        world.house.wait(10 * 24 * 3600)
        try await world.accounts.visit(session.token)
        world.house.wait(10 * 24 * 3600)
        #expect(try await library.registration(configured: .closed).now == .open)
        world.house.wait(4 * 24 * 3600)
        let closed = try await library.registration(configured: .closed)
        #expect(closed.now == .closed && closed.chosen == .open && closed.isUnattended)
        // A member is nobody's moderator.
        _ = try await world.accounts.signIn(name: "ann", password: CaseWorld.password, agent: "")
        #expect(try await library.registration(configured: .closed).now == .closed)
        _ = try await world.accounts.signIn(name: "max", password: CaseWorld.password, agent: "")
        #expect(try await library.registration(configured: .closed).now == .open)
    }

    @Test func `a banned mail address signs up like any other, and gets no account and no letter`() async throws {
        let world = try await CaseWorld()
        let id = try await world.library.openCase(about: .account(world.ann), by: world.mia)
        try await world.library.decide(id, Verdict(.ban, why: "enough"), by: world.mia, from: .open)
        _ = try await world.accounts.delete(world.ann)
        func signUp(_ mail: String) async throws -> AccountLetter? {
            try await world.accounts.signUp(
                handle: Handle(typed: "annie"), mail: MailAddress(typed: mail), password: CaseWorld.password,
                registration: .open)
        }
        #expect(try await signUp("Ann@Example.org") == nil)
        #expect(try await world.accounts.account(Handle(typed: "annie")) == nil)
        #expect(try await signUp("other@example.org") != nil)
    }

    @Test(arguments: [
        ("ann@example.org", ["ann@example.org", "ANN@example.org", "ann+1@example.org", "\"ann\"@example.org"]),
        ("ann+1@example.org", ["ann@example.org", "ann+2@example.org"]),
        ("ann.smith@gmail.com", ["annsmith@gmail.com", "a.n.n.smith+1@googlemail.com"]),
    ])
    func `a ban holds for the mailbox, by whatever address`(banned: String, others: [String]) async throws {
        let world = try await CaseWorld()
        try await world.house.change("UPDATE accounts SET mail = '\(banned)' WHERE id = '\(world.ann.rawValue)'")
        let id = try await world.library.openCase(about: .account(world.ann), by: world.mia)
        try await world.library.decide(id, Verdict(.ban, why: "enough"), by: world.mia, from: .open)
        _ = try await world.accounts.delete(world.ann)
        for mail in others { #expect(try await signUp(mail, world) == nil, "\(mail)") }
        #expect(try await signUp("bann@example.org", world) != nil)
    }

    @Test func `a ban of a release before holds for the address that it was by, and no other of its mailbox`()
        async throws
    {
        let world = try await CaseWorld()
        // SHA-256 of "banned mail:eve+1@example.org".
        let digest = "eb0ea038533a4212199cfff160b8e92c80ba53f5e56ea1db3e01b6a2364266c3"
        try await world.house.change("INSERT INTO bannedMails (hash) VALUES (x'\(digest)')")
        #expect(try await signUp("Eve+1@example.org", world) == nil)
        #expect(try await signUp("eve@example.org", world) != nil)
    }

    private func signUp(_ mail: String, _ world: CaseWorld) async throws -> AccountLetter? {
        try await world.accounts.signUp(
            handle: Handle(typed: "annie"), mail: MailAddress(typed: mail), password: CaseWorld.password,
            registration: .open)
    }

    @Test(
        arguments: [
            ("192.0.2.0/24", "192.0.2.0/24"), ("192.0.2.77/24", "192.0.2.0/24"), ("192.0.2.1", "192.0.2.1"),
            ("2001:DB8:0::1/32", "2001:db8::/32"), ("::ffff:192.0.2.1", "192.0.2.1"),
            ("10.255.0.0/9", "10.128.0.0/9"),
            ("0.0.0.0/0", nil), ("::/0", nil), ("192.0.2.0/33", nil), ("192.0.2.0/-1", nil), ("192.0.2.0/ 24", nil),
            ("192.0.2", nil), ("", nil), ("/8", nil), ("a", nil), ("192.0.2.0/24/8", nil), ("1.2.3.4\u{0}", nil),
        ] as [(String, String?)])
    func `blocks of addresses`(text: String, kept: String?) {
        #expect(AddressBlock(text)?.description == kept)
    }

    @Test func `nobody signs up from a banned block, until it is free again or the time is over`() async throws {
        let world = try await CaseWorld()
        let library = world.library
        let block = try #require(AddressBlock("192.0.2.0/24"))
        try await library.ban(block, days: 2, why: "Waves of accounts", by: world.mia)
        for (address, isBanned) in [
            ("192.0.2.1", true), ("192.0.3.1", false), ("::ffff:192.0.2.9", true), ("2001:db8::1", false), ("", false),
        ] {
            #expect(try await library.isBanned(address: address) == isBanned)
        }
        #expect(try await library.addressBans(for: world.max).map(\.prefix) == ["192.0.2.0/24"])
        world.house.wait(2 * 24 * 3600)
        #expect(try await !library.isBanned(address: "192.0.2.1"))
        try await library.ban(block, days: nil, why: "Again", by: world.mia)
        try await library.free(block, by: world.max)
        #expect(try await !library.isBanned(address: "192.0.2.1"))
    }
}
