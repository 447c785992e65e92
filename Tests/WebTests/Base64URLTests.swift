import ChirpCore
import Testing

/// Bytes in addresses and cookies.
struct Base64URLTests {
    // RFC 4648, section 10, without padding; and the two characters that differ.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func `bytes are written as in the standard, without padding`(text: String, expected: String) {
        #expect(text.utf8.base64URL == expected)
    }

    @Test func `nothing in it means something in an address`() {
        #expect(([0xFB, 0xEF, 0xBE, 0xFF, 0xFF] as [UInt8]).base64URL == "----__8")
        #expect((0...255).map { UInt8($0) }.base64URL.utf8.count == 342)
    }

    @Test func `what was written is read again`() {
        for count in 0..<4 {
            let bytes = [UInt8](repeating: 0xFB, count: count)
            #expect(Base64URL.decode(bytes.base64URL) == bytes)
        }
    }

    @Test(arguments: ["Zg==", "Zm9v\n", "Zm9v ", "+/+/", "Zm9v.", "é"])
    func `nothing else is read`(text: String) { #expect(Base64URL.decode(text) == nil) }
}
