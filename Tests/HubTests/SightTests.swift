import ChirpAccounts
import ChirpCommunity
import ChirpHub
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// What somebody may not see is shown at no address: each cell of the tables in `Docs/rights.md`.
@Suite struct SightTests {
    private typealias Role = SightTable.Role
    private let scene: SightScene
    private var house: HubHousehold { scene.house }

    init() throws { scene = try SightScene() }

    @Test func `a clip is shown, by each of its addresses, to those who may see it`() async throws {
        let ann = try await scene.people()
        let closing = try await scene.author("cleo")
        let facts = [
            "public": try await scene.clip("public", by: ann),
            "unlisted": try await scene.clip("unlisted", by: ann, .unlisted),
            "followers": try await scene.clip("followers", by: ann, .followers),
            "direct": try await scene.clip("direct", by: ann, .direct),
            "held": try await scene.clip("held", by: ann, isHeld: true),
            "hidden": try await scene.clip("hidden", by: ann),
            "closed": try await scene.clip("closed", by: closing),
            "deleted": try await scene.clip("deleted", by: ann),
        ]
        var feeds: [Role: String] = [:]
        for role in [.author, .follower, .addressed, .member, .blocked] as [Role] {
            feeds[role] = try await scene.feed(of: try await scene.account(role).id)
        }
        let cookies = try await scene.cookies()
        let closedCookie = try await scene.cookie(of: "cleo")
        try await house.change(
            """
            UPDATE posts SET state = 'hidden' WHERE id = '\(try #require(facts["hidden"]?["post"]))';
            UPDATE accounts SET state = 'closed' WHERE handle = 'cleo';
            """)
        try await house.library.remove(try #require(facts["deleted"]?["clip"].flatMap { HubID($0) }))
        try await scene.application().test(.router) { client in
            var driver = SightDriver(client, .clips, facts: facts, feeds: feeds) { thing, role in
                thing.name == "closed" && role == .author ? closedCookie : cookies[role]
            }
            let cells = try await driver.drive()
            #expect(cells == SightTable.clips.cells)
            print("clips: \(SightTable.clips.cells) cells, \(driver.requests) requests")
        }
    }

    @Test func `a person is shown, at each of their addresses, to those who may see them`() async throws {
        _ = try await scene.people()
        var facts: [String: [String: String]] = [:]
        var own: [String: String] = [:]
        for (name, handle) in [
            ("active", "adaada"), ("suspended", "suesue"), ("unconfirmed", "unauna"), ("closed", "cleocleo"),
        ] {
            let person = try await scene.author(handle, isConfirmed: name != "unconfirmed")
            try await scene.cast.accounts.setPortrait(of: person.id, to: [0xFF, 0xD8, 0xFF])
            own[name] = try await scene.cookie(of: handle)
            facts[name] = try await scene.facts(of: person)
            // Searches show what was typed again, so a name is looked for that is not the handle.
            facts[name]?["word"] = SightScene.word(name)
            try await house.change(
                "UPDATE accounts SET name = '\(SightScene.word(name))' WHERE handle = '\(handle)'")
        }
        try await house.change(
            """
            UPDATE accounts SET state = 'suspended' WHERE handle = 'suesue';
            UPDATE accounts SET state = 'closed' WHERE handle = 'cleocleo';
            """)
        let cookies = try await scene.cookies()
        try await scene.application().test(.router) { [facts, own] client in
            var driver = SightDriver(client, .people, facts: facts) { thing, role in
                role == .author ? own[thing.name] : cookies[role]
            }
            let cells = try await driver.drive()
            #expect(cells == SightTable.people.cells)
            print("people: \(SightTable.people.cells) cells, \(driver.requests) requests")
        }
    }

    @Test func `what was sent with an attempt is shown, by each of its addresses, to those who may see it`()
        async throws
    {
        let ann = try await scene.people()
        let closing = try await scene.author("cleo")
        let facts = [
            "shown": try await scene.attempt("shown", by: ann), "hidden": try await scene.attempt("hidden", by: ann),
            "closed": try await scene.attempt("closed", by: closing),
        ]
        let cookies = try await scene.cookies()
        let closedCookie = try await scene.cookie(of: "cleo")
        try await house.change(
            """
            UPDATE itemParts SET hidden = 1 WHERE id = '\(try #require(facts["hidden"]?["attempt"]))';
            UPDATE accounts SET state = 'closed' WHERE handle = 'cleo';
            """)
        try await scene.application().test(.router) { client in
            var driver = SightDriver(client, .attempts, facts: facts) { thing, role in
                thing.name == "closed" && role == .author ? closedCookie : cookies[role]
            }
            let cells = try await driver.drive()
            #expect(cells == SightTable.attempts.cells)
            print("attempts: \(SightTable.attempts.cells) cells, \(driver.requests) requests")
        }
    }

    @Test(arguments: BoardSample.all) func `an item is shown, by each of its addresses, to those who may see it`(
        _ board: BoardSample
    ) async throws {
        let ann = try await scene.people()
        let closing = try await scene.author("cleo")
        var tokens: [String: String] = [:]
        for author in [ann, closing] { tokens[author.handle.text] = try await scene.cast.token(of: author) }
        let cookies = try await scene.cookies()
        let closedCookie = try await scene.cookie(of: "cleo")
        try await scene.application().test(.router) { [tokens] client in
            var facts: [String: [String: String]] = [:]
            for thing in SightTable.items.things {
                let author = thing.name == "shut" ? closing : ann
                let token = try #require(tokens[author.handle.text])
                var fields = board.fields.merging(try await board.further(house, token)) { $1 }
                let word = SightScene.word(thing.name)
                fields["title"] = "Zinnober \(word)"
                fields["key"] = thing.name
                let json = String(decoding: try JSONEncoder().encode(fields), as: UTF8.self)
                let made = try await client.send(.post, board.api, json: json, token: token)
                let id = try #require(try made.facts["id"] as? String, "\(made.text)")
                facts[thing.name] = ["item": id, "word": word, "author": author.handle.text]
                let change =
                    switch thing.name {
                    case "hidden": "hidden = 1"
                    case "settled", "withdrawn", "draft": "state = '\(thing.name)'"
                    default: "state = state"
                    }
                try await house.change("UPDATE items SET \(change) WHERE id = '\(id)'")
            }
            try await house.change("UPDATE accounts SET state = 'closed' WHERE handle = 'cleo'")
            var driver = SightDriver(client, .items, facts: facts) { thing, role in
                thing.name == "shut" && role == .author ? closedCookie : cookies[role]
            }
            let cells = try await driver.drive(board: board.name)
            print("items of \(board.name): \(cells) cells, \(driver.requests) requests")
            try await below(board, client, facts, cookies)
        }
    }

    /// Nothing lies open below the page of an item that is not there for who asks.
    private func below<R>(
        _ board: BoardSample, _ client: RouterClient<R>, _ facts: [String: [String: String]], _ cookies: [Role: String]
    ) async throws {
        let routes = try house.application(scene.cast.settings()).declaredRoutes().filter { route in
            route.method == .get
                && (route.path.hasPrefix("\(board.page)/:id/") || route.path.hasPrefix("\(board.api)/:id/"))
        }
        #expect(routes.count > 5)
        for thing in SightTable.items.things {
            let id = try #require(facts[thing.name]?["item"])
            let word = SightScene.word(thing.name)
            for role in SightTable.items.roles where !thing.seers.contains(role) && role != .author {
                for route in routes {
                    let path = route.path.replacing(":id", with: id).replacing(#/:\w+/#, with: HubID().text)
                    var headers: HTTPFields = [:]
                    headers[.cookie] = cookies[role]
                    let answer = try await client.execute(uri: path, method: .get, headers: headers)
                    let cell = "\(thing.name), \(role.rawValue): \(path) answers \(answer.status.code)"
                    #expect(answer.status.code >= 300 && answer.status.code < 500, "\(cell)")
                    #expect(!answer.text.contains(word), "\(cell)")
                }
            }
        }
    }
}
