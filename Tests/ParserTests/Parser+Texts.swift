import ChirpCommunity
import ChirpCore
import ChirpHTTP
import ChirpListings
import ChirpNetworks
import FoundationEssentials

extension Parser {
    static let vtt: [WorstShape] = [
        WorstShape("many cues", from: "WEBVTT\n\n") { index in
            let second = index % 50
            return "00:\(second / 10)\(second % 10).000 --> 00:59.000\na\n\n"
        },
        WorstShape("many lines", from: "WEBVTT\n\n00:00.000 --> 00:01.000\n", unit: { _ in "a\n" }),
        WorstShape("&amp;", from: "WEBVTT\n\n00:00.000 --> 00:01.000\n"),
        WorstShape("<", from: "WEBVTT\n\n00:00.000 --> 00:01.000\n"),
        WorstShape("-", from: "WEBVTT\n\n"), WorstShape("-->\n", from: "WEBVTT\n\n"), WorstShape("\n", from: "WEBVTT"),
        WorstShape("\r\n", from: "WEBVTT"), WorstShape(":", from: "WEBVTT\n\n", to: " --> 00:01.000\n"),
    ]

    private static let marks = [WorstShape("\u{301}\u{323}", from: "a"), WorstShape("\u{301}\u{323}\n", from: "a")]

    static let prose: [WorstShape] = [
        WorstShape("<a href=\"https://a.example\">"), WorstShape("<a href='"), WorstShape("</a>"), WorstShape("<br>"),
        WorstShape(" href=", from: "<a", to: ">"), WorstShape("&lt;"), WorstShape("http://a.com/("),
        WorstShape("http://a.com/?"), WorstShape("a.com/!"), WorstShape("@a@b.c "), WorstShape("a.", to: "com"),
        WorstShape("a-", to: ".com"), WorstShape("http://."), WorstShape("\u{301}", from: "#a"),
    ]

    private static let author = Account(id: Account.ID("1"), handle: "a", displayName: "a")

    static let texts: [Parser] = [
        .text("words that are compared", prose) { _ = MatchWords($0) },
        .text("plain text", prose + marks) { _ = (PlainText($0), PlainText($0, limit: 50)) },
        .text("lines of plain text", prose + marks) { _ = PlainText.lines($0, limit: 60_000) },
        .text("HTML of posts", prose) { _ = StatusHTML($0) },
        .text("links and tags of posts", prose) { _ = PostText.parts(of: $0) },
        .text("people named in posts", prose) { _ = PostText.mentions(in: $0) },
        .text("posts with clips", prose) { text in
            let post = Post(
                id: Post.ID("1"), author: author, text: text, links: [text], created: Date(timeIntervalSince1970: 0),
                audio: [text])
            _ = ClipLinks(hubs: ["https://clips.example"]).verdict(on: post, chosen: [author.id])
        },
    ]
}
