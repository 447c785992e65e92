import ChirpNetworks
import Testing

@Suite struct TextRulesTests {
    private static let zwj = "\u{200D}"
    private static let family = "\u{1F468}\(zwj)\u{1F469}\(zwj)\u{1F467}\(zwj)\u{1F466}"
    private static let england = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"

    // The published test vectors of twitter-text 3 (conformance/validate.yml: weighted tweets with discounted emoji, urls).
    @Test(arguments: [
        ("Hi http://test.co", 26),
        ("http://test.co", 23),
        ("285 chars-" + String(repeating: "xxxxxxxxxx-", count: 25), 285),
        ("285 chars- http://www.twitter.com/jack " + String(repeating: "xxxxxxxxxx-", count: 24), 299),
        (String(repeating: "xxxxxxxxxx-", count: 24) + " http://www.twitter.com/jack ", 289),
        (String(repeating: "https://www.twitter.com/aloha ", count: 10), 240),
        (String(repeating: "故", count: 160), 320),
        (String(repeating: "\u{1F637}", count: 160), 320),
        ("H\u{1F431}☺" + family, 7),
        ("\u{1F637}\u{1F47E}\u{1F621}\u{1F525}\u{1F4A9}", 10),
        ("\u{1F64B}\u{1F3FD}\u{1F468}\(zwj)\u{1F3A4}", 4),
        ("1\u{20E3}", 2),
        ("Unicode 10.0 emoji: \u{1F92A}; \u{1F9D5}; \u{1F9D5}\u{1F3FE}; " + england, 34),
        ("Unicode 9.0 emoji: \u{1F920}; \u{1F483}; \u{1F483}\u{1F3FE}", 29),
        ("randomurlrandomurlrandomurlrandomurlrandomurlrandomurlrandomurls.com", 68),
        ("This is a test.", 15),
        ("test.com", 23),
        ("foo.co.jp", 23),
        ("example.com/path/to/resource?search=foo&lang=en", 23),
        ("Test https://test.com test https://test.com test.com test", 86),
        ("저찀쯿쿿", 8),
        ("A\u{301}B", 2),
    ])
    func `weighted counts agree with the published vectors`(text: String, expected: Int) {
        #expect(TextRules.weighted(limit: 280).count(text) == expected)
    }

    @Test(arguments: [
        ("", 0),
        ("https://example.com.", 24),
        ("(see example.com)", 29),
        ("3.14 and 2.0", 12),
        ("e.g. this", 9),
        ("\u{1F1E9}\u{1F1EA}", 2),  // a flag
        ("\u{1F1E9}\u{1F1E9}", 4),  // two letters that are no flag
        ("©", 1),
        ("\u{1F600}\u{301}\u{301}", 4),  // an emoji with more than an emoji in its cluster
        ("0123456789", 10),
    ])
    func `weighted counts of what is near an address or an emoji`(text: String, expected: Int) {
        #expect(TextRules.weighted(limit: 280).count(text) == expected)
    }

    /// Where a network alone can know, the count is the higher of the readings.
    @Test(arguments: [
        ("http://127.0.0.1:4747/c/abc", 27), ("http://あ.com", 23), ("foo.unknownname", 23), ("foo.com.unknownname", 23),
        ("é.fr", 23), ("me@example.com", 14),
    ])
    func `a doubtful address is never counted low`(text: String, atLeast: Int) {
        #expect(TextRules.weighted(limit: 280).count(text) >= atLeast)
    }

    @Test(arguments: [
        ("Hallo", 5),
        ("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", 1),
        ("e\u{301}a", 2),
        ("故人", 2),
        ("a https://drive.google.com/file/d/1Ab/view?usp=drivesdk b", 27),
        ("example.com", 11),  // no scheme, no reserved length
    ])
    func `characters are grapheme clusters, addresses have a reserved length`(text: String, expected: Int) {
        #expect(TextRules.characters(limit: 500, perLink: 23).count(text) == expected)
    }
}
