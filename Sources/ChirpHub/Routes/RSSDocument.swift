internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb
internal import FoundationEssentials

/// Posts as RSS 2.0 (rssboard.org/rss-specification), for feed readers and podcast programs: with the elements of Apple's podcast
/// namespace, and the `guid` of the open one (podcastindex.org/namespace/1.0).
struct RSSDocument {
    let channel: FeedChannel
    /// Newest first.
    let posts: [HubPost]
    /// What is said in their clips, where that was written down.
    var transcripts: [HubID: ClipTranscript] = [:]
    let links: HubLinks

    var xml: XML {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" \
        xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0">
        <channel>
        <title>\(channel.title)</title>
        <link>\(channel.page)</link>
        <description>\(Self.html(of: channel.about))</description>
        <language>en</language>
        <atom:link rel="self" type="application/rss+xml" href="\(channel.rss)"/>\(hub)
        <itunes:author>\(channel.author)</itunes:author>
        <itunes:explicit>false</itunes:explicit>
        <podcast:guid>\(Self.guid(ofFeed: channel.rss))</podcast:guid>
        \(XML(joining: posts.map(item), separator: "\n"))
        </channel>
        </rss>

        """
    }

    /// Where a program may ask to be told of what is new (WebSub, section 4).
    private var hub: XML {
        channel.hub.map { "\n<atom:link rel=\"hub\" href=\"\($0)\"/>" } ?? .nothing
    }

    /// A clip may be posted twice, so an item is known by its post.
    private func item(_ post: HubPost) -> XML {
        """
        <item>
        <guid isPermaLink="false">\(post.id)</guid>
        <pubDate>\(HTTPDate.text(post.created))</pubDate>
        <itunes:author>\(post.author.name)</itunes:author>
        <description>\(Self.html(of: post.text))</description>
        \(post.clip.map(sound) ?? link(post))
        </item>
        """
    }

    private func sound(_ clip: HubClip) -> XML {
        let duration: XML =
            clip.sound.map { "<itunes:duration>\(Self.wholeSeconds($0.seconds))</itunes:duration>" } ?? .nothing
        return """
            <title>\(clip.displayTitle)</title>
            <link>\(links.page(clip.id))</link>
            <enclosure url="\(links.audio(clip.id))" length="\(clip.bytes)" type="\(clip.contentType)"/>
            \(duration)\(transcripts[clip.id].map(transcript) ?? .nothing)
            """
    }

    private func transcript(_ transcript: ClipTranscript) -> XML {
        let language: XML = transcript.language.isEmpty ? .nothing : " language=\"\(transcript.language)\""
        return """

            <podcast:transcript url="\(links.publicURL)\(transcript.path)" type="\(transcript.type)"\(language)/>
            """
    }

    /// What a post is about that has no clip here.
    private func link(_ post: HubPost) -> XML {
        guard post.link.hasPrefix("https://") || post.link.hasPrefix("http://") else { return .nothing }
        return "<link>\(post.link)</link>"
    }

    /// Readers take a description as HTML, so it is a piece of a page.
    private static func html(of text: String) -> HTML {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return HTML(joining: lines.map { "\(String($0))" }, separator: "<br>")
    }

    /// At least one, since nothing plays in no time.
    private static func wholeSeconds(_ seconds: Double) -> Int64 {
        Int64(exactly: min(max(seconds.isFinite ? seconds : 0, 1), 1e9).rounded()) ?? 1
    }

    /// What a feed is known by wherever it moves: made of the address it had first, without scheme and without slashes at the end.
    private static func guid(ofFeed address: String) -> String {
        var name = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
        while name.last == "/" { name = name.dropLast() }
        return UUID(name: String(name), in: feeds).uuidString.lowercased()
    }

    /// ead4c236-bf58-58c6-a2c6-a6b28d128cb6, as the podcast namespace has it.
    private static let feeds = UUID(
        uuid: (0xEA, 0xD4, 0xC2, 0x36, 0xBF, 0x58, 0x58, 0xC6, 0xA2, 0xC6, 0xA6, 0xB2, 0x8D, 0x12, 0x8C, 0xB6))
}
