import ChirpMusic
import ChirpTestKit
import Foundation
import Testing

/// Whether stems make up their mix, and which does not (boards.md 5.2, point 8).
struct StemCheckTests {
    private let rate = 44_100

    /// Three stems of stereo: a bass, chords, and hisses.
    private func stems(_ seconds: Double = 4) -> [[[Float]]] {
        var random = SeededGenerator(seed: 9)
        let count = Int(seconds * Double(rate))
        let bass = (0..<count).map { Float(0.3 * sin(2 * .pi * 55 * Double($0) / 44_100)) }
        let chords = MadeSong.samples(seed: 1, seconds: seconds, rate: rate)
        let hiss = (0..<count).map { index -> Float in
            let time = Double(index % 22_050) / 44_100
            return .random(in: -0.3...0.3, using: &random) * Float(exp(-30 * time))
        }
        return [bass, chords, hiss].map { [$0, $0.map { 0.7 * $0 }] }
    }

    private func findings(mix: [[Float]], _ stems: [[[Float]]], piece: Int = 5000) -> StemFindings {
        var check = StemCheck(stems: stems.count, rate: rate)
        for start in stride(from: 0, to: mix[0].count, by: piece) {
            let range = start..<min(mix[0].count, start + piece)
            check.add(mix: mix.map { Array($0[range]) }, stems: stems.map { $0.map { Array($0[range]) } })
        }
        return check.finish()
    }

    private func mix(_ stems: [[[Float]]]) -> [[Float]] {
        (0..<2).map { channel in
            stems[0][channel].indices.map { index in stems.reduce(0) { $0 + $1[channel][index] } }
        }
    }

    private func shifted(_ stem: [[Float]], by frames: Int) -> [[Float]] {
        stem.map { plane in
            plane.indices.map { plane.indices.contains($0 - frames) ? plane[$0 - frames] : 0 }
        }
    }

    @Test func `stems that make up their mix leave nothing`() {
        let stems = stems()
        let found = findings(mix: mix(stems), stems)
        #expect(found.residual < -100 && found.faults.isEmpty, "\(found)")
    }

    @Test(arguments: [0, 1, 2]) func `a stem that is 1 dB louder is found, and by how much`(stem: Int) throws {
        var given = stems()
        let whole = mix(given)
        given[stem] = given[stem].map { $0.map { $0 * Float(pow(10, 1.0 / 20)) } }
        let found = findings(mix: whole, given)
        let fault = try #require(found.faults.first)
        #expect(found.residual > -40 && found.faults.count == 1 && fault.stem == stem, "\(found)")
        guard case .louder(let decibels) = fault.trouble else { throw Unexpected(found) }
        #expect(abs(decibels - 1) < 0.1, "\(found)")
    }

    @Test(arguments: [(1, 221), (2, 221), (2, -441), (1, 9000)])
    func `a stem that is shifted is found, and by how much`(stem: Int, frames: Int) throws {
        var given = stems()
        let whole = mix(given)
        given[stem] = shifted(given[stem], by: frames)
        let found = findings(mix: whole, given)
        #expect(found.faults.count == 1 && found.faults.first?.stem == stem, "\(found)")
        guard case .shifted(let seconds) = found.faults.first?.trouble else { throw Unexpected(found) }
        #expect(abs(seconds - Double(frames) / 44_100) < 0.0005, "\(found)")
    }

