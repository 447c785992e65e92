import ChirpCore
import ChirpHTTP
import ChirpNetworks
import ChirpTestKit
import Foundation
import Testing

/// Texts of strangers, of any characters: nothing that reads them may end the process, or take long.
@Suite(.timeLimit(.minutes(2))) struct HostileTextTests {
    /// Characters that grow or shrink in lower case or by normalising, that join with their neighbours, and what scans look for.
    private static let pieces: [String] = [
        "\u{24C2}", "\u{200D}", "\u{2764}", "\u{FE0F}", "\u{130}", "\u{149}", "\u{1E9E}", "\u{17F}", "\u{212A}",
        "\u{1F1E9}",
        "\u{1F1EA}", "\u{301}", "\u{20E3}", "\u{600}", "\u{1F3FD}", "\u{E0067}", "\u{202E}", "\u{0}", "\r\n",
        "\u{2028}", "#",
        "\u{FF03}", "#Chirp", "#chirp", "&", "&amp;", "&#x", "&#38;", "&#1114112;", ";", "<", ">", "<a href=\"",
        "<a href='", "\"", "'",
        "</a>", "<br>", "</p>", "https://", "HTTP://", "http://hub.example/c/x", "hub.example", ".mp3", "/", ":", "@",
        "..", "%",
        "%2e", "[", "]", "-", "_", "a", "\u{E9}", "\u{4E2D}", "0", "9", " ", "\t", "com", "?", "\u{2026}",
    ]

    @Test func `text of any characters is read to its end`() {
        var random = SeededGenerator(seed: 12)
        let me = Account(id: Account.ID("1"), handle: "a", displayName: "A")
        let links = ClipLinks(hubs: ["http://hub.example"])
        for _ in 0..<500 {
            let count = Int.random(in: 1...40, using: &random)
            let text = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
            let html = StatusHTML(text)
            for words in [text, html.text] {
                let post = Post(
                    id: Post.ID("1"), author: me, text: words, links: html.links, created: Date(), audio: html.links)
                _ = links.verdict(on: post, chosen: [me.id])
                for rules in [TextRules.weighted(limit: 100), .characters(limit: 100, perLink: 23)] {
                    let share = ShareText(words: words, link: "https://hub.example/c/abc", rules: rules)
                    #expect(share.text.hasSuffix("https://hub.example/c/abc"))
                    #expect(share.count <= 100, "\(words.unicodeScalars.map { String($0.value, radix: 16) })")
                }
            }
            #expect(PlainText(text, limit: 20).value.count <= 20)
            if let address = WebAddress(text) { #expect(WebAddress(address.text) == address) }
            _ = InstantText.parse(text)
            _ = HTTPDate.parse(text)
        }
    }

    @Test func `text is the same whether or not it is plain to begin with`() {
        for (text, shown) in [
            ("", ""), (" ", ""), ("a  b", "a b"), (" a b ", "a b"), ("a b", "a b"), ("a\tb\u{7F}", "a b"),
            ("ab\u{E9}", "ab\u{E9}"),
            ("0123456789", "0123456789"), ("01234567890", "012345678…"), ("a\u{1B}[1m", "a[1m"),
        ] {
            #expect(PlainText(text, limit: 10).value == shown)
            #expect(PlainText(Substring(text), limit: 10).value == shown)
        }
        #expect(PlainText.lines("a\n\n\n b  c \n") == "a\n\nb c")
        #expect(PlainText.lines("as it is, on one line.") == "as it is, on one line.")
    }

    /// What takes a hundred times as long for ten times the text would stop `live` for hours.
    @Test(arguments: [
        "#", "\u{1F1E9}", "\u{24C2}\u{200D}\u{2764}", "&", "<", "<a href='", "http://", "a.", "\u{301}", "&#x",
    ])
    func `long texts take no longer than their length`(piece: String) {
        let text = String(repeating: piece, count: 100_000 / piece.utf8.count)
        let me = Account(id: Account.ID("1"), handle: "a", displayName: "A")
        let html = StatusHTML(text)
        let post = Post(id: Post.ID("1"), author: me, text: text, links: html.links, created: Date())
        let begin = ContinuousClock.now
        _ = ClipLinks(hubs: ["http://hub.example"]).verdict(on: post, chosen: [me.id])
        _ = TextRules.weighted(limit: 280).count(text)
        _ = PlainText(text, limit: 1000)
        #expect(ContinuousClock.now - begin < .seconds(30))
    }
}
