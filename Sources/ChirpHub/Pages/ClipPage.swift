internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb
internal import FoundationEssentials

/// The page behind a link.
struct ClipPage {
    let clip: HubClip
    /// The newest post about it, when there is one.
    let post: HubPost?
    let links: HubLinks
    /// What is said in it.
    var transcript: ClipTranscript?
    /// What was answered; nil: nothing can be, since nobody has posted it.
    var comments: Comments?
    /// What its post answers.
    var answered: HubPost?
    /// The viewer's own clip.
    var isOwn = false

    /// What to paste elsewhere: the post's text, or one in the same form (CH-7).
    var shareText: String {
        post?.text ?? "\(clip.title.isEmpty ? word("clip.listen") : clip.title) \(links.page(clip.id)) #Chirp"
    }

    private var title: String { clip.shownTitle(post) }

    var html: HTML {
        Layout(prefix: links.prefix).page(title: "\(title) – Chirp", head: head, body: body)
    }

    /// The player alone, for other sites.
    var embedded: HTML {
        Layout(prefix: links.prefix).bare(
            title: "\(title) – Chirp",
            body: """
                <p class="name"><a href="\(links.page(clip.id))" target="_blank" rel="noopener"><bdi>\(title)\
                </bdi></a></p>
                \(Player(clip: clip, title: title, transcript: transcript, links: links).html)
                <p class="visually-hidden" role="alert" data-alert></p>
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
        <meta property="og:title" content="\(title)">
        <meta property="og:description" content="\(summary)">
        <meta property="og:url" content="\(links.page(clip.id))">
        <meta property="og:image" content="\(links.card(clip.id))">
        <meta property="og:image:type" content="image/png">
        <meta property="og:image:width" content="1200">
        <meta property="og:image:height" content="630">
        <meta property="og:image:alt" content="\(title)">
        <meta property="og:audio" content="\(links.audio(clip.id))">
        <meta property="og:audio:type" content="audio/mpeg">
        <meta name="twitter:card" content="player">
        <meta name="twitter:image" content="\(links.card(clip.id))">
        <meta name="twitter:title" content="\(title)">
        <meta name="twitter:player" content="\(links.embed(clip.id))">
        <meta name="twitter:player:width" content="480">
        <meta name="twitter:player:height" content="320">
        <link rel="alternate" type="application/json+oembed" href="\(links.oEmbed(clip.id))" title="\(title)">
        \(asking)
        """
    }

    /// What shows the owner's question in place.
    private var asking: HTML {
        guard isOwn else { return .nothing }
        return "<script type=\"module\" src=\"\(links.prefix)/assets/\(Asset.script("ask"))\"></script>"
    }

    private var body: HTML {
        """
        <article class="clip">
        <h1 dir="auto"\(post?.lang ?? .nothing)>\(title)</h1>
        \(byline)
        \(Player(clip: clip, title: title, transcript: transcript, links: links).html)
        \(words)\(controls)\(TranscriptSection(clip: clip, transcript: transcript, isOwn: isOwn, links: links).html)
        \(comments?.html ?? .nothing)<section class="share" aria-labelledby="share">
        <h2 id="share">\(word("clip.share"))</h2>
        <label class="visually-hidden" for="text">\(word("clip.text"))</label>
        <textarea id="text" rows="3" readonly dir="auto" spellcheck="false">\(shareText)</textarea>
        <p class="actions"><button type="button" class="main" data-copy="text" data-enhanced hidden>\(word("clip.copy"))</button>
        <a class="quiet" href="\(links.prefix)/media/\(clip.id.text).mp3" download="\(clip.fileName)">\(word("clip.download"))</a></p>
        <p class="visually-hidden" role="status" data-status></p>
        </section>
        <section class="facts" aria-labelledby="about">
        <h2 id="about">\(word("clip.about"))</h2>
        <dl>
        \(facts)
        </dl>
        \(acts)
        </section>
        </article>
        """
    }

    /// What its author wrote, where that is more than the title and the link.
    private var words: HTML {
        guard let post, !post.firstWords.isEmpty, post.firstWords != title else { return .nothing }
        return PostWords(post: post, links: links, withoutLinks: post.visibility == .direct).html
    }

    private var controls: HTML {
        guard let post, let acts = comments?.acts else { return .nothing }
        return "<div class=\"post\" id=\"p\(Int(post.sequence))\">\(acts.html(post, name: title))</div>"
    }

    private var acts: HTML {
        var acts: [HTML] = []
        if isOwn {
            acts.append(
                """
                <a href="\(links.prefix)/c/\(clip.id.text)/delete" data-dialog="ask">\(word("clip.delete"))</a>\(question)
                """)
        } else if let post {
            acts.append("<a href=\"\(links.prefix)/report/posts/\(Int(post.sequence))\">\(word("post.report"))</a>")
        }
        return acts.isEmpty ? .nothing : "<div class=\"actions\">\(HTML(joining: acts, separator: " "))</div>"
    }

    /// The same question as on the page that the link leads to, without leaving this one.
    private var question: HTML {
        guard let token = comments?.acts?.token else { return .nothing }
        let what: HTML = .word("clip.delete.text", ["title": "<b dir=\"auto\">\(title)</b>"])
        return """
            <dialog id="ask" aria-labelledby="ask-title"><h2 id="ask-title">\(word("clip.delete.title"))</h2>
            <p>\(what)</p><div class="actions">
            <form method="post" action="\(links.prefix)/c/\(clip.id.text)/delete">\
            <input type="hidden" name="token" value="\(token)"><button class="main">\(word("clip.delete"))</button></form>
            <form method="dialog"><button class="act" autofocus>\(word("clip.keep"))</button></form></div></dialog>
            """
    }

    private var byline: HTML {
        let above: HTML =
            answered.map { answered in
                let link: HTML =
                    "<a href=\"\(links.prefix)\(answered.page)\"><bdi>\(answered.author.name)</bdi></a>"
                return " · \(HTML.word("clip.answers", ["name": link]))"
            } ?? .nothing
        return "<p class=\"byline\">\(post?.authorLead(links) ?? .nothing)\(Wording.time(clip.created))\(above)</p>"
    }

    private var facts: HTML {
        var rows: [HTML] = []
        if let sound = clip.sound {
            rows.append(
                """
                <div><dt>\(word("clip.length"))</dt><dd><time datetime="\(Wording.iso(sound.seconds))">\
                \(Wording.clock(sound.seconds))</time></dd></div>
                """)
        }
        rows.append("<div><dt>\(word("clip.size"))</dt><dd>\(Wording.size(clip.bytes))</dd></div>")
        rows.append("<div><dt>\(word("clip.published"))</dt><dd>\(Wording.time(clip.created))</dd></div>")
        let end: HTML = clip.expires.map(Wording.time) ?? "\(word("clip.until.removed"))"
        rows.append("<div><dt>\(word("clip.until"))</dt><dd>\(end)</dd></div>")
        return HTML(joining: rows, separator: "\n")
    }
}
