import ChirpNumbers
import Testing

@Suite struct OutsideNumberTests {
    @Test(arguments: [
        "", " ", "x", "1x", "0x1", "1.0", "1e3", "NaN", "inf", "+", "-", "--1", "１", "9223372036854775808",
        String(repeating: "9", count: 400),
    ])
    func `text that is no whole number, or one of more than 64 bits, is none`(_ text: String) {
        #expect(text.integer(in: .min ... .max) == nil)
        #expect(text.safeInteger == nil)
        #expect(PageCursor(text) == nil)
    }

    @Test func `a whole number is in its range, and its ends are`() {
        #expect("2147483647".integer(in: 0 ... .max) == 2_147_483_647)
        #expect("2147483648".integer(in: 0 ... .max) == nil)
        #expect("-2147483648".integer(in: .min ... .max) == -2_147_483_648)
        #expect("-2147483649".integer(in: .min ... .max) == nil)
        #expect("9223372036854775807".integer(in: .min ... .max) == nil)
        #expect("12345".dropFirst().integer(in: 2345...2345) == 2345)
        #expect("9007199254740992".safeInteger == 1 << 53)
        #expect("9007199254740993".safeInteger == nil && "-1".safeInteger == nil)
    }

    @Test func `whatever is in a range can be added and multiplied`() throws {
        let (least, most) = (try #require("-2147483648".integer(in: .min ... .max)), Int(Int32.max))
        #expect(least * least == 1 << 62 && most * most > 0)
        let row = try #require("9007199254740992".safeInteger)
        #expect(row * 1000 + 1 > row)
    }

    @Test(arguments: ["NaN", "nan(0x1)", "inf", "-inf", "1e309", "1e308", "", "1,5", "-0.1", "1.1"])
    func `a fraction is finite and in its range`(_ text: String) {
        #expect(text.decimal(in: 0...1) == nil)
    }

    @Test func `a fraction is read as it is written`() {
        #expect("0.25".decimal(in: 0...1) == 0.25 && "1e-3".decimal(in: 0...1) == 0.001)
        #expect("5e-324".decimal(in: 0...1) == .leastNonzeroMagnitude)
        #expect("4598175219545276416".fractionOfBits == 0.25)
        #expect("\(Double.infinity.bitPattern)".fractionOfBits == nil && "-1".fractionOfBits == nil)
    }

    @Test func `a cursor is bounded where it is read, and rows are in their order`() throws {
        #expect(PageCursor("9223372036854775807") == .end && PageCursor(.max) == .end)
        #expect(PageCursor("-1") == nil && PageCursor(.min) == .start && PageCursor("0") == .start)
        #expect(try #require(PageCursor("41")) < 42 && PageCursor("42")?.row == 42)
        #expect("\(PageCursor.end)" == "9007199254740992")
        #expect(PageCursor.end.row + 1 > PageCursor.end.row)
    }

    @Test func `a fraction becomes the nearest whole number, and none becomes 0`() {
        #expect(Int(clamping: 2.9) == 2 && Int(clamping: -2.9) == -2 && UInt8(clamping: -1.0) == 0)
        #expect(Int64(clamping: 1e308) == .max && Int64(clamping: -Double.infinity) == .min)
        #expect(Int(clamping: Double.nan) == 0 && UInt16(clamping: 65_536.5) == .max)
        #expect(Int64(clamping: 0x1p63) == .max && Int64(clamping: -0x1p63) == .min)
    }
}
