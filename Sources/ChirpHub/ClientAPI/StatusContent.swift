internal import ChirpCommunity
internal import ChirpWeb

/// The words of a post as HTML, as clients of Mastodon's API expect them: a paragraph, links, tags with their class.
enum StatusContent {
    /// - Parameter withoutLinks: addresses are text, but for those of this hub: who has written it is unknown to the reader.
    static func html(_ text: String, withoutLinks: Bool = false, links: HubLinks) -> String {
        let parts = PostText.parts(of: text).map { part -> HTML in
            switch part {
            case .words(let words): lines(words)
            case .link(let link) where withoutLinks && !link.hasPrefix("\(links.publicURL)/"): "\(link)"
            case .link(let link): "<a href=\"\(link)\" rel=\"nofollow noopener ugc\" target=\"_blank\">\(link)</a>"
            case .tag(let tag):
                "<a href=\"\(links.publicURL)/tags/\(tag.lowercased())\" class=\"mention hashtag\" rel=\"tag\">#<span>\(tag)</span></a>"
            }
        }
        return "<p>\(HTML(joining: parts).text)</p>"
    }

    private static func lines(_ words: String) -> HTML {
        let lines = words.split(separator: "\n", omittingEmptySubsequences: false).map { line -> HTML in
            "\(String(line))"
        }
        return HTML(joining: lines, separator: "<br>")
    }
}
