import ChirpAccounts
import ChirpBeats
import ChirpCommunity
import ChirpDatabase
import ChirpHub
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// What every board has to do, whatever people list there: whose an entry is, what its states mean, what reports do, what is taken along, what
/// is left behind, and what strangers may type. Width and accessibility are looked at in a browser, with every board's pages
/// (`Tests/Browser/pages.py`).
@Suite struct BoardConformanceTests {
    private let house: HubHousehold
    private let cast: HubCast

    init() throws {
        house = try HubHousehold(boards: Boards.tables)
        cast = HubCast(house: house)
    }

    /// Lists something; gives its id.
    private func place<R>(
        _ board: BoardSample, _ client: RouterClient<R>, token: String, _ changes: [String: String] = [:],
        key: String = UUID().uuidString
    ) async throws -> String {
        let answer = try await send(board, client, token: token, changes, key: key)
        #expect(answer.status == .created, "\(answer.status): \(answer.text.prefix(400))")
        return try #require(try answer.facts["id"] as? String)
    }

    private func send<R>(
        _ board: BoardSample, _ client: RouterClient<R>, token: String?, _ changes: [String: String] = [:], key: String
    ) async throws -> TestResponse {
        var fields = board.fields.merging(changes) { $1 }.merging(["key": key]) { $1 }
        if let token { fields.merge(try await board.further(house, token)) { $1 } }
        return try await client.send(.post, board.api, json: try json(fields), token: token)
    }

    private func json(_ fields: [String: String]) throws -> String {
        String(decoding: try JSONEncoder().encode(fields), as: UTF8.self)
    }

    /// The ids of what a search finds.
    private func found<R>(
        _ board: BoardSample, _ client: RouterClient<R>, _ query: String = "", token: String? = nil
    ) async throws -> [String] {
        let answer = try await client.send(.get, "\(board.api)\(query)", token: token)
        #expect(answer.status == .ok, "\(query): \(answer.status)")
        let entries = try #require(try answer.facts[board.list] as? [[String: Any]])
        return entries.compactMap { $0["id"] as? String }
    }

    private func act<R>(
        _ act: (act: String, fields: [String: String]), _ board: BoardSample, _ id: String, _ client: RouterClient<R>,
        token: String?
    ) async throws -> HTTPResponse.Status {
        try await client.send(.post, "\(board.api)/\(id)/\(act.act)", json: try json(act.fields), token: token).status
    }

    private func people() async throws -> (ann: String, bob: String) {
        (try await cast.token(of: try await cast.member("ann")), try await cast.token(of: try await cast.member("bob")))
    }

    @Test func `every board that there is has a sample here`() {
        #expect(Set(Boards.names) == Set(BoardSample.all.map(\.name)))
    }

    /// The lists for programs that have no board.
    @Test func `all that boards do to a library is known where no board is`() {
        #expect(BoardTables.absent.known == Set(Boards.tables.flatMap(\.steps).map(\.name)))
        #expect(BoardTables.absent.clipMentions == Set(Boards.tables.flatMap(\.clipMentions)))
        #expect(Set(Boards.names).isSubset(of: Boards.tables.map(\.name)))
        #expect(HubChoices.currencies == TrackPrice.Currency.allCases.map(\.rawValue))
    }

