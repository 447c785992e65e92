internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb

/// The answers to a post, and the form for another.
struct Comments {
    let post: HubPost
    /// In the order they came, as far as the viewer sees them.
    let answers: [HubPost]
    let links: HubLinks
    /// What the viewer may do with them; nil for those who only read.
    var acts: PostActs?
    /// Of the form; nil where the viewer may not answer.
    var form: AnswerForm?
    /// Nobody is signed in.
    var isVisitor = false

    var html: HTML {
        """
        <section class="comments" aria-labelledby="comments">
        <h2 id="comments">\(word("comment.title", count: answers.count))</h2>
        \(list)\(entry)
        </section>
        """
    }

    private var list: HTML {
        guard !answers.isEmpty else { return "<p>\(word("comment.none"))</p>" }
        return "<ol class=\"posts\" role=\"list\">\(HTML(joining: answers.map(item), separator: "\n"))</ol>"
    }

    private func item(_ answer: HubPost) -> HTML {
        let who: HTML = """
            <a href="\(links.prefix)/@\(answer.author.handle)"><bdi>\(answer.author.name)</bdi></a>
            """
        let isMine = acts?.me == answer.author.id
        let report: HTML =
            isMine
            ? .nothing
            : " · <a href=\"\(links.prefix)/report/posts/\(Int(answer.sequence))\">\(word("post.report"))</a>"
        return """
            <li class="post" id="p\(Int(answer.sequence))"><div class="text"><p class="byline">\(who) · \
            <a href="\(links.prefix)\(answer.page)">\(Wording.time(answer.created))</a>\(report)</p>
            \(answer.clip.map { PostSound(post: answer, clip: $0, links: links).html } ?? .nothing)\
            \(PostWords(post: answer, links: links, withoutLinks: answer.visibility == .direct).html)</div>\
            \(acts?.html(answer, name: word("comment.by", ["name": answer.author.name])) ?? .nothing)</li>
            """
    }

    private var entry: HTML {
        if let form { return form.html }
        guard isVisitor else { return .nothing }
        return """
            <p><a href="\(links.prefix)/signin?to=\(PercentEncoding.encode(post.page))">\(word("comment.signin"))</a></p>
            """
    }
}

/// The sound of a post within a list: the browser's own controls, which work without script.
struct PostSound {
    let post: HubPost
    let clip: HubClip
    let links: HubLinks

    var html: HTML {
        """
        <p class="sound"><a href="\(links.prefix)/c/\(clip.id.text)" dir="auto">\(clip.shownTitle(post))</a>\
        \(clip.sound.map { " · \(Wording.clock($0.seconds))" } ?? .nothing)</p>
        <audio controls preload="none" src="\(links.prefix)/media/\(clip.id.text).mp3" \
        aria-label="\(clip.shownTitle(post))"></audio>
        """
    }
}

/// The form by which somebody answers a post in words, and the way to an answer by voice.
struct AnswerForm {
    let post: HubPost
    let token: String
    let links: HubLinks
    /// What was typed, when it was not taken.
    var typed = ""
    /// Why not, as a sentence.
    var problem: String?

    var html: HTML {
        let wrong: HTML = problem.map { "<span class=\"problem\" id=\"words-problem\">\($0)</span>" } ?? .nothing
        let described: HTML =
            problem == nil ? .nothing : " aria-describedby=\"words-problem\" aria-invalid=\"true\" autofocus"
        return """
            <form class="form" id="answer" method="post" action="\(links.prefix)/posts/\(Int(post.sequence))/reply">
            <input type="hidden" name="token" value="\(token)">\
            <input type="hidden" name="key" value="\(HubID().text)">
            <p class="field"><label for="words">\(word("comment.label"))</label>\(wrong)
            <textarea id="words" name="text" rows="3" dir="auto" required\(described)>\(typed)</textarea></p>
            <p class="actions"><button class="main">\(word("comment.send"))</button>
            <a class="quiet" href="\(links.prefix)/record?answers=\(post.id)">\(word("comment.voice"))</a></p>
            </form>
            """
    }
}
