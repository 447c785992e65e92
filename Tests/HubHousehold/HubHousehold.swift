package import ChirpCommunity
internal import ChirpCore
package import ChirpNetworks
package import ChirpOwnHub
package import ChirpStores
package import ChirpTestKit
internal import Crypto
package import Foundation
internal import Synchronization

/// A library in a folder of its own, with the store and the network over it, and a clock on the wall that tests can set.
package final class HubHousehold: Sendable {
    /// What links begin with.
    package static let publicURL = "https://clips.example.org"
    /// What the clock shows at first.
    package static let start = Date(timeIntervalSince1970: 1_800_000_000)

    /// Holds the library, and what is saved into it.
    package let folder: TemporaryFolder
    /// What is tested.
    package let library: HubLibrary
    /// The library as a store.
    package let store: HubStore
    /// The library as a network.
    package let network: HubNetwork
    private let time: WallClock

    /// - Parameters:
    ///   - other: nil makes a folder; giving another household opens the same library a second time.
    ///   - away: who fetches what is kept elsewhere.
    package init(
        sharing other: HubHousehold? = nil, limit: Int64? = nil, publicURL: String = HubHousehold.publicURL,
        sound: HubSound? = nil, boards: [BoardTables] = [], away: AwaySound? = nil
    ) throws {
        let folder = try other?.folder ?? TemporaryFolder()
        let time = other?.time ?? WallClock()
        self.folder = folder
        self.time = time
        if other == nil { try FreshLibrary.put(into: folder.path("hub"), boards: boards) }
        library = try HubLibrary(
            folder: folder.path("hub"), limit: limit.map { .init($0) }, reserve: .init(Int64(0)),
            // The folder lasts as long as the library does.
            now: { withExtendedLifetime(folder) { time.now } }, boards: boards, away: away)
        store = HubStore(library: library, publicURL: publicURL, measure: { _ in sound })
        network = HubNetwork(library: library, publicURL: publicURL)
    }

    /// What the clock shows.
    package var now: Date { time.now }
    /// Moves the clock.
    package func wait(_ seconds: Double) { time.advance(seconds) }

    /// Writes a file and describes it.
    package func payload(
        _ bytes: [UInt8], title: String = "A title", name: String = "take.mp3", expires: Date? = nil
    ) throws -> Payload {
        let path = folder.path("source-\(UUID().uuidString)")
        try Data(bytes).write(to: URL(filePath: path))
        let hash = SHA256.hash(data: bytes).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        return Payload(
            path: path, bytes: Int64(bytes.count), sha256: hash.joined(), name: name, title: title, expires: expires)
    }

    /// Saves bytes under a new id; shared unless told otherwise.
    @discardableResult
    package func save(
        _ bytes: [UInt8] = Array("some sound".utf8), title: String = "A title", name: String = "take.mp3",
        expires: Date? = nil, share: Bool = true
    ) async throws -> String {
        let id = try await store.reserve()
        let payload = try payload(bytes, title: title, name: name, expires: expires)
        _ = try await store.save(payload, id: id, checkpoint: UploadCheckpoint())
        if share { _ = try await store.share(id) }
        return id.text
    }

    /// Saves a clip and posts its link.
    @discardableResult
    package func publish(
        _ bytes: [UInt8] = Array("some sound".utf8), title: String = "A title", expires: Date? = nil
    ) async throws -> String {
        let id = try await save(bytes, title: title, expires: expires)
        try await post("\(title) \(Self.publicURL)/c/\(id) #Chirp", link: "\(Self.publicURL)/c/\(id)")
        return id
    }

    /// Posts text.
    @discardableResult
    package func post(_ text: String, link: String = "", key: String = UUID().uuidString) async throws -> Post? {
        try await network.publish(Draft(key: Draft.Key(key), text: text, link: link))
    }

    /// Where clips lie.
    package var mediaFolder: String { folder.path("hub/media") }
    /// The names of what lies there, sorted.
    package func mediaNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: mediaFolder).sorted()
    }
}

/// A clock on the wall that stands still until it is moved.
private final class WallClock: Sendable {
    private let instant = Mutex(HubHousehold.start)
    var now: Date { instant.withLock { $0 } }
    func advance(_ seconds: Double) { instant.withLock { $0 += seconds } }
}
