import ChirpTestKit
import ChirpWeb
import Foundation
import Testing

/// Instants in pages, beside what Foundation says of them.
@Suite struct UniversalTimeTests {
    @Test func `any instant is what Foundation says it is, in leap years and at their ends`() {
        var random = SeededGenerator(seed: 20_261_125)
        let ends = [0, 951_782_400, 951_868_799, 951_868_800, 4_107_542_399, 4_107_542_400, -1, -86_400, -86_401]
        // Foundation counts by the Julian calendar before 15 October 1582.
        let years = -12_219_292_800...253_402_300_799
        let instants = ends + (0..<2000).map { _ in Int.random(in: years, using: &random) }
        for seconds in instants {
            let date = Date(timeIntervalSince1970: Double(seconds))
            #expect(UniversalTime(date).text == date.formatted(.iso8601), "\(seconds)")
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 0.999])
    func `what is no instant of a calendar is one of its ends, or the beginning`(seconds: Double) {
        let text = UniversalTime(Date(timeIntervalSince1970: seconds)).text
        #expect(["1970-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"].contains(text))
    }

    @Test func `days and instants are told in words, by their months`() {
        let date = Date(timeIntervalSince1970: 1_795_648_380)
        #expect(Wording.day(date) == "25 November 2026" && Wording.instant(date) == "25 November 2026, 23:13 UTC")
        #expect(Language.$current.withValue(.german) { Wording.day(date) }.contains("November 2026"))
        #expect(Wording.time(date).text == "<time datetime=\"2026-11-25T23:13:00Z\">25 November 2026, 23:13 UTC</time>")
    }
}
