import ChirpAccounts
import ChirpCommunity
import ChirpHub
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Reports, decisions, notices and usage in the visitor's language.
@Suite struct ModerationWordsTests {
    private let house: HubHousehold
    private let german: HTTPFields = [.acceptLanguage: "de-AT,de;q=0.9,en;q=0.5"]

    init() throws { house = try HubHousehold() }

    private var cast: HubCast { HubCast(house: house) }

    private func owner<R>(_ client: RouterClient<R>) async throws -> Visitor<R> {
        let owner = Visitor(client)
        _ = try await owner.submit(HubPages(publicURL: "").ownerSignIn(try await house.library.accounts().ownerLink()))
        #expect(owner.has("session"))
        return owner
    }

    /// English texts that must not stand in a German page: those that are another text in German, and no single word.
    private static let english: [String] = {
        let parts = ["moderation.", "report.", "standing.", "notice.", "usage.", "identity."]
        let german = WordList.hub.texts(beginning: parts, .german)
        return WordList.hub.texts(beginning: parts, .english).filter { key, text in
            text != german[key] && text.contains(" ") && !text.contains("{")
        }.map { pair in
            let escaped: HTML = "\(pair.value)"
            return escaped.text
        }
    }()

    private func expectGerman(_ answer: TestResponse, _ path: String, _ text: String) {
        #expect(answer.text.contains("<html lang=\"de\""), "\(path)")
        #expect(answer.text.contains(text), "\(path)")
        for english in Self.english { #expect(!answer.text.contains(english), "\(path): \(english)") }
    }

    @Test func `pages of moderators speak German to who reads it`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
            let post = try await house.library.post(PostDraft(author: ann.id, text: "Hört!", key: "1"))
            try await house.library.report(.post(post.sequence), by: bob.id, for: .abuse, text: "So nicht")
            var held = PostDraft(author: bob.id, text: "Mein erster", key: "2")
            held.isHeld = true
            _ = try await house.library.post(held)
            let boss = try await owner(client)
            let found = try #require(try await house.library.cases(waiting: true, for: house.library.owner.id).first)
            for (path, text) in [
                ("reports", "1 Meldung: Beleidigung oder Hass"), ("queue", "Zeigen: den Beitrag von bob"),
                ("cases", "<h1>Fälle</h1>"), ("cases/\(found.id)", "<h2>Ein Beitrag von <bdi>@ann</bdi></h2>"),
                ("people", "Mitglied, aktiv, seit"), ("domains", "Dieser Hub spricht mit keinen anderen Servern"),
                ("addresses", "Adresse oder Bereich"), ("log", "<h1>Protokoll</h1>"),
                ("registration", "Wer eine Einladung hat"), ("boards", "Die Einstellung hub.boards sagt, welche"),
                ("usage", "<h1>Nutzung</h1>"),
            ] {
                let answer = try await boss.get("/moderation/\(path)", german)
                #expect(answer.status == .ok, "\(path)")
                expectGerman(answer, path, text)
            }
            let wrong = try await boss.submit(
                "/moderation/cases/\(found.id)", [("what", "suspension"), ("days", "99"), ("why", "Zu lang")], german)
            #expect(wrong.status == .unprocessableContent)
            expectGerman(wrong, "decision", "<p>Eine Sperre dauert 1 bis 30 Tage.</p>")
            // Programs read English, whatever they accept.
            let call = try await boss.call(
                .post, "/api/hub/v1/moderation/cases/\(found.id)/decisions",
                #"{"what": "suspension", "days": "99", "why": "x", "state": "open"}"#, german)
            #expect(call.text.contains("A suspension lasts 1 to 30 days"))
        }
    }

