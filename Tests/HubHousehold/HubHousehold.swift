import ChirpCore
import ChirpHub
import ChirpNetworks
import ChirpStores
import ChirpTestKit
import Crypto
import Foundation
import Logging
import Synchronization

/// A library in a folder of its own, with the store and the network over it, and a clock on the wall that tests can set.
final class HubHousehold: Sendable {
    static let publicURL = "https://clips.example.org"
    static let start = Date(timeIntervalSince1970: 1_800_000_000)

    let folder: TemporaryFolder
    let library: HubLibrary
    let store: HubStore
    let network: HubNetwork
    private let time: WallClock

    /// - Parameter folder: nil makes one; giving that of another household opens the same library a second time.
    init(
        sharing other: HubHousehold? = nil, limit: Int64? = nil, publicURL: String = HubHousehold.publicURL,
        sound: HubSound? = nil
    ) throws {
        let folder = try other?.folder ?? TemporaryFolder()
        let time = other?.time ?? WallClock()
        self.folder = folder
        self.time = time
        library = try HubLibrary(
            folder: folder.path("hub"), limit: limit.map { .init($0) }, reserve: .init(Int64(0)),
            // The folder lasts as long as the library does.
            now: { withExtendedLifetime(folder) { time.now } })
        store = HubStore(library: library, publicURL: publicURL, measure: { _ in sound })
        network = HubNetwork(library: library, publicURL: publicURL)
    }

    var now: Date { time.now }
    func wait(_ seconds: Double) { time.advance(seconds) }

    /// Writes a file and describes it.
    func payload(
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
    func save(
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
    func publish(
        _ bytes: [UInt8] = Array("some sound".utf8), title: String = "A title", expires: Date? = nil
    ) async throws -> String {
        let id = try await save(bytes, title: title, expires: expires)
        try await post("\(title) \(Self.publicURL)/c/\(id) #Chirp", link: "\(Self.publicURL)/c/\(id)")
        return id
    }

    @discardableResult
    func post(_ text: String, link: String = "", key: String = UUID().uuidString) async throws -> Post? {
        try await network.publish(Draft(key: Draft.Key(key), text: text, link: link))
    }

    func application(_ settings: HubSettings? = nil, clock: any Clock<Duration> = ContinuousClock()) throws
        -> HubApplication
    {
        try HubApplication(
            settings: settings ?? HubSettings(port: 0, publicURL: Self.publicURL), library: library,
            logger: Self.logger, clock: clock)
    }

    /// Errors only.
    static var logger: Logger {
        var logger = Logger(label: "hub.tests")
        logger.logLevel = .critical
        return logger
    }

    var mediaFolder: String { folder.path("hub/media") }
    func mediaNames() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: mediaFolder).sorted() }
}

/// A clock on the wall that stands still until it is moved.
private final class WallClock: Sendable {
    private let instant = Mutex(HubHousehold.start)
    var now: Date { instant.withLock { $0 } }
    func advance(_ seconds: Double) { instant.withLock { $0 += seconds } }
}

/// A clock on which every wait is over at once.
struct HurriedClock: Clock {
    var now: ContinuousClock.Instant { ContinuousClock.now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        await Task.yield()
    }
}