    @Test(arguments: BoardSample.all) func `a board answers below its own name alone, and changes nothing for visitors`(
        _ board: BoardSample
    ) async throws {
        let declared = try house.application(cast.settings()).declaredRoutes()
        let own = declared.filter { $0.path.hasPrefix(board.page) || $0.path.hasPrefix(board.api) }
        #expect(own.count > 5)
        for route in own {
            let path = route.path
            #expect(
                path == board.page || path == board.api || path.hasPrefix("\(board.page)/")
                    || path.hasPrefix("\(board.api)/"))
            guard route.method != .get, !board.questions.contains(path) else { continue }
            #expect(route.access != .everybody, "\(route.method) \(path)")
        }
    }

    @Test(arguments: BoardSample.all) func `an entry is its author's: others read it, and change nothing`(
        _ board: BoardSample
    ) async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let (ann, bob) = try await people()
            let id = try await place(board, client, token: ann)
            #expect(try await client.send(.get, "\(board.page)/\(id)").status == .ok)
            #expect(try await client.send(.get, "\(board.api)/\(id)", token: bob).status == .ok)
            let changed = try json(board.fields.merging(["title": "Another"]) { $1 })
            for (token, status) in [(bob, HTTPResponse.Status.notFound), (nil, .unauthorized)] {
                #expect(try await client.send(.put, "\(board.api)/\(id)", json: changed, token: token).status == status)
                for ending in [board.ending, board.withdrawal] {
                    #expect(try await act(ending, board, id, client, token: token) == status, "\(ending.act)")
                }
            }
            #expect(try await !client.send(.get, "\(board.api)/\(id)").text.contains("Another"))
            #expect(try await client.send(.put, "\(board.api)/\(id)", json: changed, token: ann).status == .ok)
            #expect(try await client.send(.get, "\(board.api)/\(id)").text.contains("Another"))
        }
    }

    @Test(arguments: BoardSample.all) func `nobody lists who is not signed in, not confirmed or suspended`(
        _ board: BoardSample
    ) async throws {
        let unconfirmed = try await cast.token(of: try await cast.member("una", isConfirmed: false))
        let suspended = try await cast.token(of: try await cast.member("sue"))
        try await house.change("UPDATE accounts SET state = 'suspended' WHERE handle = 'sue'")
        try await house.application(cast.settings()).application().test(.router) { client in
            for (token, who) in [(nil, "visitor"), (unconfirmed, "unconfirmed"), (suspended, "suspended")] {
                let answer = try await send(board, client, token: token, key: "k")
                #expect([401, 403].contains(answer.status.code), "\(who): \(answer.status)")
            }
            #expect(try await found(board, client).isEmpty)
        }
    }

    @Test(arguments: BoardSample.all) func `what is sent twice is listed once, and two that say the same are two`(
        _ board: BoardSample
    ) async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let (ann, bob) = try await people()
            let first = try await place(board, client, token: ann, key: "one")
            #expect(try await place(board, client, token: ann, key: "one") == first)
            #expect(try await place(board, client, token: ann, key: "two") != first)
            #expect(try await place(board, client, token: bob, key: "one") != first, "keys are each author's own")
            #expect(try await found(board, client).count == 3)
        }
    }

    @Test(arguments: BoardSample.all) func `what has ended is in no list, says so at its address, and ends once`(
        _ board: BoardSample
    ) async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let (ann, _) = try await people()
            let settled = try await place(board, client, token: ann)
            let gone = try await place(board, client, token: ann)
            let stays = try await place(board, client, token: ann)
            #expect(try await act(board.ending, board, settled, client, token: ann).code / 100 == 2)
            #expect(try await act(board.ending, board, settled, client, token: ann) == .conflict)
            #expect(try await act(board.withdrawal, board, gone, client, token: ann).code / 100 == 2)
            for query in ["", "?q=zinnober", "?at=50.73,7.1&within=10", "?at=50.73,7.1&within=10&order=nearest"] {
                #expect(try await found(board, client, query) == [stays], "\(query)")
            }
            #expect(try await client.send(.get, "\(board.page)/\(settled)").status == .ok, "it stays readable")
            for path in [board.page, board.api] {
                #expect(try await client.send(.get, "\(path)/\(gone)").status == .gone)
            }
            #expect(try await client.send(.get, "\(board.page)/\(gone)").text.contains("<time"), "and says when")
            let changed = try json(board.fields)
            #expect(
                try await client.send(.put, "\(board.api)/\(settled)", json: changed, token: ann).status == .conflict)
        }
    }

    @Test(arguments: BoardSample.all) func `what nobody renews ends by itself`(_ board: BoardSample) async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let (ann, _) = try await people()
            let id = try await place(board, client, token: ann)
            house.wait(400 * 24 * 3600)
            _ = try await house.library.sweep(at: house.now)
            #expect(try await found(board, client).isEmpty)
            #expect(try await client.send(.get, "\(board.page)/\(id)").text.contains("Zinnober"))
        }
    }

    @Test(arguments: BoardSample.all) func `a report hides an entry from all but its author, and it returns by itself`(
        _ board: BoardSample
    ) async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let (ann, bob) = try await people()
            let id = try await place(board, client, token: ann)
            let report = "/api/hub/v1/items/\(id)/reports"
            let json = #"{"reason": "spam", "text": "An advertisement"}"#
            #expect(try await client.send(.post, report, json: json, token: ann).status != .ok, "not one's own")
            let answer = try await client.send(.post, report, json: json, token: bob)
            #expect(answer.status.code / 100 == 2, "\(answer.text)")
            #expect(try await client.send(.post, report, json: json, token: bob).status.code >= 400, "once")
            #expect(try await found(board, client).isEmpty)
            for token in [nil, bob] {
                #expect(
                    try await [404, 410].contains(client.send(.get, "\(board.api)/\(id)", token: token).status.code))
            }
            #expect(try await client.send(.get, "\(board.api)/\(id)", token: ann).status == .ok)
            house.wait(25 * 3600)
            try await house.library.settleCases()
            #expect(try await found(board, client) == [id])
        }
    }

    @Test(arguments: BoardSample.all) func `what a case is about whose it is stays as it is`(
        _ board: BoardSample
    ) async throws {
        try await house.application(cast.settings()).application().test(.router) { client in
            let (ann, bob) = try await people()
            let id = try await place(board, client, token: ann)
            let claim = #"{"reason": "ownership", "text": "It has my name in it"}"#
            let answer = try await client.send(.post, "/api/hub/v1/items/\(id)/reports", json: claim, token: bob)
            #expect(answer.status.code / 100 == 2, "\(answer.text)")
            #expect(try await found(board, client) == [id], "frozen is not hidden")
            for ending in [board.ending, board.withdrawal] {
                #expect(try await act(ending, board, id, client, token: ann).code / 100 == 4, "\(ending.act)")
            }
            let changed = try json(board.fields.merging(["title": "Another"]) { $1 })
            #expect(try await client.send(.put, "\(board.api)/\(id)", json: changed, token: ann).status.code / 100 == 4)
        }
    }

    @Test(arguments: BoardSample.all) func `people who have blocked each other do not see each other's entries`(
        _ board: BoardSample
    ) async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        let tokens = (ann: try await cast.token(of: ann), bob: try await cast.token(of: bob))
        try await house.application(cast.settings()).application().test(.router) { client in
            let id = try await place(board, client, token: tokens.ann)
            try await house.change(
                "INSERT INTO blocks (blocker, blocked, created) VALUES ('\(ann.id)', '\(bob.id)', 0)")
            #expect(try await found(board, client, token: tokens.bob).isEmpty)
            #expect(try await client.send(.get, "\(board.api)/\(id)", token: tokens.bob).status == .notFound)
            #expect(try await found(board, client) == [id], "visitors see what everybody sees")
        }
    }

    @Test(arguments: BoardSample.all) func `an export holds what somebody has listed, and erasure leaves none of it`(
        _ board: BoardSample
    ) async throws {
        let (ann, bob) = (try await cast.member("ann"), try await cast.member("bob"))
        let token = try await cast.token(of: ann)
        let other = try await cast.token(of: bob)
        try await house.application(cast.settings()).application().test(.router) { client in
            let id = try await place(board, client, token: token)
            let kept = try await place(board, client, token: other, ["title": "Amaranth keys"])
            let password = "{\"password\":\"\(HubCast.password)\"}"
            let export = try await client.send(.post, "/api/hub/v1/account/export", json: password, token: token)
            #expect(export.text.contains(id) && export.text.contains("Zinnober") && !export.text.contains(kept))
            try await house.change("PRAGMA foreign_keys = ON; DELETE FROM accounts WHERE id = '\(ann.id)'")
            #expect(try await found(board, client, "?q=zinnober").isEmpty)
            #expect(try await found(board, client) == [kept])
            #expect(try await client.send(.get, "\(board.api)/\(id)").status == .notFound)
            let traces = try await house.traces(of: [id, "\(ann.id)", "Zinnober"])
            #expect(traces.isEmpty, "\(traces)")
        }
    }

    /// Controls, bidirectional overrides, markup, paths, the syntax of searches and of SQL, and much of it.
    private static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "\u{202E}txt.exe\u{2066}", "a\u{0}b\u{1B}[31m",
        "' OR 1=1; DROP TABLE items; --", "title:\"x\" NEAR(a b) OR *", "../../etc/passwd", "javascript:alert(1)",
        "{{7*7}} ${x} %s %n", String(repeating: "ä", count: 20_000), "\u{FFFE}\u{FFFF}\u{E000}", "   \n\t ",
        "zsopen gca12x34 zblostandfound", String(repeating: "é\u{301}", count: 300),
    ]

    @Test(arguments: BoardSample.all) func `whatever is typed is shown as text or refused with its field`(
        _ board: BoardSample
    ) async throws {
        try await house.application(cast.settings(limitScale: 1000)).application().test(.router) { client in
            let (ann, _) = try await people()
            for (number, text) in Self.hostile.enumerated() {
                for field in board.texts {
                    let answer = try await send(board, client, token: ann, [field: text], key: "\(number)\(field)")
                    #expect(answer.status.code < 500, "\(field) \(text.prefix(30))")
                    guard answer.status == .created, let id = try answer.facts["id"] as? String else {
                        #expect(answer.status == .unprocessableContent, "\(answer.status)")
                        continue
                    }
                    let page = try await client.send(.get, "\(board.page)/\(id)")
                    #expect(page.status == .ok)
                    for raw in ["<script>alert", "<img src=x", "\u{0}", "\u{1B}", "\u{202E}"] {
                        #expect(!page.text.contains(raw), "\(field) \(text.prefix(30))")
                    }
                }
            }
            let list = try await client.send(.get, board.page)
            #expect(list.status == .ok && !list.text.contains("<script>alert") && !list.text.contains("\u{202E}"))
        }
    }

    @Test(arguments: BoardSample.all) func `whatever is looked for is words and never syntax`(
        _ board: BoardSample
    ) async throws {
        try await house.application(cast.settings(limitScale: 1000)).application().test(.router) { client in
            let (ann, _) = try await people()
            let id = try await place(board, client, token: ann, ["title": "Zinnober zsopen"])
            for text in Self.hostile + [
                "\"", "*", "zinnober*", "NEAR(zinnober)", "words:zsopen", "-zinnober", "^z", "(", ")",
            ] {
                let words = text.prefix(3000).addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                for path in [board.page, board.api] {
                    let answer = try await client.send(.get, "\(path)?q=\(words)")
                    #expect(answer.status == .ok, "\(text.prefix(30)): \(answer.status)")
                }
            }
            // A word that is a state for the index is a word of the title for people.
            #expect(try await found(board, client, "?q=zsopen") == [id])
            #expect(try await found(board, client, "?q=zssettled").isEmpty)
        }
    }

    @Test(arguments: BoardSample.all) func `too much, too deep and no JSON at all are refused`(
        _ board: BoardSample
    ) async throws {
        try await house.application(cast.settings(limitScale: 1000)).application().test(.router) { client in
            let (ann, _) = try await people()
            let deep = String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)
            for sent in [
                "", "{", "null", "[]", "\"x\"", "{\"title\": \(deep)}",
                "{\"title\": \"\(String(repeating: "x", count: 10_000_000))\"}",
                "{\"tags\": [\(Array(repeating: "\"t\"", count: 100_000).joined(separator: ","))]}",
            ] {
                let answer = try await client.send(.post, board.api, json: sent, token: ann)
                #expect((400..<500).contains(answer.status.code), "\(sent.prefix(20)): \(answer.status)")
            }
            #expect(try await found(board, client).isEmpty)
        }
    }
}
