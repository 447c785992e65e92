import ChirpAccounts
import ChirpBeats
import ChirpBoards
import ChirpCommunity
import ChirpMusic
import ChirpWeb
import Foundation
import Synchronization
import Testing

/// Pia's track, whose previews tell whose they are, with something scripted that makes them: the file of one holds its pattern, and so does a copy.
struct TaggingCast {
    let beats: BeatCast
    let track: HubID
    let script = Script()

    var store: TrackStore { beats.tracks }

    static let slots = TagSlots(beats: [], loudestSecond: 30, length: 120, voice: 1)
    static let common = TagPlan(slots, seed: 1)

    /// What is to go wrong, and what was asked for.
    final class Script: Sendable {
        private struct State {
            var failures: [ListenerTagging.Failure] = []
            var orders: [ListenerTagging.Order] = []
        }
        private let state = Mutex(State())

        var orders: [ListenerTagging.Order] { state.withLock { $0.orders } }

        func fail(_ failures: ListenerTagging.Failure...) { state.withLock { $0.failures = failures } }

        fileprivate func next() -> ListenerTagging.Failure? {
            state.withLock { $0.failures.isEmpty ? nil : $0.failures.removeFirst() }
        }

        fileprivate func note(_ order: ListenerTagging.Order) { state.withLock { $0.orders.append(order) } }
    }

    init() async throws {
        beats = try await BeatCast()
        track = try await beats.offer("Slow rain", by: beats.pia)
    }

    var tagging: ListenerTagging {
        let script = script
        return ListenerTagging(
            prepare: { (_, _, person) async throws(ListenerTagging.Failure) in
                if let failure = script.next() { throw failure }
                return ListenerTagging.Ground(slots: Self.slots, common: Self.common, voice: Array(person.utf8))
            },
            make: { (order) async throws(ListenerTagging.Failure) in
                script.note(order)
                if let failure = script.next() { throw failure }
                do { try Self.file(order.places).write(to: URL(filePath: order.goal)) } catch {
                    throw .notNow("\(error)")
                }
            },
            hear: { (copy, _, _) async throws(ListenerTagging.Failure) in
                if let failure = script.next() { throw failure }
                guard let data = try? Data(contentsOf: URL(filePath: copy)),
                    let places = try? JSONDecoder().decode([Double].self, from: data)
                else { throw .refused("it is no sound") }
                return Self.leak(places)
            })
    }

    static func file(_ places: [Double]) throws -> Data { try JSONEncoder().encode(places) }

    /// Half a minute of a preview with such a pattern; without one it is of another track.
    private static func leak(_ places: [Double]) -> TaggedLeak {
        guard !places.isEmpty else { return TaggedLeak(fits: [], voice: 1) }
        let tags = places.filter { (40..<69).contains($0) }.map { TaggedLeak.Tag(seconds: $0, match: 0.8) }
        return TaggedLeak(fits: [.init(from: 40, to: 70, speed: 1, likeness: 0.9, tags: tags)], voice: 1)
    }

    /// It is switched on, and where a voice may be heard is known.
    func begin() async throws {
        try await store.setTag(true, of: track, by: beats.pia)
        #expect(try await store.prepareNextTag(by: tagging))
    }

    /// One is asked for, and made.
    func make(for account: AccountID, most: Int64 = 1000_000) async throws {
        try await store.askForOwnPreview(of: track, for: account)
        #expect(try await store.makeNextOwnPreview(by: tagging, most: most))
    }

    func file(of account: AccountID) async throws -> OwnPreview.File {
        guard case .ready(let file) = try await store.ownPreview(of: track, for: account) else { throw Unexpected() }
        return file
    }

    func owner(of bytes: Data) async throws -> CopyFindings.Owner {
        try await store.owner(ofCopy: SentFile(Array(bytes)), of: track, by: beats.pia, tagging: tagging).owner
    }
}