    @Test func `a stem of another take, one upside down, and two at once are found`() throws {
        let right = stems()
        let whole = mix(right)
        var given = right
        let other = MadeSong.samples(seed: 2, seconds: 4, rate: rate)
        given[1] = [other, other.map { 0.7 * $0 }]
        #expect(findings(mix: whole, given).faults == [.init(stem: 1, trouble: .foreign)])
        given[2] = given[2].map { $0.map { -$0 } }
        let found = findings(mix: whole, given)
        #expect(
            found.faults == [.init(stem: 1, trouble: .foreign), .init(stem: 2, trouble: .inverted)], "\(found)")
    }

    @Test func `a stem that was not given makes no other one guilty`() {
        let given = stems()
        let found = findings(mix: mix(given), [given[0], given[1]])
        #expect(found.residual > -40 && found.faults.isEmpty, "\(found)")
    }

    @Test func `what a mix that was cut off lacks is no stem's fault`() throws {
        let given = stems().map { $0.map { $0.map { 2 * $0 } } }
        let whole = mix(given)
        let found = findings(mix: whole.map { $0.map { max(-1, min(1, $0)) } }, given)
        let beyond = whole.joined().filter { abs($0) > 1 }.count
        let share = Double(beyond) / Double(2 * whole[0].count)
        #expect(beyond > 100 && found.residual < -100 && found.faults.isEmpty, "\(found)")
        // What ends just below full scale looks the same.
        let cut = try #require(found.cut)
        #expect(cut >= share && cut < 1.05 * share + 1e-4, "\(found)")
        // A sum that stays below full scale, or is on the other side of it, excuses nothing.
        let soft = given.map { $0.map { $0.map { -$0 } } }
        #expect(findings(mix: whole.map { $0.map { max(-1, min(1, $0)) } }, soft).residual > 0)
    }

    @Test(arguments: [-3.0, 2.0, 9.0]) func `a mix that was made louder blames nobody`(decibels: Double) throws {
        let given = stems()
        let gain = Float(pow(10, decibels / 20))
        let found = findings(mix: mix(given).map { $0.map { gain * $0 } }, given)
        let mastering = try #require(found.mastering, "\(found)")
        #expect(found.faults.isEmpty && found.residual > -40 && mastering.residual < -80, "\(found)")
        #expect(abs(mastering.gain - decibels) < 0.05, "\(found)")
    }

    @Test func `a mix that was limited, or begins later, blames nobody`() throws {
        let given = stems()
        let whole = mix(given)
        // Down by up to 9 dB at once, back within some 50 ms.
        var reduction: Float = 1
        let gains = whole[0].indices.map { index -> Float in
            reduction = min(1, reduction + 0.0003, 0.25 / max(0.25, abs(1.6 * whole[0][index])))
            return 1.6 * reduction
        }
        let limited = findings(mix: whole.map { zip($0, gains).map { $0 * $1 } }, given)
        #expect(limited.faults.isEmpty && limited.residual > -20, "\(limited)")
        #expect(try #require(limited.mastering).residual < -15, "\(limited)")
        let late = findings(mix: shifted(whole, by: 1105), given)
        #expect(late.faults.isEmpty && late.mastering != nil, "\(late)")
    }

    @Test func `a mix with another tone blames nobody`() {
        let given = stems()
        let treble = mix(given).map { plane -> [Float] in
            var before: Float = 0
            return plane.map { sample in
                defer { before = sample }
                return sample - 0.5 * before
            }
        }
        let found = findings(mix: treble, given)
        #expect(found.residual > -20 && found.faults.isEmpty, "\(found)")
    }

    @Test func `of three stems in a mix that was made louder the one that is wrong is found`() throws {
        var given = stems()
        let whole = mix(given).map { $0.map { 1.5 * $0 } }
        given[1] = given[1].map { $0.map { $0 * Float(pow(10, 2.0 / 20)) } }
        let found = findings(mix: whole, given)
        #expect(found.faults.count == 1 && found.faults.first?.stem == 1, "\(found)")
        guard case .louder(let decibels) = found.faults.first?.trouble else { throw Unexpected(found) }
        #expect(abs(decibels - 2) < 0.2, "\(found)")
    }

    @Test func `silence and what is no number do no harm`() {
        let nothing = [[Float]](repeating: [Float](repeating: 0, count: 1000), count: 2)
        #expect(findings(mix: nothing, [nothing]).faults.isEmpty)
        let wrong = [[Float]](repeating: [Float](repeating: .nan, count: 1000), count: 2)
        #expect(findings(mix: wrong, [wrong]).residual == 0)
        #expect(findings(mix: mix(stems(1)), [wrong.map { $0 + [Float](repeating: 0, count: 43_100) }]).residual == 0)
    }

    private struct Unexpected: Error {
        let findings: StemFindings
        init(_ findings: StemFindings) { self.findings = findings }
    }
}
