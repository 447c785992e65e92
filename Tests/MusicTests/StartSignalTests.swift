import ChirpMusic
import Foundation
import Testing

struct AttemptCodeTests {
    @Test func `a code is four digits`() throws {
        let code = try #require(AttemptCode("0427"))
        #expect(code.digits == [0, 4, 2, 7] && code.number == 427 && "\(code)" == "0427")
        #expect(AttemptCode(427) == code)
        for text in ["", "427", "04270", "04a7", "-427", "٠٤٢٧", "042 "] { #expect(AttemptCode(text) == nil) }
        #expect(AttemptCode(-1) == nil && AttemptCode(10000) == nil)
    }

    @Test func `one wrong digit always changes the check digit`() {
        for number in stride(from: 0, to: 10000, by: 7) {
            guard let code = AttemptCode(number) else { continue }
            for place in [1, 10, 100, 1000] {
                let digit = number / place % 10
                for other in 0..<10 where other != digit {
                    #expect(AttemptCode(number + (other - digit) * place)?.check != code.check)
                }
            }
        }
    }
}

/// What the page plays.
struct StartSignalTests {
    private func level(_ samples: ArraySlice<Float>) -> Float { samples.reduce(0) { max($0, abs($1)) } }

    @Test(arguments: [8000, 11025, 48000])
    func `every tone is where it is declared, and between them is silence`(rate: Int) throws {
        let samples = StartSignal.samples(code: try #require(AttemptCode(9081)), rate: rate)
        func at(_ from: Double, _ to: Double) -> ArraySlice<Float> {
            samples[Int(from * Double(rate))..<min(samples.count, Int(to * Double(rate)))]
        }
        #expect(abs(Double(samples.count) / Double(rate) - StartSignal.length) < 0.001)
        #expect(level(samples[...]) <= 0.5)
        for (offset, length) in StartSignal.shortOffsets.map({ ($0, 0.15) }) + [(3, 0.5)]
            + StartSignal.digitOffsets.map({ ($0, 0.2) }) + [(StartSignal.closingOffset, 0.15)]
        {
            #expect(level(at(offset, offset + length)) > 0.45)
            if offset > 0 { #expect(level(at(offset - 0.04, offset - 0.001)) == 0) }
        }
        let stop = StartSignal.stopSamples(rate: rate)
        #expect(abs(Double(stop.count) / Double(rate) - 0.5) < 0.001 && level(stop[...]) <= 0.5)
    }

    @Test func `digits do not sound alike`() {
        let digits = (0..<10).map { StartSignal.digit($0).samples(rate: 8000) }
        let quarters = (0..<10).map { StartSignal.digit($0).samples(rate: 8000, quarter: true) }
        func product(_ a: [Float], _ b: [Float]) -> Float { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
        let own = product(digits[0], digits[0])
        for one in 0..<10 {
            for other in 0..<10 where other != one {
                let common = hypot(product(digits[one], digits[other]), product(digits[one], quarters[other]))
                #expect(common < 0.1 * own, "\(one) and \(other)")
            }
        }
    }
}
