import ChirpAccounts
import Foundation
import Testing

@Suite struct OneTimeCodeTests {
    /// RFC 6238, appendix B: SHA-1, of the eight digits there the last six.
    @Test(arguments: [
        (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
        (2_000_000_000, "279037"), (20_000_000_000, "353130"),
    ])
    func `codes are those of the standard`(seconds: Double, code: String) {
        let factor = OneTimeCode(key: Array("12345678901234567890".utf8))
        #expect(factor.code(atStep: OneTimeCode.step(at: Date(timeIntervalSince1970: seconds))) == code)
    }

    @Test func `the key is written in base 32, and read again`() throws {
        let factor = OneTimeCode(key: Array("12345678901234567890".utf8))
        #expect(factor.text == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        #expect(try #require(OneTimeCode(text: factor.text)).code(atStep: 1) == factor.code(atStep: 1))
    }

    @Test(arguments: ["", "GEZDGNBVGY3TQOJQ", "gezdgnbvgy3tqojqgezdgnbvgy3tqojq", "0EZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"])
    func `what is no key is none`(text: String) {
        #expect(OneTimeCode(text: text) == nil)
    }
}
