import ChirpAccounts
import ChirpCommunity
import ChirpHub
import ChirpRecords
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// Pledges as people without script and programs meet them, where they are switched on and where they are not (OU-17).
@Suite struct PledgeRouteTests {
    private let cast: HubCast
    private var house: HubHousehold { cast.house }
    private static let board = "/challenges"
    private static let api = "/api/hub/v1/challenges"

    init() throws { cast = HubCast(house: try HubHousehold(boards: [Records.tables])) }

    private func settings(_ stakes: StakeLimits) throws -> HubSettings {
        var settings = try cast.settings(limitScale: 100)
        settings.boards = [Records.board]
        settings.stakes = stakes
        return settings
    }

    private func challenge(by setter: AccountID) async throws -> HubID {
        var terms = RuleTemplate.mostInAMinute.terms
        terms.needs = []
        return try await ChallengeStore(library: house.library).create(
            ChallengeDraft(category: .skill, title: "Claps in a minute"), terms, by: setter, key: "k")
    }

    /// What is typed to pledge something for ten days.
    private func typed(_ amount: String = "10") -> [(name: String, value: String)] {
        let day = house.now.addingTimeInterval(10 * 86_400).formatted(.iso8601.year().month().day())
        return [("amount", amount), ("until", day), ("adult", "1")]
    }

    @Test func `a pledge is a section of its challenge's page, and in the account of who has pledged`() async throws {
        let sue = try await cast.member("sue")
        for name in ["ann"] { try await cast.member(name) }
        let page = "\(Self.board)/\(try await challenge(by: sue.id))"
        let limits = StakeLimits(isOn: true, unit: "shells", most: 50)
        try await house.application(settings(limits)).application().test(.router) { client in
            let (setter, ann) = (try await cast.browser(of: "sue", client), try await cast.browser(of: "ann", client))
            #expect(try await setter.get(page).text.contains("href=\"\(page)/pledge\""))
            // Nothing is pledged, and others could not.
            #expect(try await !ann.get(page).text.contains("id=\"pledges\""))
            #expect(try await ann.get("\(page)/pledge").status == .forbidden)
            let wrong = try await setter.submit("\(page)/pledge", typed("51"))
            #expect(wrong.status == .unprocessableContent && wrong.text.contains("aria-invalid=\"true\""))
            for (nothing, told) in [
                ("", "An amount is needed"), (" ", "An amount is needed"), ("ten", "A whole number, 1 or more"),
                ("99999999999999999999", "At most 50"),
            ] {
                let answer = try await setter.submit("\(page)/pledge", typed(nothing))
                #expect(answer.status == .unprocessableContent && answer.text.contains(told), "\(nothing)")
            }
            let sent = try await setter.submit("\(page)/pledge", typed())
            #expect(sent.location == "\(page)#pledges", "\(sent.text.prefix(2000))")
            for visitor in [Visitor(client), ann, setter] {
                let text = try await visitor.get(page).text
                #expect(text.contains("<section id=\"pledges\"") && text.contains("10 shells"))
                #expect(!text.contains("href=\"\(page)/pledge\""), "one pledge at a time")
            }
            #expect(try await setter.get("\(Self.board)/pledges").text.contains("10 shells"))
            let list = try await client.send(.get, "/api/hub/v1\(page)/pledges")
            #expect(list.status == .ok && list.text.contains("\"amount\":10"), "\(list.text)")
        }
    }

    @Test func `where pledges are off no page has a word, an address or a style of them`() async throws {
        let sue = try await cast.member("sue")
        let id = try await challenge(by: sue.id)
        let (page, token) = ("\(Self.board)/\(id)", try await cast.token(of: sue))
        // One of a time when they were on.
        let pledge = StakeTerms(
            amount: 10, unit: "shells", until: house.now.addingTimeInterval(10 * 86_400), isAdult: true)
        _ = try await StakeStore(library: house.library, limits: StakeLimits(isOn: true, unit: "shells")).pledge(
            pledge, at: id, version: 1, by: sue.id, key: "once")
        try await house.application(settings(.off)).application().test(.router) { client in
            let setter = try await cast.browser(of: "sue", client)
            _ = try await setter.submit("\(Self.board)/introduction")
            let pages = [
                page, "\(page)/edit", "\(page)/rule", "\(page)/attempts", Self.board, "\(Self.board)?feed=popular",
                "\(Self.board)/new", "\(Self.board)/own", "\(Self.board)/introduction", "/@sue", "/about",
            ]
            for visitor in [Visitor(client), setter] {
                for path in pages {
                    let text = try await visitor.get(path).text.lowercased()
                    for word in ["pledge", "stake", "shells"] { #expect(!text.contains(word), "\(path): \(word)") }
                }
            }
            let described = try await client.send(.get, "/api/openapi.json").text.lowercased()
            #expect(!described.contains("pledge") && !described.contains("stake"))
            for path in ["\(page)/pledge", "\(Self.board)/pledges"] {
                #expect(try await setter.get(path).status == .notFound, "\(path)")
            }
            for path in ["\(Self.api)/\(id)/pledges", "\(Self.api)/pledges"] {
                #expect(try await client.send(.get, path, token: token).status == .notFound, "\(path)")
            }
            // Nor do files that pages load name them.
            let links = try await setter.get(page).text.matches(of: #/(?:href|src)="([^"]*\.(?:css|js))"/#)
            #expect(!links.isEmpty)
            for link in links {
                let text = try await setter.get(String(link.1)).text.lowercased()
                #expect(!text.contains("pledge"), "\(link.1)")
            }
        }
    }
}
