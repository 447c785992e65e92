import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpTestKit
import Foundation
import HubHousehold
import Testing

/// Letters between the act that writes them and whoever takes them away.
@Suite struct PostmanTests {
    private let house: HubHousehold
    private let accounts: Accounts
    private let post = PostDouble()
    private static let password = Secret("correct horse battery")

    init() throws {
        house = try HubHousehold()
        accounts = house.library.accounts(
            PasswordDesk(cost: HubHousehold.passwordCost),
            key: LetterKey([UInt8](repeating: 7, count: 32)))
    }

    private func postman(_ post: any LetterPost, key: UInt8 = 7) -> Postman {
        let accounts = house.library.accounts(key: LetterKey([UInt8](repeating: key, count: 32)))
        return Postman(
            accounts: accounts, post: post, publicURL: HubHousehold.publicURL, now: { [house] in house.now },
            logger: HubHousehold.logger)
    }

    @discardableResult
    private func signUp(_ name: String) async throws -> AccountLetter {
        let letter = try await accounts.signUp(
            handle: Handle(typed: name), mail: MailAddress(typed: "\(name)@example.org"), password: Self.password,
            registration: .open)
        return try #require(letter)
    }

    private func names() throws -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: house.folder.path("hub/mail"))) ?? []).sorted()
    }

    @Test func `a letter that a killed hub left is sent after the next start, with a link that works`() async throws {
        guard case .confirm(_, let link) = try await signUp("ann") else { throw Unexpected() }
        // Another process, which has the key alone.
        await postman(post).round()
        let letter = try #require(post.letters.first)
        #expect(letter.to == "ann@example.org" && post.letters.count == 1)
        let text = String(decoding: letter.bytes, as: UTF8.self)
        #expect(text.contains(HubPages(publicURL: HubHousehold.publicURL).confirm(link)))
        await postman(post).round()
        #expect(post.letters.count == 1)
    }

    @Test func `the token of a link is nowhere in the hub's folder before the letter is`() async throws {
        guard case .confirm(_, let link) = try await signUp("ann") else { throw Unexpected() }
        let token = Data(link.token.secret.reveal().utf8)
        let folder = house.folder.path("hub")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasPrefix("hub.sqlite") {
            let content = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
            #expect(content.range(of: token) == nil, "\(name)")
        }
    }

    @Test func `a letter that is put into the folder twice is one file`() async throws {
        try await signUp("ann")
        let letters = try await accounts.waitingLetters()
        let folder = LetterFolder(path: house.folder.path("hub/mail"))
        for letter in letters {
            try await folder.send(LetterMessage(letter, publicURL: HubHousehold.publicURL))
        }
        let before = try names()
        house.wait(60)
        await postman(folder).round()
        #expect(before.count == 1)
        #expect(try names() == before)
    }

    @Test func `a letter waits while the post does not work, and each letter is sent once`() async throws {
        try await signUp("ann")
        try await signUp("bob")
        post.failures = [.later("it does not answer")]
        let postman = postman(post)
        await postman.round()
        // The second one was not tried: the fault is not the letter's.
        #expect(post.tries == 1 && post.letters.isEmpty)
        await postman.round()
        #expect(post.tries == 1)
        house.wait(31)
        await postman.round()
        #expect(Set(post.letters.map(\.to)) == ["ann@example.org", "bob@example.org"])
        #expect(post.letters.count == 2)
    }

    @Test func `a letter that is refused is given up, and the others go`() async throws {
        try await signUp("ann")
        try await signUp("bob")
        post.failures = [.refused("550")]
        await postman(post).round()
        #expect(post.letters.map(\.to) == ["bob@example.org"])
        house.wait(24 * 3600)
        await postman(post).round()
        #expect(post.tries == 2)
    }

    @Test func `after three days a letter is given up`() async throws {
        try await signUp("ann")
        await postman(post).round()
        let ann = try #require(try await accounts.account(Handle(typed: "ann")))
        _ = try await accounts.delete(ann.id)
        let sent = post.tries
        post.failures = Array(repeating: .later("it does not answer"), count: 1000)
        for _ in 0..<80 {
            await postman(post).round()
            house.wait(3600)
        }
        let tried = post.tries - sent
        #expect((30...60).contains(tried), "\(tried)")
        house.wait(24 * 3600)
        await postman(post).round()
        #expect(post.tries - sent == tried)
        #expect(try await accounts.nextLetter() == nil)
    }

    @Test func `a letter whose link has ended is dropped`() async throws {
        try await signUp("ann")
        post.failures = [.later("it does not answer")]
        await postman(post).round()
        house.wait(31 * 60)
        await postman(post).round()
        #expect(post.letters.isEmpty && post.tries == 1)
        #expect(try await accounts.nextLetter() == nil)
    }

    @Test func `a hub with another key sends no link that would not work`() async throws {
        try await signUp("ann")
        await postman(post, key: 8).round()
        #expect(post.letters.isEmpty)
    }

    @Test func `who deletes an account still gets the letter that says so`() async throws {
        try await signUp("ann")
        await postman(post).round()
        let ann = try #require(try await accounts.account(Handle(typed: "ann")))
        _ = try await accounts.delete(ann.id)
        await postman(post).round()
        let last = try #require(post.letters.last)
        #expect(String(decoding: last.bytes, as: UTF8.self).contains("Subject: Your account was deleted"))
    }

    @Test func `a request for an address without an account sends no letter, and is over with the next round`()
        async throws
    {
        #expect(try await accounts.requestReset(MailAddress(typed: "eve@example.org")) == nil)
        await postman(post).round()
        #expect(post.tries == 0)
        #expect(try await accounts.nextLetter() == nil)
    }

    @Test func `while a loop sends the letters no act waits for one, so that no answer tells whether there was one`()
        async throws
    {
        try await signUp("ann")
        let post = SlowPost()
        let postman = postman(post)
        let loop = Task { try await postman.run() }
        for await _ in post.began.stream { break }
        await postman.lettersWait()
        #expect(post.tries == 1, "it is still being sent")
        post.gate.continuation.finish()
        loop.cancel()
        _ = await loop.result
    }

    @Test func `a field of a letter cannot become two`() async throws {
        let waiting = WaitingLetter(
            id: "abc", letter: .changed(try MailAddress(typed: "\"a b\"@example.org"), what: "caf\u{E9}\r\n.\r\nQUIT"),
            created: house.now, tries: 0)
        let message = LetterMessage(waiting, publicURL: HubHousehold.publicURL, from: "a@b\r\nBcc: eve@example.org")
        let text = String(decoding: message.bytes, as: UTF8.self)
        #expect(!text.contains("\r\nBcc:") && !text.contains("\r\nQUIT"))
        #expect(text.contains("Content-Transfer-Encoding: base64\r\n\r\n"))
    }

    struct Unexpected: Error {}
}

/// Takes letters, and is done with none before it is told.
private final class SlowPost: LetterPost {
    let isAtHand = true
    let began = AsyncStream<Void>.makeStream()
    let gate = AsyncStream<Void>.makeStream()
    private let count = Mutexed(0)
    var tries: Int { count.value }

    func send(_ message: LetterMessage) async throws(PostFailure) {
        count.change { $0 += 1 }
        began.continuation.yield()
        for await _ in gate.stream { break }
    }
}

/// Takes letters, and fails as told.
private final class PostDouble: LetterPost {
    private let state = Mutexed((letters: [LetterMessage](), failures: [PostFailure](), tries: 0))
    let isAtHand = false

    var letters: [LetterMessage] { state.value.letters }
    var tries: Int { state.value.tries }
    var failures: [PostFailure] {
        get { state.value.failures }
        set { state.change { $0.failures = newValue } }
    }

    func send(_ message: LetterMessage) async throws(PostFailure) {
        var failure: PostFailure?
        state.change {
            $0.tries += 1
            failure = $0.failures.isEmpty ? nil : $0.failures.removeFirst()
            if failure == nil { $0.letters.append(message) }
        }
        if let failure { throw failure }
    }
}
