import ChirpAccounts
import ChirpCommunity
import ChirpHub
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Reports, disputes and decisions about what boards list, and notices of it, as people without script meet them and as programs do.
@Suite struct ItemModerationTests {
    private let house: HubHousehold
    private let german: HTTPFields = [.acceptLanguage: "de"]

    init() throws { house = try HubHousehold() }

    private var cast: HubCast { HubCast(house: house) }
    private var library: HubLibrary { house.library }

    private func item(by author: AccountID, _ title: String = "A red bicycle") async throws -> HubID {
        try await library.createItem(
            ItemDraft(
                board: "lost-and-found", kind: "found", author: author, key: HubID().text, title: title,
                text: "It stood <there>", category: "bicycles"))
    }

    private func picture(of owner: AccountID) async throws -> HubID {
        let id = HubID()
        try await house.change(
            """
            INSERT INTO pictures (id, owner, state, bytes, sha256, width, height, print, quality, created)
            VALUES ('\(id)', '\(owner)', 'ready', 1, '', 1, 1, '', 0, 1)
            """)
        return id
    }

    private func show(_ picture: HubID, in item: HubID) async throws {
        try await house.change(
            """
            INSERT INTO itemPictures (item, picture, position)
            SELECT sequence, '\(picture)', 0 FROM items WHERE id = '\(item)'
            """)
    }

    private func isHidden(_ item: HubID) async throws -> Bool {
        try await library.item(item, for: library.owner.id).0.isHidden
    }

