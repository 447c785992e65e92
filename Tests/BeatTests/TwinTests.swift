import ChirpAccounts
import ChirpBeats
import ChirpBoards
import ChirpCommunity
import ChirpMusic
import Foundation
import GRDB
import HubHousehold
import Testing

/// The same recording is known again, and both sides are told (boards.md 2.3, 3.1; AR-8).
struct TwinTests {
    let cast: BeatCast

    init() async throws { cast = try await BeatCast() }

    /// Tones that change, the same for each seed; `noise` is what another coding adds.
    static func facts(seed: UInt64, noise: Float = 0) throws -> TrackFacts {
        var state = seed
        func next() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(state >> 40) / Float(1 << 24)
        }
        var samples: [Float] = []
        for _ in 0..<80 {
            let tones = (0..<4).map { _ in 250 * powf(2, 3.4 * next()) }
            for frame in 0..<2205 {
                let time = Float(frame) / Float(RecordingPrint.rate)
                samples.append(tones.reduce(0) { $0 + 0.1 * sinf(2 * .pi * $1 * time) })
            }
        }
        state = seed &+ 99
        for index in samples.indices { samples[index] += noise * (next() - 0.5) }
        let trace = try RecordingTrace(of: samples.span)
        var facts = BeatCast.facts(90)
        (facts.print, facts.probes) = (trace.print.bytes, trace.probes)
        return facts
    }

    @Test func `whoever offers what another has sent is told, and may let it appear all the same`() async throws {
        let first = try await cast.offer("First", by: cast.pia, facts: try Self.facts(seed: 1))
        try await cast.offer("Another", by: cast.pia, facts: try Self.facts(seed: 2))
        cast.house.wait(3600)
        let copy = try await cast.offer("Copy", by: cast.rob, facts: try Self.facts(seed: 1, noise: 0.02))
        let track = try await cast.track(copy, for: .member(cast.rob))
        #expect(track.item.state == .draft && track.progress == .ready, "it waits for its author's word")
        let twins = try await cast.tracks.twins(of: track, for: .member(cast.rob))
        let twin = try #require(twins.first)
        #expect(twins.count == 1 && twin.isEarlier && twin.other?.id == first)
        #expect(twin.ownSent.timeIntervalSince(twin.sent) == 3600)
        let original = try await cast.track(first, for: .member(cast.pia))
        let back = try await cast.tracks.twins(of: original, for: .member(cast.pia))
        #expect(back.count == 1 && back.first?.isEarlier == false)
        #expect(back.first?.other == nil, "what does not appear yet is not named")
        try await cast.tracks.publish(copy, by: cast.rob)
        #expect(try await cast.track(copy, for: .visitor).item.state == .open)
        #expect(try await cast.tracks.twins(of: original, for: .member(cast.pia)).first?.other?.id == copy)
    }

    @Test func `one's own recording again appears, and is told of`() async throws {
        try await cast.offer("First", by: cast.pia, facts: try Self.facts(seed: 3))
        let again = try await cast.offer("Again", by: cast.pia, facts: try Self.facts(seed: 3))
        let track = try await cast.track(again, for: .visitor)
        #expect(track.item.state == .open)
        #expect(try await cast.tracks.twins(of: track, for: .member(cast.pia)).count == 1)
    }

    @Test func `what has no print has no twin`() async throws {
        try await cast.offer("Short", by: cast.pia)
        let other = try await cast.offer("Short too", by: cast.rob)
        let track = try await cast.track(other, for: .visitor)
        #expect(try await cast.tracks.twins(of: track, for: .member(cast.rob)).isEmpty)
    }

    @Test func `of two that are compared at the same moment the later one is told of the earlier`() async throws {
        let first = try await cast.made("First", by: cast.pia, try Self.facts(seed: 1))
        cast.house.wait(60)
        let copy = try await cast.made("Copy", by: cast.rob, try Self.facts(seed: 1, noise: 0.02))
        let tracks = cast.tracks
        let early = try await tracks.findings(in: first.master), late = try await tracks.findings(in: copy.master)
        try await cast.library.transact { try tracks.settle(first.item, early, in: $0) }
        try await cast.library.transact { try tracks.settle(copy.item, late, in: $0) }
        #expect(try await cast.track(first.item, for: .visitor).item.state == .open)
        let track = try await cast.track(copy.item, for: .member(cast.rob))
        #expect(track.item.state == .draft && track.progress == .ready, "it waits for its author's word")
        #expect(try await tracks.twins(of: track, for: .member(cast.rob)).first?.other?.id == first.item)
    }

    @Test func `a recording is compared before anybody offers it, and with what comes later when it is offered`()
        async throws
    {
        let first = try await cast.offer("First", by: cast.pia, facts: try Self.facts(seed: 1))
        let master = try await cast.master(of: cast.rob, try Self.facts(seed: 1, noise: 0.02))
        try await cast.tracks.compareWaiting(.unresting)
        // Nobody looks for these keys again: what was found is kept.
        try await cast.library.transact { try $0.execute(sql: "UPDATE trackPrintsGathered SET keys = x''") }
        let second = try await cast.offer("Second", by: cast.pia, facts: try Self.facts(seed: 1, noise: 0.01))
        var draft = TrackDraft(kind: .beat, title: "Copy")
        draft.master = master
        let copy = try await cast.tracks.create(draft, by: cast.rob, key: "copy")
        let track = try await cast.track(copy, for: .member(cast.rob))
        #expect(track.item.state == .draft && track.progress == .ready, "it waits for its author's word")
        let twins = try await cast.tracks.twins(of: track, for: .member(cast.rob))
        #expect(Set(twins.compactMap(\.other?.id)) == [first, second])
        let left = try await cast.library.reading {
            try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM trackComparisons WHERE film = ?", arguments: [master.text])
        }
        #expect(left == 0, "it is kept until it is offered")
    }

    @Test func `one that has gone since it was compared is nobody's twin`() async throws {
        let first = try await cast.offer("First", by: cast.pia, facts: try Self.facts(seed: 1))
        let copy = try await cast.made("Copy", by: cast.rob, try Self.facts(seed: 1, noise: 0.02))
        let tracks = cast.tracks
        let findings = try await tracks.findings(in: copy.master)
        try await cast.library.transact { database in
            try database.execute(sql: "DELETE FROM tracks WHERE item = ?", arguments: [first.text])
            try tracks.settle(copy.item, findings, in: database)
        }
        let track = try await cast.track(copy.item, for: .visitor)
        #expect(track.item.state == .open)
        #expect(try await tracks.twins(of: track, for: .member(cast.rob)).isEmpty)
    }

    @Test func `what was found in another upload, or in another's, is not believed`() async throws {
        let slow = try await cast.made("Slow", by: cast.pia, BeatCast.facts(80))
        let fast = try await cast.made("Fast", by: cast.pia, BeatCast.facts(160))
        let tracks = cast.tracks
        #expect(try await tracks.findings(in: fast.master, of: cast.rob)?.facts == nil)
        let findings = try await tracks.findings(in: fast.master, of: cast.pia)
        #expect(findings?.facts.tempo?.beats == 160)
        try await cast.library.transact { try tracks.settle(slow.item, findings, in: $0) }
        #expect(try await cast.track(slow.item, for: .visitor).facts?.tempo?.beats == 80)
    }
}
