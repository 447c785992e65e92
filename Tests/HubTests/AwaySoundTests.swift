import ChirpCommunity
import ChirpHub
import ChirpOwnHub
import ChirpStores
import ChirpTestKit
import Foundation
import HTTPTypes
import HubHousehold
import NIOCore
import Testing

/// The bytes of a clip over HTTP whose file is kept in a store.
@Suite struct AwaySoundTests {
    private static let bytes = (0..<100_003).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }

    /// A clip that is in a store alone, and the hub of somebody who fetches it from there, or cannot.
    private func hub(answers: Bool) async throws -> (house: HubHousehold, clip: String) {
        let house = try HubHousehold()
        let id = try await house.publish(Self.bytes)
        let store = FolderStore(FolderStore.Settings(path: house.folder.path("clips")))
        let shelf = ClipShelf(store, patient: store)
        // Its file is of today, and the hub's clock is ahead of that.
        #expect(await ClipMoves(house.library, to: shelf, plan: ClipMoves.Plan(after: 3600), report: { _ in }).look())
        #expect(!FileManager.default.fileExists(atPath: house.library.media.file(try #require(HubID(id)))))
        let away = AwaySound(patience: .seconds(5)) { clip, goal in
            if answers { try? await shelf.fetch(clip, to: goal) }
        }
        return (try HubHousehold(sharing: house, away: away), id)
    }

    private func get(_ house: HubHousehold, _ id: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        try await house.application().application().test(.router) { client in
            try await client.execute(uri: "/media/\(id).mp3", method: .get, headers: headers) { $0 }
        }
    }

    @Test func `it is fetched for who asks, in whole or in part`() async throws {
        let (house, id) = try await hub(answers: true)
        let part = try await get(house, id, [.range: "bytes=100-199"])
        #expect(part.status == .partialContent)
        #expect(Array(buffer: part.body) == Array(Self.bytes[100..<200]))
        let whole = try await get(house, id)
        #expect(whole.status == .ok && Array(buffer: whole.body) == Self.bytes)
    }

    @Test func `while the store does not answer nobody is told that there is none`() async throws {
        let (house, id) = try await hub(answers: false)
        let response = try await get(house, id)
        #expect(response.status == .serviceUnavailable)
        #expect(response.headers[.retryAfter] == "10")
        #expect(String(buffer: response.body).contains("kept elsewhere and cannot be had now"))
        // What the browser has already needs no bytes.
        let known = try await get(house, id, [.ifNoneMatch: "*"])
        #expect(known.status == .notModified)
    }
}
