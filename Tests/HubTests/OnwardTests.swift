import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpStores
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// The owner's publications on other networks, with a scripted other side.
@Suite struct OnwardTests {
    private let house: HubHousehold
    private static let quota = ByteCount(Int64(1_000_000))
    private let orders = Mutexed<[OnwardPublishing.Order]>([])

    init() throws { house = try HubHousehold() }

    /// What a script says, one line each time; afterwards everything is posted.
    private func publishing(_ script: [OnwardPublishing.Answer] = []) -> OnwardPublishing {
        let orders = orders
        return OnwardPublishing(
            linked: { [OnwardPublishing.Linked(network: "mastodon", most: 500, link: 23)] },
            publish: { order in
                let number = orders.value.count
                orders.change { $0.append(order) }
                return number < script.count ? script[number] : .posted(link: "https://social.example/1")
            })
    }

    private func work(_ script: [OnwardPublishing.Answer] = []) -> OnwardWork {
        OnwardWork(house.library, publishing(script), clock: HurriedClock(), logger: HubHousehold.logger)
    }

    /// A draft with its clip.
    private func draft(of owner: AccountID) async throws -> HubID {
        var wishes = MediaItem.Wishes()
        wishes.isDraft = true
        let item = try await house.library.beginUpload(wishes, bytes: 1, of: owner, quota: Self.quota)
        try Data([1]).write(to: URL(filePath: house.library.uploads.file(item.id)))
        #expect(try await house.library.completeUpload(item.id))
        let draft = try #require(try await house.library.draft(item.id))
        try Data([7]).write(to: URL(filePath: house.library.media.file(draft.take)))
        let made = HubDraft.Made(
            bytes: 1, sha256: try house.payload([7]).sha256, sound: HubSound(seconds: 1), receipt: nil)
        #expect(try await house.library.finish(draft, as: made))
        return item.id
    }

    /// Something published that is to go on.
    private func publish() async throws -> String {
        let owner = house.library.owner.id
        var publication = DraftPublication { clip in ("Hear", "\(HubHousehold.publicURL)/c/\(clip)") }
        publication.onward = [.init(.mastodon, words: "Hear")]
        let outcome = try await house.library.publish(
            try await draft(of: owner), of: owner, publication, under: PostingPolicy(), quota: Self.quota)
        guard case .published(let published) = outcome else { throw CancellationError() }
        return published.post
    }

    private func row(_ post: String) async throws -> OnwardPost {
        try #require(try await house.library.onward(of: post).first)
    }

    @Test func `a post goes on once, and its address there is kept`() async throws {
        let post = try await publish()
        #expect(try await work().sendWhatIsDue() == nil)
        #expect(try await work().sendWhatIsDue() == nil)
        let row = try await row(post)
        #expect(row.state == .posted && row.link == "https://social.example/1" && row.why == nil)
        let order = try #require(orders.value.first)
        #expect(orders.value.count == 1 && order.network == "mastodon" && order.words == "Hear")
        #expect(!order.isRepetition && order.key.contains(post) && order.page.hasPrefix(HubHousehold.publicURL))
    }

    @Test func `a try without an answer is repeated under the same key, as a repetition`() async throws {
        let post = try await publish()
        let due = try await work([.notNow(why: "no answer")]).sendWhatIsDue()
        #expect(due == house.now.addingTimeInterval(60))
        let row = try await row(post)
        #expect(row.state == .sending && row.why == "no answer")
        // Not before its time.
        #expect(try await work().sendWhatIsDue() == due && orders.value.count == 1)
        house.wait(61)
        #expect(try await work([]).sendWhatIsDue() == nil)
        #expect(try await self.row(post).state == .posted)
        #expect(Set(orders.value.map(\.key)).count == 1 && orders.value.map(\.isRepetition) == [false, true])
    }

    @Test func `a process that died over a post looks for it first`() async throws {
        let post = try await publish()
        #expect(try await house.library.beginOnward(row(post)))
        #expect(try await work().sendWhatIsDue() == nil)
        #expect(orders.value.map(\.isRepetition) == [true])
    }

    @Test func `what is refused is not tried again, and what never works ends`() async throws {
        let refused = try await publish()
        #expect(try await work([.refused(why: "no\u{7} such account")]).sendWhatIsDue() == nil)
        let row = try await row(refused)
        #expect(row.state == .failed && row.why == "no such account")
        orders.change { $0 = [] }
        let hopeless = try await publish()
        let never = work(Array(repeating: .notNow(why: "busy"), count: 100))
        while try await never.sendWhatIsDue() != nil { house.wait(3601) }
        #expect(orders.value.count == OnwardPost.mostTries)
        #expect(try await self.row(hopeless).state == .failed)
    }

    @Test func `the owner alone sends on, and sees on the page how much fits there`() async throws {
        let cast = HubCast(house: house)
        let ann = try await cast.member("ann")
        let owner = try #require(try await cast.accounts.account(Handle(typed: "me")))
        let tokens = (try await cast.token(of: owner), try await cast.token(of: ann))
        let application = HubApplication(
            settings: try cast.settings(), library: house.library, logger: HubHousehold.logger,
            onward: publishing())
        try await application.application().test(.router) { client in
            func publish(_ id: HubID, _ token: String, _ json: String) async throws -> TestResponse {
                let headers: HTTPFields = [.contentType: "application/json", .authorization: "Bearer \(token)"]
                return try await client.execute(
                    uri: "/api/hub/v1/drafts/\(id)/publication", method: .post, headers: headers,
                    body: ByteBuffer(string: json))
            }
            let (own, others) = (try await draft(of: owner.id), try await draft(of: ann.id))
            let words = #"{"text":"Hear","onward":["mastodon"]}"#
            #expect(try await publish(others, tokens.1, words).status == .unprocessableContent)
            // Nobody has signed in there; and what is for followers stays here.
            let other = #"{"text":"Hear","onward":["x"]}"#
            let few = #"{"text":"Hear","onward":["mastodon"],"visibility":"followers"}"#
            #expect(try await publish(own, tokens.0, other).status == .unprocessableContent)
            #expect(try await publish(own, tokens.0, few).status == .unprocessableContent)
            let answer = try await publish(own, tokens.0, words)
            #expect(answer.status == .ok)
            #expect(
                answer.text.contains(#""onward":[{"network":"mastodon","state":"waiting","link":null,"why":null}]"#))
            #expect(try await work().sendWhatIsDue() == nil)
            let again = try await publish(own, tokens.0, words)
            #expect(again.text.contains(#""state":"posted","link":"https://social.example/1""#))
            #expect(orders.value.map(\.words) == ["Hear"])
        }
    }
}
