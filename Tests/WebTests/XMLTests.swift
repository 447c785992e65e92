import ChirpWeb
import Foundation
import Testing

/// Documents for feed readers: what is typed cannot become markup, and what no document may hold is not in one.
@Suite struct XMLTests {
    @Test(
        arguments: [
            ("a & b < c > d", "a &amp; b &lt; c &gt; d"), ("\"'", "&quot;&#39;"), ("]]>", "]]&gt;"),
            ("\u{0}a\u{8}\u{B}\u{C}\u{1F}b\u{7F}\u{9F}", "ab"), ("a\u{FFFE}\u{FFFF}b", "ab"), ("a\r\nb\tc", "a\nb\tc"),
            ("\u{202E}gpj\u{2066}", "gpj"), ("Grüße 🎧 \u{10FFFF}", "Grüße 🎧 \u{10FFFF}"),
        ])
    func `typed text is text alone`(typed: String, escaped: String) {
        let document: XML = "<a b=\"\(typed)\">\(typed)</a>"
        #expect(document.text == "<a b=\"\(escaped)\">\(escaped)</a>")
    }

    @Test func `a piece of a page is text, and what was typed in it is escaped twice`() {
        let page: HTML = "<b>\("1 < 2")</b>"
        let document: XML = "<description>\(page)</description>"
        #expect(document.text == "<description>&lt;b&gt;1 &amp;lt; 2&lt;/b&gt;</description>")
    }

    @Test func `pieces stand beside each other as they are`() {
        let items: [XML] = ["<a/>", "<b>\(Int64.max)</b>"]
        #expect(XML(joining: items, separator: "\n").text == "<a/>\n<b>9223372036854775807</b>")
    }

    /// The example of the podcast namespace, and one of RFC 9562, appendix A.4.
    @Test(
        arguments: [
            (
                "ead4c236-bf58-58c6-a2c6-a6b28d128cb6", "mp3s.nashownotes.com/pc20rss.xml",
                "917393e3-1b1e-5cef-ace4-edaa54e1f810"
            ),
            ("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "www.example.com", "2ed6657d-e927-568b-95e1-2665a8aea6a2"),
        ])
    func `a name makes the same UUID everywhere`(namespace: String, name: String, expected: String) throws {
        let namespace = try #require(UUID(uuidString: namespace))
        #expect(UUID(name: name, in: namespace).uuidString.lowercased() == expected)
    }
}
