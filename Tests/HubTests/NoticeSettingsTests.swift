import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Of what people want to be told, and the pages of the settings.
@Suite struct NoticeSettingsTests {
    private let house: HubHousehold
    private let cast: HubCast

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    /// The kinds of the letters that wait for somebody.
    private func letters(to mail: String) async throws -> [String] {
        try await cast.accounts.waitingLetters().filter { $0.letter.recipient.text == mail }.map { $0.letter.kind }
    }

    @Test(arguments: [
        "profile", "account", "sessions", "tokens", "notices", "push", "privacy", "export", "delete",
    ])
    func `each page of the settings has a heading and a way back, and the first one leads to it`(
        name: String
    ) async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            try await cast.member("ann")
            let ann = try await cast.browser(of: "ann", client)
            let page = try await ann.get("/settings/\(name)")
            #expect(page.status == .ok && page.text.matches(of: /<h1>/).count == 1)
            #expect(page.text.contains("href=\"/settings\">Back</a>"))
            #expect(
                page.text.matches(of: /role="status"/).count == 1 && page.text.matches(of: /role="alert"/).count == 1)
            #expect(try await ann.get("/settings").text.contains("href=\"/settings/\(name)\""))
        }
    }

    @Test func `frames and what is kept on the device are on the page of the settings`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            try await cast.member("ann")
            let page = try await cast.browser(of: "ann", client).get("/settings").text
            #expect(page.contains("/settings/frames\">Frames</a>"))
            #expect(page.contains("/settings/offline\">Kept on this device</a>"))
        }
    }

    @Test func `what somebody does not want to hear of is not told, and what comes by mail is written`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        let mail = "ann@example.org"
        let before = try await letters(to: mail).count
        try await house.application(cast.settings()).application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            let page = try await browser.get("/settings/notices").text
            #expect(page.contains("id=\"follow-page\" name=\"follow-page\" type=\"checkbox\" value=\"on\" checked"))
            #expect(page.contains("id=\"follow-mail\" name=\"follow-mail\" type=\"checkbox\" value=\"on\">"))
            // Mentions both ways, follows nowhere, likes by mail alone.
            let answer = try await browser.submit(
                "/settings/notices",
                [
                    ("mention-page", "on"), ("mention-mail", "on"), ("follow-push", "on"), ("favourite-mail", "on"),
                    ("moderation-page", "on"),
                ])
            #expect(answer.status == .seeOther && answer.location == "/settings/notices?saved=1")
            #expect(try await browser.get("/settings/notices?saved=1").text.contains("Saved"))
        }
        let choices = try await house.library.noticeChoices(of: ann.id)
        #expect(choices[.mention] == NoticeChoice(onPage: true, byMail: true, byPush: false))
        #expect(choices[.follow] == NoticeChoice(onPage: false, byMail: false, byPush: true))
        #expect(choices[.favourite] == NoticeChoice(onPage: false, byMail: true, byPush: false))

        try await house.library.follow(ann.id, by: bob.id)
        let told = house.library.seen(by: .member(ann.id))
        #expect(try await told.notices(limit: 10).isEmpty)
        #expect(try await letters(to: mail).count == before)

        _ = try await house.library.post(PostDraft(author: bob.id, text: "For @ann", key: "1"))
        #expect(try await told.notices(limit: 10).map(\.kind) == [.mention])
        #expect(try await letters(to: mail).count == before + 1)

        let own = try await house.library.post(PostDraft(author: ann.id, text: "My own", key: "2"))
        try await house.library.mark(own, .favourite, by: bob.id)
        // Once for its cause, however often it happens.
        try await house.library.unmark(own.sequence, .favourite, by: bob.id)
        try await house.library.mark(own, .favourite, by: bob.id)
        #expect(try await told.notices(limit: 10).count == 1)
        let written = try await cast.accounts.waitingLetters().filter { $0.letter.recipient.text == mail }
        #expect(written.count == before + 2)
        let letter = try #require(written.last)
        let text = String(
            decoding: LetterMessage(letter, publicURL: HubHousehold.publicURL).bytes, as: UTF8.self)
        #expect(text.contains("Subject: @bob likes a post of yours") && text.contains("/settings/notices"))
    }

    @Test func `strangers cannot fill a mailbox, and what waits for a moderator's look is not mailed`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        try await house.library.choose([.mention: NoticeChoice(onPage: true, byMail: true)], of: ann.id)
        let before = try await letters(to: "ann@example.org").count
        var held = PostDraft(author: bob.id, text: "For @ann", key: "held")
        held.isHeld = true
        _ = try await house.library.post(held)
        #expect(try await letters(to: "ann@example.org").count == before)
        for number in 0..<(Accounts.mostNoticeLetters + 5) {
            _ = try await house.library.post(PostDraft(author: bob.id, text: "For @ann", key: "\(number)"))
        }
        #expect(try await letters(to: "ann@example.org").count == before + Accounts.mostNoticeLetters)
    }

    @Test func `a letter about a notice leaves though nobody rings for it`() async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        try await house.library.choose([.follow: NoticeChoice(onPage: false, byMail: true)], of: ann.id)
        let (sent, add) = AsyncStream<String>.makeStream()
        let postman = Postman(
            accounts: cast.accounts, post: TellingPost(add: add), publicURL: HubHousehold.publicURL,
            now: { [house] in house.now }, logger: HubHousehold.logger)
        let letter = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await postman.run() }
            try await house.library.follow(ann.id, by: bob.id)
            defer { group.cancelAll() }
            return await sent.first { _ in true }
        }
        #expect(letter == "ann@example.org")
    }

    @Test func `the choices go with the account`() async throws {
        let ann = try await cast.member("ann")
        try await house.library.choose([.follow: NoticeChoice(onPage: false, byMail: false)], of: ann.id)
        _ = try await cast.accounts.delete(ann.id)
        #expect(try await house.library.noticeChoices(of: ann.id)[.follow] == .usual(.follow))
    }
}

/// Takes letters and says to whom they go.
private struct TellingPost: LetterPost {
    let add: AsyncStream<String>.Continuation
    let isAtHand = false

    func send(_ message: LetterMessage) async throws(PostFailure) { add.yield(message.to) }
}
