import ChirpNetworks
import ChirpTestKit
import Testing

// CH-7: link, mandatory #Chirp, optional words, never over the network's limit.
@Suite struct ShareTextTests {
    private static let link = "https://drive.google.com/file/d/1Ab8f3k2m/view"
    private let x = TextRules.weighted(limit: 280)

    @Test(arguments: [
        ("", "#Chirp\n\(link)"),
        ("Morning report", "Morning report #Chirp\n\(link)"),
        ("  two \n lines\t", "two lines #Chirp\n\(link)"),
        ("now on #chirp again", "now on #chirp again\n\(link)"),
        ("#Chirp", "#Chirp\n\(link)"),
        ("#CHIRP!", "#CHIRP!\n\(link)"),
        ("#Chirping birds", "#Chirping birds #Chirp\n\(link)"),
        ("listen: \(link) please", "listen: please #Chirp\n\(link)"),
        ("\u{202E}evil\u{1B}[31m text\u{200F}", "evil[31m text #Chirp\n\(link)"),
        ("cafe\u{301}", "caf\u{E9} #Chirp\n\(link)"),
    ])
    func `words, tag, and the link alone on the last line`(words: String, expected: String) {
        let share = ShareText(words: words, link: Self.link, rules: x)
        #expect(Array(share.text.unicodeScalars) == Array(expected.unicodeScalars))
        #expect(share.count == x.count(expected))
        #expect(!share.isShortened)
    }

    @Test func `too many words end at a word with an ellipsis, tag and link whole`() {
        let words = Array(repeating: "word", count: 100).joined(separator: " ")
        let share = ShareText(words: words, link: Self.link, rules: x)
        #expect(share.isShortened)
        #expect(share.text.hasSuffix("word… #Chirp\n\(Self.link)"))
        #expect(share.count <= 280)
        #expect(share.count > 280 - 5)  // no further word would have fitted
    }

    @Test func `a script without spaces is cut between characters and uses the room`() {
        let share = ShareText(words: String(repeating: "故", count: 300), link: Self.link, rules: x)
        #expect(share.text.contains("故… #Chirp\n"))
        #expect((279...280).contains(share.count))
    }

    @Test func `an address among the words is kept whole or left out`() {
        let address = "https://example.com/" + String(repeating: "a", count: 300)
        let kept = ShareText(words: "see \(address)", link: Self.link, rules: x)
        #expect(kept.text.contains(address))  // it counts 23, whatever its length
        let words = String(repeating: "w", count: 230) + " " + address
        let left = ShareText(words: words, link: Self.link, rules: x)
        #expect(!left.text.contains("example"))
        #expect(left.count <= 280)
    }

    @Test func `a tag that is shortened away comes back`() {
        let words = Array(repeating: "word", count: 100).joined(separator: " ") + " #chirp"
        let share = ShareText(words: words, link: Self.link, rules: x)
        #expect(share.text.hasSuffix("… #Chirp\n\(Self.link)"))
    }

    @Test func `a link longer than the limit stays whole, and the count tells`() {
        let link = "file:///" + String(repeating: "a", count: 400)
        let share = ShareText(words: "words", link: link, rules: x)
        #expect(share.text == "#Chirp\n\(link)")
        #expect(share.count > 280)
    }

    /// 10,000 random inputs: within the limit, tag and link whole, the last line the link, nothing unsafe left.
    @Test(arguments: [
        TextRules.weighted(limit: 280), .characters(limit: 500, perLink: 23), .characters(limit: 60, perLink: 23),
        .weighted(limit: 40),
    ])
    func `no input makes a text too long`(rules: TextRules) {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2500 {
            let words = Self.randomWords(using: &random)
            let share = ShareText(words: words, link: Self.link, rules: rules)
            let lines = share.text.split(separator: "\n", omittingEmptySubsequences: false)
            let isGood =
                rules.count(share.text) <= rules.limit && share.count == rules.count(share.text) && lines.count == 2
                && lines.last == Self.link[...] && share.text.lowercased().contains("#chirp")
                && !share.text.unicodeScalars.contains { $0.value != 10 && ($0.value < 32 || $0.value == 0x202E) }
            #expect(isGood, "\(words.debugDescription) → \(share.text.debugDescription)")
            if !isGood { return }
        }
    }

    private static let pieces: [String] = [
        "word", "a", "longer-word", "#tag", "#Chirp", "#chirp", "故人西辞黄鹤楼", "\u{1F637}", "\u{1F468}\u{200D}\u{1F469}",
        "https://example.com/a?b=c", "http://あ.com", "example.com", "x.unknownname", "me@example.com", link, "\u{202E}",
        "\n", "\u{1B}[2J", "e\u{301}\u{301}\u{301}", "\u{1F1E9}\u{1F1EA}", "1\u{FE0F}\u{20E3}", "(", ")", ".", "…",
        "@me",
        "\u{200D}", "\u{FE0F}", "ﷺ", "\u{FFFD}", "http://", "https://a", "//", "\u{1F3FD}", "Ａ", "\u{E0067}",
    ]

    private static func randomWords(using random: inout SeededGenerator) -> String {
        let count = Int.random(in: 0...(Bool.random(using: &random) ? 12 : 120), using: &random)
        let spaced = Bool.random(using: &random)
        var text = ""
        for _ in 0..<count {
            if Int.random(in: 0..<8, using: &random) == 0,
                let scalar = Unicode.Scalar(UInt32.random(in: 1...0xFFFF, using: &random))
            {
                text.unicodeScalars.append(scalar)
            } else {
                text += pieces.randomElement(using: &random) ?? ""
            }
            if spaced || Int.random(in: 0..<4, using: &random) == 0 { text += " " }
        }
        return text
    }
}
