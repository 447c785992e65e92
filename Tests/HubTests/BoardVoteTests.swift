import ChirpBoards
import ChirpCommunity
import ChirpHub
import ChirpListings
import ChirpPlaces
import ChirpTestKit
import ChirpWeb
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// Votes on what a board lists, for people without script and for programs (OU-2).
@Suite struct BoardVoteTests {
    private let house: HubHousehold
    private let cast: HubCast
    private static let api = "/api/hub/v1/attic"

    init() throws {
        house = try HubHousehold(boards: Boards.tables + [AtticBoard.tables])
        cast = HubCast(house: house)
    }

    private func hub(limitScale: Double = 1000) throws -> HubApplication {
        var hub = try house.application(cast.settings(limitScale: limitScale))
        hub.furtherBoards = { [AtticBoard($0, hasVotes: true).board] }
        return hub
    }

    private func token(_ name: String) async throws -> String { try await cast.token(of: try await cast.member(name)) }

    private func place<R>(_ client: RouterClient<R>, token: String) async throws -> String {
        let answer = try await client.send(
            .post, Self.api, json: #"{"title": "Keys", "key": "\#(UUID().uuidString)"}"#, token: token)
        #expect(answer.status == .created, "\(answer.text.prefix(300))")
        return try #require(try answer.facts["id"] as? String)
    }

    private func vote<R>(
        _ vote: String, on item: String, at api: String = Self.api, _ client: RouterClient<R>, token: String?
    ) async throws -> TestResponse {
        try await client.send(.put, "\(api)/\(item)/votes", json: "{\"vote\": \"\(vote)\"}", token: token)
    }

    @Test func `votes are declared where a board has them, and Lost & Found has none`() async throws {
        // Those on parts of what is listed, as on attempts, are a board's own.
        let declared = try hub().declaredRoutes().filter { $0.path.hasSuffix("/:id/votes") }
        let boards = BoardSample.voted
        #expect(
            declared.map { "\($0.method) \($0.path)" }.sorted()
                == boards.flatMap { board in
                    [
                        "GET \(board.api)/:id/votes", "POST \(board.page)/:id/votes", "PUT \(board.api)/:id/votes",
                    ]
                }.sorted())
        for route in declared where route.method != .get { #expect(route.access != .everybody) }
        let voted = try await house.library.reading { try Votes.areOn(ListingStore.board, in: $0) }
        #expect(!voted)
    }

    @Test(arguments: BoardSample.voted)
    func `programs vote, think again and take it back, and the same twice is one vote`(
        _ board: BoardSample
    ) async throws {
        let (ann, bob) = (try await token("ann"), try await token("bob"))
        try await house.application(with: board, cast.settings(limitScale: 1000)).application().test(.router) {
            client in
            let sent = board.fields.merging(["key": UUID().uuidString]) { $1 }
            let json = String(decoding: try JSONEncoder().encode(sent), as: UTF8.self)
            let placed = try await client.send(.post, board.api, json: json, token: ann)
            let item = try #require(try placed.facts["id"] as? String)
            for (sent, ups, downs, own) in [
                ("up", 1, 0, "up"), ("up", 1, 0, "up"), ("down", 0, 1, "down"), ("none", 0, 0, nil),
                ("none", 0, 0, nil), ("up", 1, 0, "up"),
            ] as [(String, Int, Int, String?)] {
                let facts = try await vote(sent, on: item, at: board.api, client, token: bob).facts
                #expect(
                    facts["ups"] as? Int == ups && facts["downs"] as? Int == downs && facts["own"] as? String == own)
                #expect(facts["isSunk"] as? Bool == false && (facts["score"] as? Double ?? 0) > 0.49)
            }
            let seen = try await client.send(.get, "\(board.api)/\(item)/votes")
            #expect(try seen.facts["ups"] as? Int == 1 && seen.facts["own"] is NSNull)
            #expect(try await vote("up", on: item, at: board.api, client, token: ann).status == .forbidden, "her own")
            #expect(try await vote("up", on: item, at: board.api, client, token: nil).status == .unauthorized)
        }
    }