    @Test func `what concerns oneself is told in German to who reads it`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
            let browser = try await cast.browser(of: "ann", client)
            let post = try await house.library.post(PostDraft(author: ann.id, text: "Hört!", key: "1"))
            expectGerman(
                try await browser.get("/settings/standing", german), "standing", "Nichts von dir wurde gemeldet")
            try await house.library.report(.post(post.sequence), by: bob.id, for: .spam, text: "Werbung")
            expectGerman(try await browser.get("/settings/standing", german), "standing", "Was sagst du dazu?")
            expectGerman(try await browser.get("/report/people/bob", german), "report", "Du meldest das Konto")
            let own = try await browser.submit(
                "/report/posts/\(post.sequence)", [("reason", "spam"), ("text", "Ich")], german)
            #expect(own.status == .forbidden)
            expectGerman(own, "own", "<p>Das gehört dir selbst.</p>")
            expectGerman(
                try await browser.get("/settings/account/identities", german), "identities", "Du hast ein Passwort.")
            expectGerman(try await browser.get("/signin/back", german), "back", "Nicht angemeldet")
            expectGerman(try await browser.get("/notices", german), "notices", "was und warum")
        }
    }

    @Test func `what programs and pages say of a fault is the same in English`() {
        let words = WordList.hub.texts(beginning: ["moderation.fault."], .english).values
        #expect(words.count == CaseFault.allCases.count)
        for fault in CaseFault.allCases {
            let isThere = words.contains { text in
                ["\(Verdict.longestText)", "\(HubLibrary.mostAddressBans)"].contains {
                    text.replacing("{most}", with: $0) == fault.sentence
                }
            }
            #expect(isThere, "\(fault.sentence)")
        }
    }

    @Test func `problems are explained to people in their language and to programs in English`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let path = "/api/hub/v1/problems/taken"
            let page = try await client.send(.get, path, [.accept: "text/html", .acceptLanguage: "de"])
            #expect(page.text.contains("Diesen Namen hat schon etwas anderes."))
            let document = try await client.send(.get, path, [.accept: "application/json", .acceptLanguage: "de"])
            #expect(document.text.contains("Something else has this name."))
            for kind in [
                "own", "already-reported", "not-active", "right-lost", "involved", "changed-meanwhile", "failed",
            ] {
                let answer = try await client.send(.get, "/api/hub/v1/problems/\(kind)")
                #expect(answer.status == .ok, "\(kind)")
            }
        }
    }

    @Test func `a notice says who answered, with a clip or with words, and the clip is heard there`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
            let browser = try await cast.browser(of: "ann", client)
            let asked = try await house.library.post(PostDraft(author: ann.id, text: "Who is there?", key: "1"))
            let id = try await house.save()
            var spoken = PostDraft(
                author: house.library.owner.id, text: "I am", link: "\(HubHousehold.publicURL)/c/\(id)", key: "2")
            spoken.replyTo = asked.sequence
            _ = try await house.library.post(spoken)
            var written = PostDraft(author: bob.id, text: "Me too", key: "3")
            written.replyTo = asked.sequence
            let answer = try await house.library.post(written)
            // Named in an answer to somebody else.
            var aside = PostDraft(author: house.library.owner.id, text: "Ask @ann", key: "4")
            aside.replyTo = answer.sequence
            _ = try await house.library.post(aside)

            let page = try await browser.get("/notices").text
            #expect(page.contains("answered with a clip: <a href=\"/c/\(id)\" dir=\"auto\">I am</a>"))
            #expect(
                page.contains("<audio controls preload=\"none\" src=\"/media/\(id).mp3\" aria-label=\"Clip by @me\">"))
            #expect(page.contains("@bob</bdi></a> answered: <a href=\"/p/\(answer.id)\" dir=\"auto\">Me too</a>"))
            #expect(page.contains("@me</bdi></a> writes to you: <a"))
            #expect(page.contains("<button>Mark all as read</button>") && page.contains("<time datetime="))
            #expect(try await browser.get("/notices", german).text.contains("hat mit einem Clip geantwortet"))
        }
    }

    @Test func `nobody is offered to report what is her own`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let ann = try await cast.member("ann")
            try await cast.member("bob")
            let post = try await house.library.post(PostDraft(author: ann.id, text: "Hello", key: "1"))
            let (own, other) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            for page in ["/@ann", "/p/\(post.id)"] {
                #expect(try await !own.get(page).text.contains("/report/"), "\(page)")
                #expect(try await other.get(page).text.contains("/report/"), "\(page)")
                #expect(try await Visitor(client).get(page).text.contains("/report/"), "\(page)")
            }
        }
    }

    @Test func `a letter about a decision is in the language of the one who reads it`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let ann = try await cast.member("ann")
            _ = try await Visitor(client).submit(
                "/signin", [("username", "ann"), ("password", HubCast.password)], german)
            let boss = try await owner(client)
            let id = try await house.library.openCase(about: .account(ann.id), by: house.library.owner.id)
            _ = try await boss.submit("/moderation/cases/\(id)", [("what", "warning"), ("why", "Bitte nicht")])
            let folder = house.folder.path("hub/mail")
            let letters = try FileManager.default.contentsOfDirectory(atPath: folder).map {
                Self.body(of: try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8))
            }
            #expect(letters.contains { $0.contains("/settings/standing") && $0.contains("Verwarnung") })
        }
    }

    /// What a letter says, in base 64 where it has other letters than English.
    private static func body(of letter: String) -> String {
        let text = letter.split(separator: "\r\n\r\n", maxSplits: 1).last.map(String.init) ?? ""
        guard letter.contains("Content-Transfer-Encoding: base64\r\n") else { return text }
        return Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { String(decoding: $0, as: UTF8.self) }
            ?? ""
    }
}
