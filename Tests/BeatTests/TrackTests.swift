import ChirpAccounts
import ChirpBeats
import ChirpBoards
import ChirpCommunity
import Foundation
import HubHousehold
import Testing

/// Tracks without HTTP: who may offer what, when they appear, what stays and what goes (AR-2, AR-9, AR-16, AR-17).
@Suite struct TrackTests {
    private let cast: BeatCast

    init() async throws { cast = try await BeatCast() }

    @Test func `a role says what one may offer, and another role leaves what exists`() async throws {
        let beat = try await cast.offer("Slow", by: cast.pia)
        let master = try await cast.master(of: cast.ari)
        var draft = TrackDraft(kind: .beat, title: "No")
        draft.master = master
        await #expect(throws: TrackRefusal.role(.beat)) {
            try await cast.tracks.create(draft, by: cast.ari, key: "a")
        }
        draft.kind = .open
        let open = try await cast.tracks.create(draft, by: cast.ari, key: "a")
        #expect(try await cast.track(open, for: .visitor).kind == .open)
        await #expect(throws: TrackRefusal.role(.open)) {
            try await cast.offer("No", by: cast.uma, kind: .open)
        }
        try await cast.roles.choose([], for: cast.pia)
        #expect(try await cast.roles.roles(of: cast.pia) == [.user])
        #expect(try await cast.track(beat, for: .visitor).item.title == "Slow", "what exists stays")
        await #expect(throws: TrackRefusal.role(.beat)) { try await cast.offer("Another", by: cast.pia) }
        try await cast.roles.choose([.producer, .artist, .user], for: cast.pia)
        #expect(try await cast.roles.roles(of: cast.pia) == [.producer, .artist])
    }

    @Test func `a track appears when its recording was listened to, once, whatever died in between`() async throws {
        let master = try await cast.sent(by: cast.pia)
        var draft = TrackDraft(kind: .beat, title: "Waits")
        draft.master = master
        let id = try await cast.tracks.create(draft, by: cast.pia, key: "k")
        #expect(try await cast.tracks.create(draft, by: cast.pia, key: "k") == id, "sent twice it is one")
        #expect(try await cast.tracks.track(id, for: .visitor) == nil)
        #expect(try await cast.track(id, for: .member(cast.pia)).progress == .checking)
        #expect(try await cast.tracks.settleMade() == 0)
        let key = Tonality(tonic: 9, isMinor: true)
        try await cast.hear(master, of: cast.pia, BeatCast.facts(93.6, other: 187.2, key: key, description: [0.5, -2]))
        // A process that died here has left the rest to the next one.
        #expect(try await cast.track(id, for: .member(cast.pia)).progress == .made)
        #expect(try await cast.tracks.settleMade() == 1)
        #expect(try await cast.tracks.settleMade() == 0)
        let track = try await cast.track(id, for: .visitor)
        #expect(track.item.state == .open && track.progress == .ready && track.item.clip != nil)
        let facts = try #require(track.facts)
        #expect(facts.tempo?.beats == 93.6 && facts.tempo?.other == 187.2 && facts.key?.tonality == key)
        #expect(facts.description == [0.5, -2] && facts.milliseconds == 61_000 && facts.loudness == -9.5)
    }

    @Test func `a recording that was refused says why, and another one takes its place`() async throws {
        let master = try await cast.sent(by: cast.pia)
        var draft = TrackDraft(kind: .beat, title: "Noise")
        draft.master = master
        let id = try await cast.tracks.create(draft, by: cast.pia, key: "k")
        try await cast.library.refuse(master, because: "it is no sound")
        let refused = try await cast.track(id, for: .member(cast.pia))
        #expect(refused.progress == .refused && refused.why == "it is no sound" && refused.item.state == .draft)
        await #expect(throws: TrackRefusal.notReady) { try await cast.tracks.publish(id, by: cast.pia) }
        draft.master = try await cast.master(of: cast.pia)
        try await cast.tracks.edit(id, version: nil, to: draft, by: cast.pia)
        #expect(try await cast.track(id, for: .visitor).progress == .ready)
        draft.master = try await cast.master(of: cast.pia)
        await #expect(throws: TrackRefusal.fields([.track: .settled])) {
            try await cast.tracks.edit(id, version: nil, to: draft, by: cast.pia)
        }
    }

    @Test func `a recording is its owner's, of one track, and a track at all`() async throws {
        let used = try await cast.offer("First", by: cast.pia)
        let own = try #require(try await cast.track(used, for: .member(cast.pia)).master)
        let others = try await cast.master(of: cast.rob)
        for (master, fault) in [(own, TrackFault.used), (others, .notYours), (HubID(), .notYours)] {
            var draft = TrackDraft(kind: .beat, title: "Second")
            draft.master = master
            await #expect(throws: TrackRefusal.fields([.track: fault])) {
                try await cast.tracks.create(draft, by: cast.pia, key: "k\(master)")
            }
        }
    }

    @Test func `a draft waits for its author's word`() async throws {
        let id = try await cast.offer("Later", by: cast.pia) { $0.appears = false }
        #expect(try await cast.tracks.track(id, for: .visitor) == nil)
        #expect(try await cast.track(id, for: .member(cast.pia)).progress == .ready)
        await #expect(throws: TrackRefusal.item(.notFound)) { try await cast.tracks.publish(id, by: cast.rob) }
        try await cast.tracks.publish(id, by: cast.pia)
        #expect(try await cast.track(id, for: .visitor).item.state == .open)
        await #expect(throws: TrackRefusal.item(.state(.open))) { try await cast.tracks.publish(id, by: cast.pia) }
    }

    @Test func `a price that is changed says what it is now, and the words by which it is found follow`() async throws {
        let id = try await cast.offer("Dear", by: cast.pia) { $0.price = .amount(12_000, .eur) }
        #expect(try await cast.found { $0.tokens = ["zrpfrom100"] } == ["Dear"])
        var draft = TrackDraft(try await cast.track(id, for: .member(cast.pia)))
        draft.price = .free
        try await cast.tracks.edit(id, version: nil, to: draft, by: cast.pia)
        #expect(try await cast.track(id, for: .visitor).price == .free)
        #expect(try await cast.found { $0.tokens = ["zrpfrom100"] }.isEmpty)
        #expect(try await cast.found { $0.tokens = ["zrpfree"] } == ["Dear"])
    }

    @Test func `versions of a work leave the shop together when it is sold`() async throws {
        let first = try await cast.offer("Plain", by: cast.pia)
        let second = try await cast.offer("With a hook", by: cast.pia) { $0.versionOf = first }
        let other = try await cast.offer("Other", by: cast.pia)
        let work = try await cast.track(first, for: .visitor).work
        #expect(try await cast.tracks.versions(of: work, for: .visitor).map(\.id) == [first, second])
        await #expect(throws: TrackRefusal.fields([.versionOf: .notYours])) {
            try await cast.offer("Stolen", by: cast.rob) { $0.versionOf = first }
        }
        for _ in 0..<2 { try await cast.library.transact { try cast.tracks.sell(work, in: $0) } }
        for id in [first, second] {
            let track = try await cast.track(id, for: .visitor)
            #expect(track.item.state == .settled && track.item.outcome == TrackOutcome.sold)
        }
        // A draft that is sold is seen by nobody but its author, who cannot offer it again.
        let made = try await cast.offer("Made for one", by: cast.pia) { $0.appears = false }
        let own = try await cast.track(made, for: .member(cast.pia))
        try await cast.library.transact { try cast.tracks.sell(own.work, in: $0) }
        let sold = try await cast.track(made, for: .member(cast.pia))
        #expect(sold.item.state == .withdrawn && sold.item.outcome == TrackOutcome.sold)
        guard case .gone = try await cast.tracks.track(made, for: .visitor) else {
            Issue.record("it is shown to a visitor")
            return
        }
        await #expect(throws: TrackRefusal.item(.state(.withdrawn))) {
            try await cast.tracks.publish(made, by: cast.pia)
        }
        #expect(try await cast.found { _ in } == ["Other"])
        #expect(try await cast.track(other, for: .visitor).item.state == .open)
        await #expect(throws: TrackRefusal.fields([.versionOf: .used])) {
            try await cast.offer("Third", by: cast.pia) { $0.versionOf = first }
        }
    }

    @Test func `what somebody is paying for stays until that is over`() async throws {
        let id = try await cast.offer("Reserved", by: cast.pia)
        let held = TrackStore(library: cast.library) { _, _ in "Somebody is paying" }
        await #expect(throws: TrackRefusal.held("Somebody is paying")) { try await held.retire(id, by: cast.pia) }
        await #expect(throws: TrackRefusal.held("Somebody is paying")) {
            try await held.withdraw(id, reason: "", by: cast.pia)
        }
        try await cast.tracks.retire(id, by: cast.pia)
        #expect(try await cast.track(id, for: .visitor).item.outcome == TrackOutcome.retired)
    }

    @Test func `a like counts once, is taken back, and is not one's own`() async throws {
        let id = try await cast.offer("Liked", by: cast.pia)
        for _ in 0..<2 { try await cast.tracks.like(id, true, by: cast.uma, from: nil) }
        #expect(try await cast.track(id, for: .visitor).item.ups == 1)
        await #expect(throws: VoteRefusal.own) { try await cast.tracks.like(id, true, by: cast.pia, from: nil) }
        try await cast.tracks.like(id, false, by: cast.uma, from: nil)
        #expect(try await cast.track(id, for: .visitor).item.ups == 0)
    }

    @Test func `drafts that cannot be offered are told field by field`() async throws {
        let now = cast.house.now
        let cases: [(TrackField, TrackFault, (inout TrackDraft) -> Void)] = [
            (.title, .missing, { $0.title = " \u{202E}" }),
            (.title, .tooLong(most: 100), { $0.title = String(repeating: "x", count: 101) }),
            (.text, .tooLong(most: 5000), { $0.text = String(repeating: "x", count: 5001) }),
            (.tags, .tooMany(most: 10), { $0.tags = (0..<11).map { "t\($0)" } }),
            (.until, .past, { $0.until = now }),
            (.track, .missing, { $0.master = nil }),
        ]
        for (field, fault, change) in cases {
            await #expect(throws: TrackRefusal.fields([field: fault]), "\(field)") {
                try await cast.offer("A title", by: cast.pia) { change(&$0) }
            }
        }
    }

    @Test func `what a listener says that is no number is not written down`() async throws {
        var facts = BeatCast.facts(93)
        facts.tempo = TrackFacts.Tempo(beats: 1e9, other: nil, confidence: 7)
        facts.key = TrackFacts.Key(Tonality(tonic: -1, isMinor: false), confidence: 2)
        facts.description = [Float](repeating: 0, count: 5000)
        let id = try await cast.offer("Odd", by: cast.pia, facts: facts)
        let kept = try #require(try await cast.track(id, for: .visitor).facts)
        #expect(kept.tempo == nil && kept.key?.tonality.tonic == 11 && kept.key?.confidence == 1)
        #expect(kept.description.isEmpty)
    }
}
