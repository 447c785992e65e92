import ChirpBeats
import ChirpBoards
import ChirpCommunity
import Foundation
import Testing

/// What sounds close among many tracks (AR-4, AR-10; boards.md 5.2 point 5).
struct ShelfTests {
    let cast: BeatCast

    init() async throws { cast = try await BeatCast() }

    /// A description that is as near to another one as their numbers are.
    private static func facts(_ number: Double, tempo: Double = 100) -> TrackFacts {
        var facts = BeatCast.facts(tempo, description: (0..<64).map { Float(sin(number + Double($0 * $0))) })
        (facts.density, facts.brightness) = (4 + number / 10, 1000 + 100 * number)
        return facts
    }

    private func fill() async throws {
        for number in 0..<LikenessShelf.enough {
            try await cast.offer("Beat \(number)", by: cast.rob, facts: Self.facts(Double(number)))
        }
    }

    private func titles(of id: HubID, _ tracks: TrackStore) async throws -> [String] {
        try await tracks.like(try await cast.track(id, for: .visitor), by: .byFacts, for: .visitor)
            .map(\.track.item.title)
    }

    @Test func `the nearest of many is first, of the same kind, and the author's own is last`() async throws {
        try await fill()
        let one = try await cast.offer("One", by: cast.pia, facts: Self.facts(7.02))
        try await cast.offer("Her own", by: cast.pia, facts: Self.facts(7.02))
        try await cast.offer("A voice", by: cast.ari, kind: .open, facts: Self.facts(7.02))
        let tracks = TrackStore(library: cast.library)
        let like = try await tracks.like(try await cast.track(one, for: .visitor), by: .byFacts, for: .visitor)
        #expect(like.first?.track.item.title == "Beat 7" && like.last?.track.item.title == "Her own")
        #expect(!like.contains { $0.track.kind == .open })
        let reasons = like.first?.reasons ?? []
        #expect(reasons.contains(.tempo(100, 100)) && reasons.contains(.sound(name: .brightness, 1702, 1700)))
        #expect(
            reasons.contains { reason in
                if case .sound(.timbre, 100, let share) = reason { share > 90 } else { false }
            })
    }

    @Test func `what appears is found at once, what goes is not, and a restart changes nothing`() async throws {
        try await fill()
        let one = try await cast.offer("One", by: cast.pia, facts: Self.facts(7.02))
        let tracks = TrackStore(library: cast.library)
        #expect(try await titles(of: one, tracks).first == "Beat 7")
        let near = try await cast.offer("Nearer", by: cast.rob, facts: Self.facts(7.01))
        let waiting = try await cast.offer("Waits", by: cast.rob, facts: Self.facts(7.02)) { $0.appears = false }
        #expect(try await titles(of: one, tracks).prefix(2) == ["Nearer", "Beat 7"])
        try await cast.tracks.publish(waiting, by: cast.rob)
        try await cast.tracks.retire(near, by: cast.rob)
        for tracks in [tracks, TrackStore(library: cast.library)] {
            #expect(try await titles(of: one, tracks).prefix(2) == ["Waits", "Beat 7"])
        }
    }
}
