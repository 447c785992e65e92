internal import ChirpCommunity
internal import ChirpCore
internal import ChirpHTTP
internal import ChirpNetworks
internal import FoundationEssentials
internal import Logging
internal import ServiceLifecycle
internal import Synchronization

/// Reads another network for one frame. Each look reads behind the place of the one before and writes down what it finds, so nothing is
/// missed or comes twice, whatever a stream repeats or leaves out.
struct FrameWatcher: Sendable {
    let desk: FrameDesk
    let frame: FrameDevice.ID

    private struct Places: Codable {
        var posts: String?
        var messages: String?
    }

    /// - Returns: false when there is nothing to watch any more.
    @discardableResult
    func look() async throws -> Bool {
        guard let device = try await desk.library.frame(frame), device.step == .watch,
            let remote = desk.seal.open(FrameRemote.self, device.sealed, of: frame), let vip = remote.vip,
            let network = desk.elsewhere.network(remote, of: frame, desk)
        else { return false }
        var places = device.cursor.flatMap { try? JSONDecoder().decode(Places.self, from: Data($0.utf8)) } ?? Places()
        let isFirst = device.cursor == nil
        let person = Account.ID(vip.id)
        do throws(NetworkError) {
            var (posts, messages) = ([] as [Post], [] as [Post])
            var isSpent = false
            do throws(NetworkError) {
                let found = try await network.posts(of: person, after: places.posts)
                // There is always a place from now on, also for who has posted nothing yet.
                (posts, places.posts) = (found.posts, found.next ?? "0")
                if remote.readsMessages ?? true {
                    let found = try await network.messages(from: person, after: places.messages)
                    (messages, places.messages) = (found.posts, found.next ?? "0")
                }
            } catch {
                switch error {
                // The month's cap is reached: what has come till then is shown.
                case .overBudget: isSpent = true
                // Some servers have no conversations, or do not let programs read them; a sign-in that has ended is another matter.
                case .refused where places.posts != nil, .forbidden where places.posts != nil: break
                default: throw error
                }
            }
            try await tell(isSpent, device)
            if isSpent, posts.isEmpty, messages.isEmpty { return true }
            let ids = Set(messages.map(\.id))
            let findings =
                posts.filter { !ids.contains($0.id) }.map { finding($0, .post, vip) }
                + messages.map { finding($0, .message, vip) }
            let cursor = (try? JSONEncoder().encode(places)).map { String(decoding: $0, as: UTF8.self) }
            try await keep(findings.compactMap { $0 }.sorted { $0.created < $1.created }, for: device, cursor, isFirst)
            return true
        } catch {
            if case .signedOut = error {
                try await desk.library.endFrame(frame, why: .revoked)
                return false
            }
            throw error
        }
    }

    /// Whoever stands before the screen reads why nothing comes, and no more of it when it does.
    private func tell(_ isSpent: Bool, _ device: FrameDevice) async throws(NetworkError) {
        guard isSpent != (device.why == Self.spent) else { return }
        var change = HubLibrary.FrameChange()
        change.why = .some(isSpent ? Self.spent : nil)
        do throws(LibraryError) { try await desk.library.change(frame, change) } catch {
            throw .inputOutput(path: "hub.sqlite", reason: error.whatHappened)
        }
    }

    /// Why nothing comes from a network that takes money.
    private static let spent = "budget"

    private func keep(
        _ findings: [FrameFinding], for device: FrameDevice, _ cursor: String?, _ areShown: Bool
    ) async throws(NetworkError) {
        do throws(LibraryError) {
            try await desk.library.keep(findings, for: device, cursor: cursor, areShown: areShown)
        } catch {
            throw .inputOutput(path: "hub.sqlite", reason: error.whatHappened)
        }
    }

