@testable import ChirpCommunity
import ChirpHTTP
@testable import ChirpNetworks
import FoundationEssentials

/// libFuzzer's entry: any text as what somebody posts, plain and as HTML: its links, tags and clips, and what it counts; and as the
/// words of a share text, which must then fit.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPosts(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: data, count: size), as: UTF8.self)
    let author = Account(id: Account.ID("1"), handle: "a", displayName: "a")
    let html = StatusHTML(text)
    for (text, links) in [(text, []), (html.text, html.links), (text, [text])] {
        let post = Post(
            id: Post.ID("1"), author: author, text: text, links: links, created: Date(timeIntervalSince1970: 0),
            audio: links)
        if case .clips(let clips) = clipLinks.verdict(on: post, chosen: [author.id]) {
            precondition((1...ClipLinks.maximum).contains(clips.count))
        }
    }
    let scalars = Array(TextRules.normalised(text).unicodeScalars)
    for span in LinkScan(scalars).spans { precondition(span.range.upperBound <= scalars.count && !span.range.isEmpty) }
    precondition(PostText.whole(PostText.parts(of: text)) == text)
    if let address = WebAddress(text) {
        _ = (address.resolving(text), address.appending(text), clipLinks.address(of: text))
        _ = HostRules.numeric(address.host)
    }
    for rules in [TextRules.characters(limit: 500, perLink: 23), .characters(limit: 40, perLink: 0)] {
        let share = ShareText(words: text, link: "https://clips.example/c/1", rules: rules)
        precondition(share.text.hasSuffix("https://clips.example/c/1") && share.count == rules.count(share.text))
    }
    return 0
}

private let clipLinks = ClipLinks(hubs: ["https://clips.example", "http://nas.local:8080/a"])

extension PostText {
    fileprivate static func whole(_ parts: [Part]) -> String {
        parts.map { part in
            switch part {
            case .words(let words): words
            case .link(let link): link
            case .tag(let tag): "#" + tag
            }
        }.joined()
    }
}
