package import HummingbirdCore
package import NIOCore
internal import Synchronization

/// The requests that a server has in hand, counted for the network of whoever asks: over all its connections, and over all streams of HTTP/2 alike.
///
/// A request counts from before its handler begins until the handler has ended, and the last byte of the answer was taken or dropped. That its
/// connection has ended gives nothing back while it is worked on: whoever asks and leaves would have work done without a bound. Event streams
/// count until they begin, and then as streams (``AddressShares/stream(for:account:)``).
package final class RequestsInFlight: Sendable {
    /// One request. It is given back with the last reference, or before.
    package final class Slot: Sendable {
        private let requests: RequestsInFlight
        private let key = Mutex<Key?>(nil)

        fileprivate init(_ requests: RequestsInFlight) { self.requests = requests }

        deinit { leave() }

        /// Counts it, once it is known for whom.
        ///
        /// - Returns: false when the holder has as many of the kind as it may.
        func enter(_ holder: AddressShares.Holder, _ kind: Kind) -> Bool {
            let key = Key(holder: holder, kind: kind)
            let most = kind == .asset ? requests.most * RequestsInFlight.assets : requests.most
            guard requests.counts.withLock({ AddressShares.take(key, most, &$0) }) else { return false }
            self.key.withLock { $0 = key }
            return true
        }

        /// It counts no longer.
        func leave() {
            let key = key.withLock { key in
                defer { key = nil }
                return key
            }
            if let key { requests.counts.withLock { AddressShares.release(key, &$0) } }
        }
    }

    /// The kinds of answers. Each has a share of its own.
    enum Kind: Hashable, Sendable {
        /// A part of the program, which lies in memory once.
        case asset
        /// A file: players that are paused keep their answers waiting, and a page shows many.
        case media
        case other

        init(path: String) {
            self =
                switch RequestClass(path) {
                case .asset: .asset
                case .media: .media
                default:
                    switch path.split(separator: "/", maxSplits: 1).first {
                    case "films", "pictures": .media
                    case "sw.js", "manifest.webmanifest": .asset
                    default: .other
                    }
                }
        }
    }

    /// Those of one network that are counted together.
    private struct Key: Hashable, Sendable {
        let holder: AddressShares.Holder
        let kind: Kind
    }

    /// A browser that keeps the program for hours without a network asks for all of its files at once, more than fifty. They hold no file open.
    private static let assets = 4
    /// Who is worked for; the others wait, those of each network in a queue of their own.
    package let working: KeyedSemaphore<AddressShares.Holder>
    private let most: Int
    private let counts = Mutex<[Key: Int]>([:])
    /// Those whose handler or body is at work, by the channel of their answer.
    private let slots = Mutex<[ObjectIdentifier: Slot]>([:])

    init(_ limits: ConnectionLimits) {
        most = limits.requestsPerAddress
        working = KeyedSemaphore(permits: limits.workingPerAddress)
    }

    /// How many requests are in hand, of all networks.
    package var count: Int { counts.withLock { $0.values.reduce(0, +) } }

    /// The same answers, each with a slot for as long as it is made and written.
    package func counting(
        _ answer: @escaping @concurrent @Sendable (Request, consuming ResponseWriter, any Channel) async throws -> Void
    ) -> @concurrent @Sendable (Request, consuming ResponseWriter, any Channel) async throws -> Void {
        { (request, writer: consuming ResponseWriter, channel) in
            self.begin(on: channel)
            defer { self.slots.withLock { $0[ObjectIdentifier(channel)] = nil } }
            try await answer(request, writer, channel)
        }
    }

    /// That of the request which is answered on a channel; nil where no server answers.
    func slot(on channel: any Channel) -> Slot? { slots.withLock { $0[ObjectIdentifier(channel)] } }

    private func begin(on channel: any Channel) {
        let slot = Slot(self)
        slots.withLock { $0[ObjectIdentifier(channel)] = slot }
        // What was written may wait in the channel long after the handler has ended. This comes there before the answer does.
        let keep = { @Sendable in
            guard let watch = try? channel.pipeline.syncOperations.handler(type: AnswerWatch.self) else { return }
            watch.keep(slot)
        }
        if channel.eventLoop.inEventLoop { keep() } else { channel.eventLoop.execute(keep) }
    }
}
