import ChirpBeats
import ChirpBoards
import ChirpCommunity
import ChirpMusic
import Foundation
import Synchronization
import Testing

/// Stems are proven against their mix (boards.md 3.1, 5.2 point 8).
struct StemTests {
    let cast: BeatCast
    let track: HubID
    let stems: [HubID]

    init() async throws {
        cast = try await BeatCast()
        track = try await cast.offer("Mixed", by: cast.pia)
        stems = [try await cast.master(of: cast.pia), try await cast.master(of: cast.pia)]
    }

    private func set(_ stems: [HubID]) async throws {
        try await cast.tracks.setStems(
            stems.enumerated().map { (film: $1, name: "Part \($0)") }, of: track, by: cast.pia)
    }

    @Test func `stems are compared with their mix, and what was found is kept`() async throws {
        try await set(stems)
        #expect(try await cast.tracks.stems(of: track)?.check == .waiting)
        let found = StemFindings(residual: -12, faults: [.init(stem: 1, trouble: .shifted(seconds: 0.005))])
        let asked = Mutex<[String]>([])
        let checking: TrackMaking.StemChecking = { (stems, mix) async throws(TrackMaking.Failure) in
            asked.withLock { $0 = [mix] + stems }
            return found
        }
        #expect(try await cast.tracks.checkNextStems(by: checking))
        #expect(try await !cast.tracks.checkNextStems(by: checking), "once")
        let kept = try #require(try await cast.tracks.stems(of: track))
        #expect(kept.check == .found(found) && kept.stems.map(\.name) == ["Part 0", "Part 1"])
        let paths = asked.withLock { $0 }
        #expect(paths.count == 3 && paths.allSatisfy { FileManager.default.fileExists(atPath: $0) })
    }

    @Test func `a check that dies is tried again, and given up after three`() async throws {
        try await set(stems)
        let dying: TrackMaking.StemChecking = { (_, _) async throws(TrackMaking.Failure) in throw .died }
        for _ in 0..<3 { #expect(try await !cast.tracks.checkNextStems(by: dying)) }
        #expect(try await cast.tracks.stems(of: track)?.check == .waiting)
        #expect(try await cast.tracks.checkNextStems(by: dying))
        guard case .failed = try await cast.tracks.stems(of: track)?.check else {
            Issue.record("it is not given up")
            return
        }
        try await set(stems.reversed())
        #expect(try await cast.tracks.stems(of: track)?.check == .waiting, "other stems are looked at anew")
    }

    @Test func `what is found for stems of before counts for nothing`() async throws {
        try await set(stems)
        let checking: TrackMaking.StemChecking = { (_, _) async throws(TrackMaking.Failure) in
            do { try await set([stems[0]]) } catch { throw .notNow("\(error)") }
            return StemFindings(residual: -60, faults: [])
        }
        #expect(try await cast.tracks.checkNextStems(by: checking))
        let kept = try #require(try await cast.tracks.stems(of: track))
        #expect(kept.check == .waiting && kept.stems.count == 1)
    }

    @Test func `a stem is its author's own, and of one track`() async throws {
        try await set(stems)
        let master = try #require(try await cast.track(track, for: .member(cast.pia)).master)
        let others = try await cast.master(of: cast.rob)
        for (stem, fault) in [(master, TrackFault.used), (others, .notYours), (HubID(), .notYours)] {
            await #expect(throws: TrackRefusal.fields([.track: fault])) { try await set([stem]) }
        }
        await #expect(throws: TrackRefusal.item(.notFound)) {
            try await cast.tracks.setStems([(film: others, name: "")], of: track, by: cast.rob)
        }
        #expect(try await cast.tracks.stems(of: track)?.stems.count == 2, "nothing was changed")
    }

    @Test func `stems that are not there yet are waited for, and a refused one says which`() async throws {
        let late = try await cast.sent(by: cast.pia)
        try await set([stems[0], late])
        let never: TrackMaking.StemChecking = { (_, _) async throws(TrackMaking.Failure) in throw .died }
        #expect(try await !cast.tracks.checkNextStems(by: never))
        try await cast.library.refuse(late, because: "it is no sound")
        #expect(try await cast.tracks.checkNextStems(by: never))
        #expect(try await cast.tracks.stems(of: track)?.check == .failed("stem 2: it is no sound"))
    }
}
