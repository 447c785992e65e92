import Foundation
import LoopbackService
import Testing

// CH-7: real networks from the command line.
@Suite struct NetworkPublishTests {
    @Test func `a recording becomes a post on Mastodon, once`() async throws {
        let town = try Neighbourhood()
        _ = try await town.login("mastodon", town.mastodon.base)
        _ = try town.record()
        let settings = ["CHIRP_MASTODON_VISIBILITY": "unlisted", "CHIRP_MASTODON_ATTACH": "true"]
        let outcome = try await town.run(
            "publish", "take.wav", "--network", "mastodon", "--title", "A horn", "--json", environment: settings)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let network = try #require(try outcome.json()["network"] as? [String: Any])
        let status = try #require(town.mastodon.statuses.first)
        #expect(network["postID"] as? String == status.id)
        #expect(status.visibility == "unlisted")
        #expect(status.text.contains("#Chirp") && status.text.contains("http://127.0.0.1:4747/c/"))
        #expect(town.mastodon.mediaDescriptions == ["A horn"])
        _ = try await town.run(
            "publish", "take.wav", "--network", "mastodon", "--title", "A horn", environment: settings)
        #expect(town.mastodon.statuses.count == 1)
    }

    /// The process dies after the post and before the journal knows; the instance has forgotten the key meanwhile.
    @Test(arguments: ["mastodon", "x"])
    func `killed after the post, resumed: one post`(network: String) async throws {
        let town = try Neighbourhood()
        _ = try await town.login("x")
        _ = try await town.login("mastodon", town.mastodon.base)
        _ = try town.record()
        let settings = ["CHIRP_X_MODE": "link", "CHIRP_FAULT": "published"]
        let killed = try await town.run("publish", "take.wav", "--network", network, environment: settings)
        #expect(killed.signal == SIGKILL)
        town.mastodon.forgetKeys()
        let resumed = try await town.run("outbox", "resume", environment: ["CHIRP_X_MODE": "link"])
        #expect(resumed.status == 0, "\(resumed.errors)")
        #expect((network == "x" ? town.x.posts.count : town.mastodon.statuses.count) == 1)
    }

    @Test func `by default X gives a page to post from, free and without sign-in`() async throws {
        let town = try Neighbourhood()
        _ = try town.record()
        let outcome = try await town.run("publish", "take.wav", "--network", "x")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("https://x.com/intent/post?text=%23Chirp%0Ahttp"))
        #expect(town.x.server.requests.isEmpty)
    }

    @Test func `a dry run says what a post on X costs, and the budget refuses with 4 before anything is made`()
        async throws
    {
        let town = try Neighbourhood()
        _ = try await town.login("x")
        _ = try town.record()
        let link = ["CHIRP_X_MODE": "link", "CHIRP_X_MONTHLY_BUDGET_USD": "0.3"]
        let preview = try await town.run(
            "publish", "take.wav", "--network", "x", "--dry-run", "--json", environment: link)
        let network = try #require(try preview.json()["network"] as? [String: Any])
        #expect(network["estimatedCostUSD"] as? Double == 0.2)
        #expect(town.x.posts.isEmpty)
        let words = try await town.run("publish", "take.wav", "--network", "x", "--dry-run", environment: link)
        #expect(words.text.contains("$0.20"), "\(words.text)")
        #expect(try await town.run("publish", "take.wav", "--network", "x", environment: link).status == 0)
        #expect(town.x.posts.count == 1)
        let refused = try await town.run("publish", "take.wav", "--network", "x", "--again", environment: link)
        #expect(refused.status == 4, "\(refused.errors)")
        #expect(refused.errors.contains("$0.21 of $0.30 are spent"))
        #expect(town.x.posts.count == 1)
        #expect(town.home.files(in: "data").filter { $0.hasSuffix(".mp3") }.count == 1)
    }

    @Test func `what fails for now is kept and resumed`() async throws {
        let town = try Neighbourhood()
        _ = try await town.login("x")
        _ = try town.record()
        let link = ["CHIRP_X_MODE": "link"]
        town.x.fail("/2/tweets", .json(503, "{}"))
        let failed = try await town.run("publish", "take.wav", "--network", "x", environment: link)
        #expect(failed.status == 75, "\(failed.errors)")
        #expect(try await town.run("outbox", "resume", environment: link).status == 0)
        #expect(town.x.posts.count == 1)
    }
}
