import ChirpAccounts
import ChirpCommunity
import ChirpHub
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import Testing

/// What somebody at another server answers, or where he goes, is told to those who follow him.
extension FollowingRouteTests {
    @Test func `a move and a refusal stand among the notices, with the way to his page here`() async throws {
        let (ann, _) = try await follower("ann")
        let person = try #require(try await house.library.remotePerson(at: bob.id))
        var facts = person.facts
        facts.address = "https://new.example/users/bob"
        (facts.host, facts.handle) = ("new.example", "bob@new.example")
        let new = try await house.library.keep(facts)
        try await house.library.apply(.move(to: new.id), by: person, activity: "\(bob.id)/move")
        let actor = try #require(try await house.library.federationActor(of: ann.id)).id
        try await house.library.apply(.reject(follower: actor), by: new, activity: "https://new.example/reject")
        let token = try await cast.token(of: ann, "read")
        try await application().application().test(.router) { client in
            let browser = try await cast.browser(of: "ann", client)
            let page = try await browser.get("/notices").text
            #expect(page.contains("@bob@far.example</bdi>, whom you follow, has moved to"))
            #expect(page.contains("/@bob@new.example\"><bdi>@bob@new.example"))
            #expect(page.contains("does not let you follow"))
            // Programs have no name for these.
            #expect(try await client.send(.get, "/api/v1/notifications", token: token).text == "[]")
        }
    }
}
