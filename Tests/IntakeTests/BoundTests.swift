import CConfine
import Testing

/// Versions of Landlock: none, those of Debian 12 and its neighbours, and what this kernel has.
let landlockVersions = [0, 1, 2, 3, 99]

/// What code that runs in a bound process can do, tried by a program that is bound by the same functions.
@Suite struct BoundTests {
    @Test func `where nothing is bound, what is tried succeeds`() throws {
        let scene = try BoundScene()
        let ordinary = try BoundScene.attempts().filter(\.isOrdinary)
        #expect(ordinary.count >= 60)
        for (attempt, _) in ordinary {
            try scene.restore()
            #expect(try scene.outcome(of: attempt, BoundKind.free, landlock: 99) == .could, "\(attempt)")
        }
    }

    @Test(arguments: BoundKind.allCases, landlockVersions)
    func `where something is bound, everything fails but what is written down`(
        kind: BoundKind, newest: Int
    ) throws {
        let scene = try BoundScene()
        let before = try scene.state()
        let landlock = min(newest, Int(chirp_landlock_version()))
        let remaining = kind.remaining(landlock: landlock)
        for (attempt, _) in try BoundScene.attempts() where !remaining.contains(attempt) {
            let outcome = try scene.outcome(of: attempt, kind, landlock: newest)
            #expect(outcome == .couldNot || outcome == .killed, "\(attempt): \(outcome)")
        }
        #expect(try scene.state() == before)
    }

    @Test(arguments: landlockVersions)
    func `a decoder that does what only an attacker does is ended`(newest: Int) throws {
        let scene = try BoundScene()
        for attempt in ["ptrace", "vm-read", "vm-write", "bpf", "execve", "execveat", "mount", "module", "chroot"] {
            #expect(try scene.outcome(of: attempt, .decoder, landlock: newest) == .killed, "\(attempt)")
        }
    }
}
