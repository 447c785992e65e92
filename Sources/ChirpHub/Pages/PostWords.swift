internal import ChirpCommunity
internal import ChirpWeb

/// The text of a post, with its links. What its author has put behind a warning is shown when it is asked for.
struct PostWords {
    let post: HubPost
    let links: HubLinks
    /// Leaves out the names at its front: in a conversation they say nothing.
    var withoutNames = false
    /// Addresses are text, not links, but for those of this hub: who has written it is unknown to the reader.
    var withoutLinks = false

    var html: HTML {
        let words: HTML = "<p class=\"words\" dir=\"auto\"\(post.lang)>\(content)</p>"
        guard !post.spoiler.isEmpty else { return words }
        return "<details><summary dir=\"auto\">\(post.spoiler)</summary>\(words)</details>"
    }

    private var content: HTML {
        let parts = PostText.parts(of: withoutNames ? Self.bare(post.text) : post.text).map { part -> HTML in
            switch part {
            case .words(let words): lines(words)
            case .tag(let tag): "<span class=\"tag\">#\(tag)</span>"
            case .link(let link) where withoutLinks && !link.hasPrefix("\(links.publicURL)/"): "\(link)"
            case .link(let link): "<a href=\"\(link)\" rel=\"noopener nofollow ugc\">\(link)</a>"
            }
        }
        return HTML(joining: parts)
    }

    private func lines(_ words: String) -> HTML {
        let lines = words.split(separator: "\n", omittingEmptySubsequences: false).map { line -> HTML in
            "\(String(line))"
        }
        return HTML(joining: lines, separator: "<br>")
    }

    /// A text without the names that it begins with.
    static func bare(_ text: String) -> String {
        var rest = text[...]
        while rest.first == "@" { rest = rest.drop { !$0.isWhitespace }.drop(while: \.isWhitespace) }
        return String(rest)
    }
}
