internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials

/// The page behind a link.
struct ClipPage {
    let clip: HubClip
    /// The newest post about it, when there is one.
    let post: HubPost?
    let links: HubLinks

    /// What to paste elsewhere: the post's text, or one in the same form (CH-7).
    var shareText: String {
        post?.text ?? "\(clip.title.isEmpty ? "Listen" : clip.title) \(links.page(clip.id)) #Chirp"
    }

    var html: HTML {
        Layout(prefix: links.prefix).page(title: "\(clip.displayTitle) – Chirp", head: head, body: body)
    }

    /// The player alone, for other sites.
    var embedded: HTML {
        Layout(prefix: links.prefix).bare(
            title: "\(clip.displayTitle) – Chirp",
            body: """
                <p class="name"><a href="\(links.page(clip.id))" target="_blank" rel="noopener"><bdi>\(clip.displayTitle)\
                </bdi></a></p>
                \(Player(clip: clip, links: links).html)
                """)
    }

    private var summary: String {
        let length = clip.sound.map { "\(Wording.clock($0.seconds)), " } ?? ""
        return "\(length)\(Wording.instant(clip.created))"
    }

    /// What makes other sites show a player: Open Graph (ogp.me), the player card, oEmbed discovery. The link is the
    /// secret, so search engines are asked to leave the page alone.
    private var head: HTML {
        """
        <meta name="robots" content="noindex">
        <meta name="description" content="\(summary)">
        <link rel="canonical" href="\(links.page(clip.id))">
        <meta property="og:site_name" content="Chirp">
        <meta property="og:type" content="music.song">
        <meta property="og:title" content="\(clip.displayTitle)">
        <meta property="og:description" content="\(summary)">
        <meta property="og:url" content="\(links.page(clip.id))">
        <meta property="og:image" content="\(links.card(clip.id))">
        <meta property="og:image:type" content="image/png">
        <meta property="og:image:width" content="1200">
        <meta property="og:image:height" content="630">
        <meta property="og:image:alt" content="\(clip.displayTitle)">
        <meta property="og:audio" content="\(links.audio(clip.id))">
        <meta property="og:audio:type" content="audio/mpeg">
        <meta name="twitter:card" content="player">
        <meta name="twitter:image" content="\(links.card(clip.id))">
        <meta name="twitter:title" content="\(clip.displayTitle)">
        <meta name="twitter:player" content="\(links.embed(clip.id))">
        <meta name="twitter:player:width" content="480">
        <meta name="twitter:player:height" content="320">
        <link rel="alternate" type="application/json+oembed" href="\(links.oEmbed(clip.id))" title="\(clip.displayTitle)">
        """
    }

    private var body: HTML {
        """
        <article class="clip">
        <h1 dir="auto">\(clip.displayTitle)</h1>
        \(byline)
        \(Player(clip: clip, links: links).html)
        <section class="share" aria-labelledby="share">
        <h2 id="share">Share</h2>
        <label class="visually-hidden" for="text">Share text</label>
        <textarea id="text" rows="3" readonly dir="auto" spellcheck="false">\(shareText)</textarea>
        <p class="actions"><button type="button" class="main" data-copy="text" data-enhanced hidden>Copy text</button>
        <a class="quiet" href="\(links.prefix)/media/\(clip.id.text).mp3" download="\(clip.fileName)">Download MP3</a></p>
        <p class="visually-hidden" role="status" data-status></p>
        </section>
        <section class="facts" aria-labelledby="facts">
        <h2 id="facts">About this clip</h2>
        <dl>
        \(facts)
        </dl>
        \(report)
        </section>
        </article>
        """
    }

    private var report: HTML {
        post.map { "<p><a href=\"\(links.prefix)/report/posts/\(Int($0.sequence))\">Report</a></p>" } ?? .nothing
    }

    private var byline: HTML {
        "<p class=\"byline\">\(post?.authorLead(links) ?? .nothing)\(Wording.time(clip.created))</p>"
    }

    private var facts: HTML {
        var rows: [HTML] = []
        if let sound = clip.sound {
            rows.append(
                """
                <div><dt>Length</dt><dd><time datetime="\(Wording.iso(sound.seconds))">\(Wording.clock(sound.seconds))\
                </time></dd></div>
                """)
        }
        rows.append("<div><dt>Size</dt><dd>\(Wording.size(clip.bytes))</dd></div>")
        rows.append("<div><dt>Published</dt><dd>\(Wording.time(clip.created))</dd></div>")
        rows.append(
            "<div><dt>Available until</dt><dd>\(clip.expires.map(Wording.time) ?? "removed by its owner")</dd></div>")
        return HTML(joining: rows, separator: "\n")
    }
}