    private func finding(_ post: Post, _ kind: FrameUpdate.Kind, _ vip: FrameRemote.Person) -> FrameFinding? {
        // Where asking for the author of each post costs, the network is not asked: it is the person who is shown.
        let isNamed = !post.author.displayName.isEmpty
        let said = FrameRemote.Said(
            text: PlainText(post.text, limit: 5000).value, handle: isNamed ? post.author.handle : vip.handle,
            name: isNamed ? post.author.displayName : vip.name, audio: post.audio.first)
        return desk.seal.close(said, of: frame).map {
            FrameFinding(origin: post.id.text, kind: kind, sealed: $0, created: post.created)
        }
    }

    /// Looks whenever it is worth it, until the frame has ended or the task is cancelled.
    func run(_ log: FrameLog) async {
        while !Task.isCancelled {
            guard let device = try? await desk.library.frame(frame), device.step == .watch,
                let remote = desk.seal.open(FrameRemote.self, device.sealed, of: frame),
                let looks = desk.elsewhere.looks(remote, of: frame, desk)
            else { return }
            var failures = 0
            for await _ in looks {
                do {
                    guard try await look() else { return }
                    failures = 0
                } catch {
                    // Nobody before the screen is told: it goes on by itself.
                    failures += 1
                    log.note(error, desk)
                    let wait = desk.elsewhere.retry.delay(
                        afterAttempt: failures, asked: Self.asked(error), jitter: desk.elsewhere.pause.jitter())
                    guard await desk.elsewhere.pause.wait(wait ?? FramePolling.looking) else { return }
                }
            }
        }
    }

    /// How long the service asks to be left alone; at most a quarter of an hour.
    private static func asked(_ error: any Error) -> Duration? {
        guard case NetworkError.busy(let wish?) = error else { return nil }
        return min(wish, .seconds(900))
    }
}

/// Says what went wrong at other networks: once for each kind and quarter of an hour.
final class FrameLog: Sendable {
    private let last = Mutex<[String: Date]>([:])

    /// Whether it was written.
    @discardableResult
    func note(_ error: any Error, _ desk: FrameDesk) -> Bool {
        let (kind, now) = (Self.kind(error), desk.library.now())
        let isDue = last.withLock { last in
            guard last[kind].map({ abs(now.timeIntervalSince($0)) >= 900 }) ?? true else { return false }
            last[kind] = now
            return true
        }
        guard isDue else { return false }
        desk.logger.warning("a frame waits: \((error as? any Explained)?.whatHappened ?? "something went wrong")")
        return true
    }

    private static func kind(_ error: any Error) -> String {
        guard let error = error as? NetworkError else { return "other" }
        return switch error {
        case .busy: "busy"
        case .unreachable: "unreachable"
        case .forbidden: "forbidden"
        case .refused(let status, _): "refused \(status)"
        default: "other"
        }
    }
}

/// Watches for every frame that shows somebody from another network: one watcher a frame, which ends with it.
package struct FrameService: Service {
    let desk: FrameDesk

    package init(desk: FrameDesk) { self.desk = desk }

    package func run() async throws {
        await cancelWhenGracefulShutdown { await watchAll() }
    }

    private func watchAll() async {
        let log = FrameLog()
        var tasks: [FrameDevice.ID: (sealed: [UInt8]?, task: Task<Void, Never>)] = [:]
        let desk = desk
        desk.elsewhere.changes.continuation.yield()
        for await _ in desk.elsewhere.changes.stream {
            guard let frames = try? await desk.library.framesElsewhere() else { continue }
            let wanted = Dictionary(frames.map { ($0.id, $0.sealed) }) { first, _ in first }
            for (id, running) in tasks where wanted[id] != .some(running.sealed) {
                running.task.cancel()
                tasks[id] = nil
            }
            for frame in frames where tasks[frame.id] == nil {
                let watcher = FrameWatcher(desk: desk, frame: frame.id)
                tasks[frame.id] = (frame.sealed, Task { await watcher.run(log) })
            }
        }
        for running in tasks.values { running.task.cancel() }
        for running in tasks.values { await running.task.value }
    }
}
