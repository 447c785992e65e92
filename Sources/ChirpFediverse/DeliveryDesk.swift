internal import ChirpCommunity
internal import ChirpCore
internal import ChirpFederation
internal import ChirpHTTP
internal import FoundationEssentials
internal import Synchronization

/// Delivers what waits in the tables, several servers at once and each in the order of what happened.
///
/// What a server has taken is marked then; a hub that is killed in between delivers it again under the same id, which the server knows.
package struct DeliveryDesk: Sendable {
    let library: HubLibrary
    let documents: HubDocuments
    let client: FederationClient
    let clock: any Clock<Duration>
    let say: @Sendable (String) -> Void
    private let bell = Bell()
    private let schemes = SchemeMemory()

    /// How many servers are spoken with at once. Some answer slowly on purpose.
    static let atOnce = 16
    /// How many deliveries a server gets before others have their turn.
    static let perTurn = 50
    /// How long the loop sleeps when nothing waits, in seconds. What another process posts rings no bell here.
    static let rest = 10.0

    init(
        library: HubLibrary, documents: HubDocuments, client: FederationClient, clock: any Clock<Duration>,
        say: @escaping @Sendable (String) -> Void
    ) {
        (self.library, self.documents, self.client, self.clock, self.say) = (library, documents, client, clock, say)
    }

    private enum Event {
        case ended(host: String)
        case woken
    }

    /// Delivers whenever something waits, until cancelled; then what is on its way is given up, and waits for the next start.
    package func run() async {
        // Whoever posts or deletes knows nothing of other servers.
        let endWatching = library.deliveriesChanged { [bell] in bell.ring() }
        defer { endWatching() }
        await withTaskGroup(of: Event.self) { group in
            var busy: Set<String> = []
            var isWaiting = false
            while !Task.isCancelled {
                for host in await due(beside: busy) {
                    busy.insert(host)
                    group.addTask {
                        await self.serve(host)
                        return .ended(host: host)
                    }
                }
                if !isWaiting {
                    isWaiting = true
                    let pause = await pause(isBusy: !busy.isEmpty)
                    group.addTask {
                        try? await self.bell.wait(.seconds(pause), self.clock)
                        return .woken
                    }
                }
                switch await group.next() {
                case .ended(let host): busy.remove(host)
                case .woken: isWaiting = false
                case nil: break
                }
            }
            group.cancelAll()
        }
    }

    /// Delivers what is due, and returns when nothing is.
    package func round() async {
        while !Task.isCancelled {
            let hosts = await due(beside: [])
            if hosts.isEmpty { return }
            await withTaskGroup(of: Void.self) { group in
                for host in hosts { group.addTask { await self.serve(host) } }
            }
        }
    }

    private func due(beside busy: Set<String>) async -> [String] {
        guard busy.count < Self.atOnce else { return [] }
        do throws(LibraryError) {
            let hosts = try await library.dueHosts(most: Self.atOnce + busy.count)
            return Array(hosts.filter { !busy.contains($0) }.prefix(Self.atOnce - busy.count))
        } catch {
            tell(error)
            return []
        }
    }

    private func pause(isBusy: Bool) async -> Double {
        let next = (try? await library.nextDelivery()) ?? nil
        // A clock that was set back must not keep anything for longer.
        return min(Self.rest, max(isBusy ? 5 : 1, next.map { $0.timeIntervalSince(library.now()) } ?? Self.rest))
    }

    private func serve(_ host: String) async {
        do throws(LibraryError) {
            for _ in 0..<Self.perTurn {
                guard !Task.isCancelled, let delivery = try await library.nextDelivery(to: host),
                    try await deliver(delivery)
                else { return }
            }
        } catch {
            tell(error)
            // What cannot be written down is not tried again at once.
            try? await clock.sleep(for: .seconds(5))
        }
    }

    /// - Returns: whether the server may have the next one.
    private func deliver(_ delivery: FederationDelivery) async throws(LibraryError) -> Bool {
        guard let activity = try await documents.activity(delivery), let inbox = WebAddress(delivery.inbox),
            let signer = documents.signer(delivery.actor)
        else {
            try await library.deliveryEnded(delivery, wasSent: false, isAlive: false)
            return true
        }
        let outcome = await client.deliver(
            activity.document.bytes, to: inbox, signer: signer, first: schemes[delivery.host])
        switch outcome {
        case .cancelled: return false
        case .accepted(let scheme):
            schemes[delivery.host] = scheme
            try await library.deliveryEnded(delivery, wasSent: true)
        case .refused(let reason):
            say("\(delivery.host) does not take what happened here: \(reason)")
            try await library.deliveryEnded(delivery, wasSent: false)
        case .gone: try await library.inboxGone(delivery)
        case .later(let reason, let after):
            let pause = max(Self.pause(after: delivery.tries), after.map { Double($0.components.seconds) } ?? 0)
            let rests = try await library.deliveryFailed(
                delivery, next: library.now().addingTimeInterval(min(pause, Self.longestPause)),
                reason: PlainText(reason, limit: 200).value)
            if rests { say("\(delivery.host) has failed on seven days; nothing is sent there until it is heard of") }
            return false
        }
        return true
    }

    private func tell(_ error: LibraryError) {
        if error != .cancelled { say("what other servers are told cannot be looked at: \(error.whatHappened)") }
    }

    /// A server may ask for so much time, in seconds.
    static let longestPause = 7 * 24 * 3600.0

    /// Seconds until something is tried again.
    static func pause(after tries: Int) -> Double {
        let pauses: [Double] = [120, 600, 1800, 3600, 2 * 3600, 4 * 3600, 8 * 3600]
        return tries < pauses.count ? pauses[max(0, tries)] : 12 * 3600
    }
}

/// By which scheme each server has taken something last, so that it is not asked twice each time. A restart forgets it.
private final class SchemeMemory: Sendable {
    private let known = Mutex<[String: SignatureScheme]>([:])
    private static let most = 5000

    subscript(host: String) -> SignatureScheme {
        get { known.withLock { $0[host] ?? .cavage } }
        set {
            known.withLock { known in
                if known.count >= Self.most, known[host] == nil { known.removeAll() }
                known[host] = newValue
            }
        }
    }
}
