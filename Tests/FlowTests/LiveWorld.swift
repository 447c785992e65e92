import ChirpAudio
import ChirpCore
import ChirpFiles
import ChirpFlows
import ChirpJournal
import ChirpNetworks
import ChirpTestKit
import Foundation
import Synchronization

/// A listener with two networks, a journal and a cache; what is fetched and heard is made up, the rest is real.
final class LiveWorld: Sendable {
    static let alice = Account(id: Account.ID("a"), handle: "alice", displayName: "Alice")
    static let bob = Account(id: Account.ID("b"), handle: "bob", displayName: "Bob")
    static let start = Date(timeIntervalSince1970: 1_800_000_000)

    let folder: TemporaryFolder
    let journal: Journal
    let clock = VirtualClock()
    let networks: [MemoryNetwork]
    private let bells: [Bell]
    /// Links whose fetch fails, and why.
    let failures = Mutex<[String: NetworkError]>([:])
    /// Called in the middle of each fetch and of each playing, with the link.
    let whileFetching = Mutex<(@Sendable (String) async -> Void)?>(nil)
    let whilePlaying = Mutex<(@Sendable (String) async -> Void)?>(nil)
    let bytes = Mutex(1000)
    /// Whether all events are kept, or only counted.
    let remembers = Mutex(true)
    private let log = Mutex<(heard: [String], events: [LiveEvent], detected: Int, played: Int)>(([], [], 0, 0))

    /// Rings for a network that has something new.
    private final class Bell: Sendable {
        private let listeners = Mutex<[AsyncStream<Void>.Continuation]>([])

        func stream() -> AsyncStream<Void> {
            let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            listeners.withLock { $0.append(continuation) }
            continuation.yield()
            return stream
        }

        func ring() { listeners.withLock { $0 }.forEach { $0.yield() } }
    }

    /// - Parameter most: posts that a network keeps.
    init(folder: TemporaryFolder? = nil, most: Int = .max) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        journal = try Journal(path: folder.path("journal.sqlite"))
        let clock = clock
        networks = ["one", "two"].map { name in
            MemoryNetwork(
                name: name, friends: [Self.alice, Self.bob], most: most, now: { Self.start + clock.now / .seconds(1) })
        }
        bells = networks.map { _ in Bell() }
    }

    /// What was heard, by link, in order.
    var heard: [String] { log.withLock { $0.heard } }
    var events: [LiveEvent] { log.withLock { $0.events } }
    var detected: Int { log.withLock { $0.detected } }
    var played: Int { log.withLock { $0.played } }
    var reasons: [String] {
        events.compactMap { if case .skipped(_, let because) = $0 { because } else { nil } }
    }

    static func link(_ number: Int) -> String { "https://hub.example/c/clip\(number)" }
    private static func media(_ number: Int) -> String { "https://hub.example/media/clip\(number).mp3" }

    /// Somebody posts a clip.
    func post(_ number: Int, on network: Int = 0, by author: Account = LiveWorld.alice, text: String = "hello #Chirp") {
        networks[network].receive("\(text) \(Self.link(number))", link: Self.link(number), by: author)
        bells[network].ring()
    }

    func ring() { bells.forEach { $0.ring() } }

    func ports() -> LivePorts {
        var ports = LivePorts(
            journal: journal, cache: ClipCache(path: folder.path("cache")),
            sources: zip(networks, bells).map { network, bell in
                LiveSource(network, batch: 1000, signals: { bell.stream() })
            },
            links: ClipLinks(hubs: ["https://hub.example"]),
            fetch: { [self] (clip, path, _) async throws(NetworkError) in
                guard case .hub(let address) = clip else { throw .unsupported("fetch that") }
                await whileFetching.withLock { $0 }?(address)
                if Task.isCancelled { throw .cancelled }
                if let failure = failures.withLock({ $0[address] }) { throw failure }
                let size = bytes.withLock { $0 }
                guard FileManager.default.createFile(atPath: path, contents: Data(count: size)) else {
                    throw .inputOutput(path: path, reason: "no file")
                }
                return ClipDownloader.Download(bytes: Int64(size), sha256: nil)
            },
            measure: { (_, _, _) async throws(AudioError) in ClipFacts(seconds: 5, gain: .zero) },
            play: { [self] (clip, path, started, _) async throws(AudioError) in
                guard FileManager.default.fileExists(atPath: path) else {
                    throw .missing(path: path, reason: "no file")
                }
                let (name, skipped) = (Self.name(clip), Flag())
                log.withLock { $0.heard.append(name) }
                started(PlaybackRemote(pause: {}, resume: {}, skip: { skipped.raise() }))
                await whilePlaying.withLock { $0 }?(name)
                if Task.isCancelled { throw .cancelled }
            })
        ports.now = { [clock] in Self.start + clock.now / .seconds(1) }
        ports.uptime = { [clock] in clock.now }
        ports.sleep = { [clock] in await clock.sleep($0) }
        ports.jitter = { 0.5 }
        ports.report = { [self] _, event in
            let remembers = remembers.withLock { $0 }
            log.withLock { log in
                if case .detected = event { log.detected += 1 }
                if case .played = event { log.played += 1 }
                if remembers { log.events.append(event) }
            }
        }
        return ports
    }

    func session(
        _ choice: LiveWindow.Choice = .open, accounts: [Account] = [LiveWorld.alice, LiveWorld.bob],
        catchUp: Duration = .zero, pause: Duration = .zero, change: (inout LiveRules) -> Void = { _ in }
    ) throws -> LiveSession {
        var rules = LiveRules()
        rules.pause = pause
        change(&rules)
        let ports = ports()
        let window = try LiveWindow(choice, now: ports.now(), zone: .gmt)
        return LiveSession(
            ports, window: window,
            accounts: networks.flatMap { network in
                accounts.map { LiveAccount(network: network.properties.name, account: $0) }
            }, catchUp: catchUp, rules: rules)
    }

    /// `clip7` of its address.
    private static func name(_ clip: PlayRecord) -> String {
        clip.address.split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? ""
    }

    /// Runs a session while a story is told, then stops it.
    func run(_ session: LiveSession, _ story: @escaping @Sendable () async throws -> Void) async throws {
        async let ended: Void = session.run()
        do { try await story() } catch {
            session.send(.stop)
            throw error
        }
        session.send(.stop)
        try await ended
    }

    /// Waits until something holds, watching it; the limit is generous and only for failures.
    func until(_ condition: () -> Bool) async {
        await ChirpTestKit.until(.seconds(60), condition)
    }
}

/// Something that has happened or not.
final class Flag: Sendable {
    private let raised = Mutex(false)
    func raise() { raised.withLock { $0 = true } }
    var isRaised: Bool { raised.withLock { $0 } }
}
