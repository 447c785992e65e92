import ChirpAccounts
import ChirpCommunity
import ChirpCore
import ChirpHub
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import Hummingbird
import NIOCore
import Testing

/// Updates read aloud: what is said, to whom, and how often it is made.
@Suite struct FrameSpeechTests {
    private let house: HubHousehold
    private let cast: HubCast
    private let said = Mutexed<[String]>([])
    private static let base = "/api/hub/v1/frame"

    init() throws {
        house = try HubHousehold()
        cast = HubCast(house: house)
    }

    /// A hub whose voice writes down what it is to say.
    private func hub(refusing: String? = nil, hasVoice: Bool = true) throws -> HubApplication {
        let said = said
        let speech = FrameSpeech { text, languages throws(FrameSpeech.Refusal) in
            if let refusing { throw FrameSpeech.Refusal(refusing) }
            said.change { $0.append("\(languages.joined(separator: " ")) \(text)") }
            return Array(text.utf8)
        }
        return HubApplication(
            settings: try cast.settings(), library: house.library, logger: HubHousehold.logger, intake: .levelling(),
            speech: hasVoice ? speech : nil)
    }

    /// The token of a frame that shows Ann to Carla.
    private func watching(_ carla: HubAccount, _ ann: AccountID, spoken: Bool = true) async throws -> String {
        try await cast.frame(of: carla.id, showing: ann) { $0.spoken = spoken }.token.secret.reveal()
    }

    @discardableResult
    private func say(_ text: String, by account: AccountID, language: String? = nil) async throws -> HubPost {
        var draft = PostDraft(author: account, text: text, key: UUID().uuidString)
        draft.language = language
        return try await house.library.post(draft)
    }

    /// The ids of a frame's updates, oldest first.
    private func updates<R>(_ client: RouterClient<R>, _ token: String) async throws -> [Int] {
        let facts = try await client.send(.get, "\(Self.base)/updates", token: token).facts
        return try #require(facts["updates"] as? [[String: Any]]).compactMap { $0["id"] as? Int }
    }

    @Test func `an update is read aloud in its language, levelled, and made once an hour for each device`() async throws
    {
        let carla = try await cast.member("carla")
        let ann = try await house.person("ann")
        let token = try await watching(carla, ann)
        let other = try await watching(carla, ann)
        try await say("Guten Tag,\n hier: https://example.org/a/long/way?to=it !", by: ann, language: "de")
        try await say(String(repeating: "word ", count: 900), by: ann)
        try await hub().application().test(.router) { client in
            let ids = try await updates(client, token)
            let path = "\(Self.base)/speech/\(ids[0])"
            let first = try await client.send(.get, path, token: token)
            #expect(first.status == .ok && first.headers[.contentType] == "audio/mpeg")
            #expect(first.text == "levelled Ann: Guten Tag, hier: example.org !")
            #expect(said.value == ["de en Ann: Guten Tag, hier: example.org !"])
            // A player asks for a part of the same.
            let part = try await client.execute(
                uri: path, method: .get, headers: [.authorization: "Bearer \(token)", .range: "bytes=9-11"])
            #expect(part.status == .partialContent && part.text == "Ann" && said.value.count == 1)
            // Another device has its own.
            let others = try await updates(client, other)
            let foreign = try await client.send(.get, "\(Self.base)/speech/\(others[0])", token: token)
            #expect(foreign.status == .notFound && foreign.text.contains("not-found"))
            _ = try await client.send(.get, "\(Self.base)/speech/\(others[0])", token: other)
            #expect(said.value.count == 2)
            house.wait(3601)
            _ = try await client.send(.get, path, token: token)
            #expect(said.value.count == 3)

            let long = try await client.send(.get, "\(Self.base)/speech/\(ids[1])", token: token)
            #expect(long.status == .ok)
            let words = try #require(said.value.last)
            #expect(words.hasPrefix("en Ann: word word") && words.count <= "en ".count + 600)
            #expect(try await client.send(.get, path).status == .notFound)
        }
        // Nothing of it is kept.
        let scratch = house.folder.path("hub/uploads")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch).isEmpty)
    }

    @Test func `nothing is read where it is switched off, where there is no voice, or over a voice`() async throws {
        let carla = try await cast.member("carla")
        let dora = try await cast.member("dora")
        let token = try await watching(carla, dora.id)
        let silent = try await watching(carla, dora.id, spoken: false)
        try await say("Words", by: dora.id)
        _ = try await cast.clip(of: dora)
        try await hub().application().test(.router) { client in
            let quiet = try await updates(client, silent)
            let off = try await client.send(.get, "\(Self.base)/speech/\(quiet[0])", token: silent)
            #expect(off.status == .notFound && off.text.contains("problems/no-speech"))
            let ids = try await updates(client, token)
            let clip = try await client.send(.get, "\(Self.base)/speech/\(ids[1])", token: token)
            #expect(clip.status == .notFound && clip.text.contains("problems/no-speech"))
            #expect(said.value.isEmpty)
        }
        try await hub(hasVoice: false).application().test(.router) { client in
            let ids = try await updates(client, token)
            let none = try await client.send(.get, "\(Self.base)/speech/\(ids[0])", token: token)
            #expect(none.status == .notFound && none.text.contains("problems/no-speech"))
        }
        try await hub(refusing: "it takes too long to say").application().test(.router) { client in
            let ids = try await updates(client, token)
            let none = try await client.send(.get, "\(Self.base)/speech/\(ids[0])", token: token)
            #expect(none.status == .notFound && none.text.contains("it takes too long to say"))
        }
    }
}
