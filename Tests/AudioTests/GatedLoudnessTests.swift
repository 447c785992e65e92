import ChirpAudio
import Testing

struct GatedLoudnessTests {
    private func tenths(_ parts: [(LUFS, Int)]) -> [Float] {
        parts.flatMap { Array(repeating: Float($0.energy), count: $1) }
    }

    @Test func `quiet passages do not count`() throws {
        // EBU Tech 3341, cases 3 and 4, as energies: 10 LU below the rest are outside the relative gate.
        let quiet = tenths([(LUFS(-36), 100), (LUFS(-23), 600), (LUFS(-36), 100)])
        let silent = tenths([(LUFS(-72), 100), (LUFS(-36), 100), (LUFS(-23), 600), (LUFS(-36), 100), (LUFS(-72), 100)])
        for energies in [quiet, silent] {
            let loudness = gatedLoudness(tenths: energies.span)
            #expect(abs(try #require(loudness).value + 23) < 0.1)
        }
    }

    @Test func `silence and less than a block have no loudness`() {
        let results = [(LUFS(-71), 50), (LUFS(-20), 3), (LUFS(-20), 4)].map { part in
            let energies = tenths([part])
            return gatedLoudness(tenths: energies.span)
        }
        #expect(results[0] == nil && results[1] == nil)
        #expect(results[2] != nil)
    }

    /// EBU Tech 3342, cases 1 to 3, as energies.
    @Test(arguments: [(-20.0, -30.0, 10.0), (-20.0, -15.0, 5.0), (-40.0, -20.0, 20.0)])
    func `the range is the distance of two levels`(first: Double, second: Double, expected: Double) throws {
        let blocks = tenths([(LUFS(first), 200), (LUFS(second), 200)])
        let range = try #require(loudnessRange(shortTermBlocks: blocks))
        #expect(abs(range - expected) < 0.01)
        #expect(loudnessRange(shortTermBlocks: []) == nil)
    }
}