    /// Ann, who lists, Bob, who reports, and Mia, who moderates.
    private func people<R>(_ client: RouterClient<R>) async throws -> (
        ann: Visitor<R>, bob: Visitor<R>, mia: Visitor<R>
    ) {
        for name in ["ann", "bob", "mia"] { try await cast.member(name) }
        try await library.setRole(of: try await id("mia"), to: .moderator, by: library.owner.id)
        return (
            try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client),
            try await cast.browser(of: "mia", client)
        )
    }

    private func id(_ handle: String) async throws -> AccountID {
        try #require(try await library.seen(by: .visitor).person(named: handle)).id
    }

    @Test func `one report hides an item, its author answers with one press, a moderator sees all of it and decides`()
        async throws
    {
        try await house.application(cast.settings()).application().test(.router) { client in
            let (ann, bob, mia) = try await people(client)
            let item = try await item(by: try await id("ann"))
            let photo = try await picture(of: try await id("ann"))
            try await show(photo, in: item)
            let form = "/report/items/\(item)"
            let page = try await bob.get("\(form)?reason=danger").text
            #expect(page.contains("value=\"danger\" selected") && page.contains("value=\"ownership\""))
            #expect(page.contains("<a href=\"/lost-and-found/\(item)\" dir=\"auto\">A red bicycle</a>"))
            let empty = try await bob.submit(form, [("reason", "danger"), ("text", " ")])
            #expect(empty.status == .unprocessableContent && empty.text.contains("value=\"danger\" selected"))
            #expect(try await bob.submit(form, [("reason", "danger"), ("text", "It is a trap")]).status == .ok)
            #expect(try await isHidden(item))
            #expect(try await bob.submit(form, [("reason", "danger"), ("text", "Again")]).status == .conflict)

            let notices = try await ann.get("/notices").text
            #expect(notices.contains("A red bicycle") && notices.contains("/settings/standing"))
            let standing = try await ann.get("/settings/standing").text
            #expect(standing.contains("A red bicycle") && !standing.contains("trap") && !standing.contains("@bob"))
            let waiting = try #require(try await library.cases(waiting: true, for: library.owner.id).first)
            // The hidden words of the form are the answer.
            let pressed = try await ann.submit("/settings/standing", to: "/settings/standing/\(waiting.id)/answer")
            #expect(pressed.location == "/settings/standing")

            let shown = try await mia.get("/moderation/cases/\(waiting.id)").text
            #expect(shown.contains("It stood &lt;there&gt;") && shown.contains("It is a trap"))
            #expect(shown.contains("<a href=\"/lost-and-found/\(item)\" dir=\"auto\">A red bicycle</a>"))
            #expect(shown.contains("/pictures/\(photo)-small.jpg") && shown.contains("It is right as it is"))
            for step in ["restore", "freeze", "hide"] { #expect(shown.contains("<option value=\"\(step)\"")) }
            let decided = try await mia.submit(
                "/moderation/cases/\(waiting.id)", [("what", "warning"), ("hide", "yes"), ("why", "No traps, please")])
            #expect(decided.status == .seeOther)
            #expect(try await isHidden(item))
            #expect(try await bob.get(form).status == .notFound)
            #expect(try await ann.get("/settings/standing").text.contains("No traps, please"))
            let told = try await ann.get("/notices").text
            #expect(told.contains("A red bicycle</a>: <strong>Warning</strong>") && told.contains("No traps, please"))
        }
    }

    @Test func `who says that an item is hers freezes it, and both sides read what was decided`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let (ann, bob, mia) = try await people(client)
            let item = try await item(by: try await id("ann"))
            let form = "/report/items/\(item)"
            let proof = try await picture(of: try await id("bob"))
            let empty = try await bob.submit(
                "\(form)?reason=ownership", to: form, [("reason", "ownership"), ("text", "")])
            #expect(empty.status == .unprocessableContent && empty.text.contains("Say what shows that it is yours"))
            let sent = try await bob.submit(
                form, [("reason", "ownership"), ("text", "Number 4711"), ("picture", proof.text)])
            #expect(sent.status == .ok)
            let summary = try await library.item(item, for: library.owner.id).0
            #expect(summary.isFrozen && !summary.isHidden)
            let own = try await ann.get("/settings/standing").text
            #expect(own.contains("you can neither change it nor withdraw it") && !own.contains("4711"))
            #expect(try await bob.get("/settings/standing").text.contains("You say that this is yours."))
            let waiting = try #require(try await library.cases(waiting: true, for: library.owner.id).first)
            #expect(try await mia.get("/moderation/reports").text.contains("Whose is"))
            let page = try await mia.get("/moderation/cases/\(waiting.id)").text
            #expect(page.contains("Number 4711") && page.contains("/pictures/\(proof)-small.jpg"))
            #expect(page.contains("has listed it. It is theirs, say:") && page.contains("@bob"))
            // What is in dispute is hidden only when somebody says so.
            #expect(page.contains("name=\"hide\" value=\"yes\"> "))
            let decided = try await mia.submit(
                "/moderation/cases/\(waiting.id)", [("what", "show"), ("why", "Another number")])
            #expect(decided.status == .seeOther)
            #expect(try await !library.item(item, for: library.owner.id).0.isFrozen)
            for side in [ann, bob] {
                let standing = try await side.get("/settings/standing").text
                #expect(standing.contains("Another number") && !standing.contains("/appeal"))
            }
            #expect(try await bob.get("/notices").text.contains("/settings/standing"))
            #expect(try await bob.get("/notices").text.contains("what you say is yours: <strong>Nothing is wrong"))
        }
    }

    @Test func `programs report, are told how long to wait, and moderators' read and decide`() async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let (_, bob, mia) = try await people(client)
            let ann = try await id("ann")
            let items = [try await item(by: ann), try await item(by: ann, "A key")]
            func path(_ item: HubID) -> String { "/api/hub/v1/items/\(item)/reports" }
            let none = try await bob.call(.post, path(items[0]), #"{"reason": "nonsense", "text": "x"}"#)
            #expect(none.status == .unprocessableContent)
            let odd = try await bob.call(.post, path(items[0]), #"{"reason": "spam", "picture": "../x"}"#)
            #expect(odd.status == .unprocessableContent && odd.text.contains("There is no such picture of yours"))
            let proof = try await picture(of: try await id("bob"))
            let done = try await bob.call(
                .post, path(items[0]), #"{"reason": "ownership", "text": "Mine", "picture": "\#(proof)"}"#)
            #expect(done.status == .ok && done.text.contains("\"hides\":false,\"freezes\":true"))
            house.wait(60)
            let often = try await bob.call(.post, path(items[1]), #"{"reason": "spam", "text": "x"}"#)
            #expect(often.status == .tooManyRequests && often.headers[.retryAfter] == "240")
            #expect(try await bob.call(.post, path(HubID()), #"{"reason": "spam", "text": "x"}"#).status == .notFound)
            #expect(try await Visitor(client).get("/report/items/\(items[1])").status == .seeOther)

            let id = try #require(try done.facts["id"] as? String)
            let text = try await mia.get("/api/hub/v1/moderation/cases/\(id)").text
            #expect(text.contains("\"item\":\"\(items[0])\"") && text.contains("\"claim\":true"))
            #expect(text.contains("/pictures/\(proof)-large.jpg") && text.contains("\"title\":\"A red bicycle\""))
            #expect(text.contains("\"frozen\":true"))
            let standing = try await bob.get("/api/hub/v1/moderation/standing").text
            #expect(standing.contains("\"claim\":true") && !standing.contains("\"Mine\""))
            let freeze = try await mia.call(
                .post, "/api/hub/v1/moderation/cases/\(id)/decisions",
                #"{"what": "freeze", "why": "Unclear", "state": "open"}"#)
            #expect(freeze.status == .ok)
            // What nobody has reported.
            let page = "/moderation/items/\(items[1])"
            #expect(try await bob.get(page).status == .forbidden)
            #expect(try await mia.get(page).text.contains("A key"))
            let opened = try await mia.submit(page, to: "\(page)/case")
            let same = try await mia.call(.post, "/api/hub/v1/moderation/items/\(items[1])/case")
            let known = try #require(try same.facts["id"] as? String)
            #expect(opened.location == "/moderation/cases/\(known)")
            #expect(try await mia.get("/moderation/items/\(HubID())").status == .notFound)
        }
    }

    @Test func `notices about items have their words and choices, and Mastodon's programs are told of none`()
        async throws
    {
        try await house.application(cast.settings()).application().test(.router) { client in
            let (ann, _, _) = try await people(client)
            let (account, bob) = (try await id("ann"), try await id("bob"))
            let item = try await item(by: account)
            let kinds: [Notice.Kind] = [.claim, .match, .alert, .ending, .listing]
            try await library.transact { database in
                for kind in kinds {
                    try Notice.add(
                        Notice.Draft(account: account, kind: kind, actor: kind == .claim ? bob : nil, item: item),
                        at: 1, in: database)
                }
            }
            let page = try await ann.get("/notices").text
            let way = "<a href=\"/lost-and-found/\(item)\" dir=\"auto\">A red bicycle</a>"
            for words in [
                "answers \(way)", "This may belong to a listing of yours: \(way)",
                "New among what you look out for: \(way)", "This ends soon, and you can renew it: \(way)",
                "There is news of \(way)",
            ] { #expect(page.contains(words), "\(words)") }
            #expect(try await ann.get("/notices", german).text.contains("Das endet bald"))
            for path in ["/api/v1/notifications", "/api/v1/notifications?types%5B%5D=claim&types%5B%5D=match"] {
                #expect(try await ann.get(path).text == "[]", "\(path)")
            }
            let settings = try await ann.get("/settings/notices").text
            for kind in kinds { #expect(settings.contains("name=\"\(kind.rawValue)-page\"")) }
            // Three of them come by mail unless somebody says otherwise: claims, ends, decisions.
            #expect(settings.contains("name=\"ending-mail\" type=\"checkbox\" value=\"on\" checked"))
            let letters = try await cast.accounts.waitingLetters().filter { $0.letter.kind == "noticed" }
            #expect(letters.count == 2)
        }
    }
}
