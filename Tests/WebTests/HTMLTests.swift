import ChirpTestKit
import ChirpWeb
import Testing

/// What is interpolated into a page.
@Suite struct HTMLTests {
    /// By characters, one after the other.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar.value {
            case 0x26: result += "&amp;"
            case 0x3C: result += "&lt;"
            case 0x3E: result += "&gt;"
            case 0x22: result += "&quot;"
            case 0x27: result += "&#39;"
            case 0x09, 0x0A: result.unicodeScalars.append(scalar)
            case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: break
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    @Test func `any text is escaped as going by its characters would, whatever its bytes`() {
        var random = SeededGenerator(seed: 7)
        let pieces = [
            "plain", "&", "<b>", "\"", "'", "\n", "\t", "\r", "\u{0}", "\u{7F}", "\u{85}", "\u{A0}", "é", "–",
            "\u{202E}",
            "\u{2066}", "\u{2028}", "日本", "🎵", "e\u{301}", "\u{200D}",
        ]
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            let html: HTML = "\(text)"
            #expect(html.text == Self.escaped(text))
        }
    }
}