    @Test func `who may not is told why: strangers, the author, and whoever votes on what has ended`() async throws {
        let (ann, bob) = (try await token("ann"), try await token("bob"))
        let una = try await cast.token(of: try await cast.member("una", isConfirmed: false))
        try await hub().application().test(.router) { client in
            let item = try await place(client, token: ann)
            #expect(try await vote("up", on: item, client, token: nil).status == .unauthorized)
            #expect(try await vote("up", on: item, client, token: una).status == .forbidden)
            let own = try await vote("up", on: item, client, token: ann)
            #expect(own.status == .forbidden && own.text.contains("/problems/own-vote"))
            #expect(try await client.send(.get, "/api/hub/v1/problems/own-vote").text.contains("first vote"))
            for wrong in ["", "sideways", "UP", String(repeating: "x", count: 3000)] {
                let answer = try await vote(wrong, on: item, client, token: bob)
                #expect(answer.status == .unprocessableContent && answer.text.contains("\"vote\""))
            }
            let long = String(repeating: "x", count: 10_000)
            #expect(try await vote(long, on: item, client, token: bob).status == .contentTooLarge)
            for json in ["{}", "[]", "{\"vote\": {}}", "{\"vote\": null}"] {
                let answer = try await client.send(.put, "\(Self.api)/\(item)/votes", json: json, token: bob)
                #expect((400..<500).contains(answer.status.code), "\(json)")
            }
            #expect(try await vote("up", on: "\(HubID())", client, token: bob).status == .notFound)
            #expect(try await vote("up", on: "x", client, token: bob).status == .notFound)
            #expect(
                try await client.send(.post, "\(Self.api)/\(item)/withdrawal", json: "{}", token: ann).status
                    == .noContent)
            #expect(try await vote("up", on: item, client, token: bob).status == .gone)
            let late = try await place(client, token: ann)
            let id = try #require(HubID(late))
            try await house.library.transact {
                try Items.move(id, from: [.open], to: .expired, by: nil, library: house.library, in: $0)
            }
            #expect(try await vote("up", on: late, client, token: bob).status == .conflict)
        }
    }

    @Test func `people without script press a button, and press it again to take it back`() async throws {
        let ann = try await token("ann")
        try await cast.member("bob")
        try await hub().application().test(.router) { client in
            let item = try await place(client, token: ann)
            let (page, path) = ("/attic/\(item)", "/attic/\(item)/votes")
            let visitor = try await Visitor(client).get(page).text
            #expect(visitor.contains("Up 0") && visitor.contains("Sign in to vote") && !visitor.contains(path))
            let (annie, bob) = (try await cast.browser(of: "ann", client), try await cast.browser(of: "bob", client))
            #expect(try await !annie.get(page).text.contains(path), "her own")

            let answer = try await bob.submit(page, to: path, [("vote", "up")])
            #expect(answer.status == .seeOther && answer.location == "\(page)#votes")
            let pressed = try await bob.get(page).text
            #expect(pressed.contains(#"name="vote" value="none" aria-pressed="true">Up 1<"#))
            #expect(pressed.contains(#"name="vote" value="down" aria-pressed="false">Down 0<"#))
            #expect(try await Visitor(client).get(page).text.contains("Up 1"))
            _ = try await bob.submit(page, to: path, [("vote", "none")])
            #expect(try await bob.get(page).text.contains(#"value="up" aria-pressed="false">Up 0<"#))

            // By hand, since the page has no form for it.
            let own = try await annie.submit(page, to: path, [("vote", "up")])
            #expect(
                own.status == .forbidden && own.text.contains("already") && own.text.contains("href=\"\(page)#votes\""))
            let wrong = try await bob.submit(page, to: path, [("vote", "<b>")])
            #expect(wrong.status == .unprocessableContent && !wrong.text.contains("<b>"))
            let forged = try await bob.post(path, [("vote", "up")])
            #expect(forged.status == .forbidden)
            #expect(try await bob.submit(page, to: "/attic/\(HubID())/votes", [("vote", "up")]).status == .notFound)
            #expect(try await Visitor(client).get(page).text.contains("Up 0"))
        }
    }

    @Test func `where a vote came from is known as a block, behind a proxy too, and nobody votes without end`()
        async throws
    {
        let ann = try await token("ann")
        var tokens: [String] = []
        for number in 0..<7 { tokens.append(try await token("voter\(number)")) }
        house.wait(25 * 3600)
        try await hub(limitScale: 1).application().test(.router) { client in
            let item = try await place(client, token: ann)
            for (number, token) in tokens.enumerated() {
                let answer = try await vote("down", on: item, client.at("198.51.100.\(number + 1)"), token: token)
                #expect(answer.status == .ok)
            }
            let standing = try await client.send(.get, "\(Self.api)/\(item)/votes").facts
            #expect(standing["downs"] as? Int == 7 && standing["isSunk"] as? Bool == false)
            let score = Ranking.bound(ups: 0, downs: 5000)
            #expect(abs((standing["score"] as? Double ?? 0) - score) < 1e-4, "five of seven")
            let near = try client.at("198.51.100.1")
            var last: TestResponse?
            for number in 0..<400 {
                last = try await vote(number.isMultiple(of: 2) ? "up" : "none", on: item, near, token: tokens[0])
                if last?.status == .tooManyRequests { break }
            }
            #expect(last?.status == .tooManyRequests && last?.headers[.retryAfter] != nil)
        }
    }

    @Test func `a feed is what its address says, and what makes no sense is as if it were not there`() throws {
        func choice(_ fields: [(String, String)]) -> FeedChoice {
            FeedChoice(RequestFields(fields.map { (name: $0.0, value: $0.1) }), categories: ["sport", "music"])
        }
        let query = choice([
            ("feed", "popular"), ("category", "music"), ("at", "50.7,7.1"), ("within", "1000"), ("after", "p1-2-3"),
        ]).query(board: "attic", limit: 20)
        #expect(query.order == .popular && query.category == "music" && query.after == "p1-2-3" && query.limit == 20)
        guard case .circle(let centre, let radius)? = query.area else {
            Issue.record("no area")
            return
        }
        #expect(radius == 100_000 && abs(centre.latitude - 50.7) < 1e-9)
        let least = choice([("at", "50.7,7.1"), ("within", "-5")])
        #expect(least.within == 1 && least.fields.map(\.name) == ["at", "within"])
        for nonsense in [[("feed", "x"), ("category", "y"), ("at", "91,7"), ("within", "z")], [("after", "")], []] {
            #expect(choice(nonsense) == FeedChoice())
        }
    }
}
