internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpWeb

/// Comments on an item as one person sees them: a list, what she may do with each, and the form for another one.
struct CommentView {
    let item: Item
    /// Of the comments, without the prefix.
    let path: String
    /// Nil for a visitor.
    let person: Person?
    /// Of the page's forms; nil for a visitor.
    let token: String?
    let takesVoice: Bool
    /// What is said in the clips.
    let transcripts: [HubID: ClipTranscript]
    let links: HubLinks

    /// Whether somebody may say something about it now.
    private var isOpen: Bool { item.state == .open || item.state == .settled }

    func list(_ comments: [ItemComment]) -> HTML {
        guard !comments.isEmpty else { return "<p>\(word("comment.none"))</p>" }
        return "<ol class=\"posts\" role=\"list\">\(HTML(joining: comments.map(row), separator: "\n"))</ol>"
    }

    private func row(_ comment: ItemComment) -> HTML {
        let more: HTML =
            comment.hasMoreAnswers
            ? "<p><a href=\"\(links.prefix)\(path)/\(comment.id.text)\">\(word("comment.more-answers"))</a></p>"
            : .nothing
        let answers: HTML =
            comment.answers.isEmpty
            ? .nothing
            : "<ol class=\"posts\" role=\"list\">\(HTML(joining: comment.answers.map(row), separator: "\n"))</ol>"
        return """
            <li class="post" id="comment-\(comment.id.text)">\(said(comment))\(answers)\(more)</li>
            """
    }

    private func said(_ comment: ItemComment) -> HTML {
        guard let author = comment.author else {
            return "<div class=\"text\"><p class=\"byline\">\(word("comment.removed"))</p></div>"
        }
        // What is hidden is heard by moderators within its case alone.
        let heard = comment.state == .shown ? comment.clip : nil
        let hidden: HTML = comment.state == .hidden ? " · <strong>\(word("comment.hidden"))</strong>" : .nothing
        return """
            <div class="text"><p class="byline"><a href="\(links.prefix)/@\(author.handle)"><bdi>\(author.name)</bdi></a> · \
            <a href="\(links.prefix)\(path)/\(comment.id.text)">\(Wording.time(comment.created))</a>\(hidden)</p>
            \(heard.map { sound($0, author) } ?? .nothing)\(words(comment.text))</div>\(acts(comment, author))
            """
    }

    /// Links of strangers stay text.
    private func words(_ text: String) -> HTML {
        guard !text.isEmpty else { return .nothing }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> HTML in
            "\(String(line))"
        }
        return "<p class=\"words\" dir=\"auto\">\(HTML(joining: lines, separator: "<br>"))</p>"
    }

    /// The browser's own controls, which work without script, and what is said where somebody has written that down.
    private func sound(_ clip: HubClip, _ author: PostAuthor) -> HTML {
        let transcript = transcripts[clip.id]
        let lines = (transcript?.lines ?? []).map { "<p dir=\"auto\">\($0.words)</p>" as HTML }
        let written: HTML =
            lines.isEmpty
            ? .nothing
            : """
            <details><summary>\(word("transcript.name"))</summary><div class="lines" \
            lang="\(transcript?.languageOr("en") ?? "en")">\(HTML(joining: lines))</div></details>
            """
        return """
            <audio controls preload="none" src="\(links.prefix)/media/\(clip.id.text).mp3" \
            aria-label="\(word("comment.by", ["name": author.name]))">\(track(transcript))</audio>\(written)
            """
    }

    private func track(_ transcript: ClipTranscript?) -> HTML {
        guard let transcript, transcript.isTimed else { return .nothing }
        return """
            <track kind="captions" src="\(links.prefix)\(transcript.path)" srclang="\(transcript.languageOr("en"))" \
            label="\(word("transcript.name"))">
            """
    }

    /// To answer, to report what is another's, and to remove what is one's own or stands on one's own item.
    private func acts(_ comment: ItemComment, _ author: PostAuthor) -> HTML {
        let name = word("comment.by", ["name": author.name])
        let isOwn = author.id.rawValue == person?.id
        func way(_ address: String, _ words: String) -> HTML {
            "<a class=\"act\" href=\"\(links.prefix)\(address)\" aria-label=\"\(words): \(name)\">\(words)</a>"
        }
        var acts: [HTML] = []
        if isOpen, comment.state == .shown, person == nil || mayWrite {
            acts.append(way("\(path)/\(comment.id.text)#answer", word("comment.answer")))
        }
        if !isOwn { acts.append(way("/report/comments/\(comment.id.text)", word("post.report"))) }
        if isOwn || item.author.id.rawValue == person?.id {
            acts.append(way("\(path)/\(comment.id.text)/removal", word("comment.remove")))
        }
        return acts.isEmpty ? .nothing : "<div class=\"acts\">\(HTML(joining: acts))</div>"
    }

    private var mayWrite: Bool { token != nil && person?.isActive == true }
}

extension CommentView {
    /// The form for a comment, or why there is none.
    ///
    /// - Parameters:
    ///   - above: the comment that is answered.
    ///   - typed: what was not taken, and why, as a sentence.
    func entry(above: ItemComment? = nil, typed: String = "", problem: String? = nil) -> HTML {
        guard isOpen else { return "<p>\(word("comment.ended"))</p>" }
        guard let token, let person else {
            let back = PercentEncoding.encode(above.map { "\(path)/\($0.id)" } ?? "/\(item.board)/\(item.id)")
            return "<p><a href=\"\(links.prefix)/signin?to=\(back)\">\(word("comment.signin"))</a></p>"
        }
        guard person.isActive else { return "<p>\(word("comment.inactive"))</p>" }
        let wrong: HTML = problem.map { "<span class=\"problem\" id=\"words-problem\">\($0)</span>" } ?? .nothing
        let described: HTML =
            problem == nil ? .nothing : " aria-describedby=\"words-problem\" aria-invalid=\"true\" autofocus"
        let answers: HTML = above.map { "<input type=\"hidden\" name=\"answers\" value=\"\($0.id.text)\">" } ?? .nothing
        return """
            <form class="form" id="answer" method="post" action="\(links.prefix)\(path)" enctype="multipart/form-data">
            <input type="hidden" name="token" value="\(token)">\
            <input type="hidden" name="key" value="\(HubID().text)">\(answers)
            <p class="field"><label for="words">\(above == nil ? word("comment.label") : word("comment.label-answer"))</label>\(wrong)
            <textarea id="words" name="text" rows="3" dir="auto" maxlength="\(ItemComment.longestText)"\(described)>\
            \(typed)</textarea></p>
            \(voice)<p class="actions"><button class="main">\(word("comment.send"))</button></p>
            </form>
            """
    }

    private var voice: HTML {
        guard takesVoice else { return .nothing }
        return """
            <p class="field"><label for="voice">\(word("comment.say"))</label>\
            <span class="hint" id="voice-hint">\(word("comment.say-hint"))</span>
            <input id="voice" name="voice" type="file" accept="audio/*" capture aria-describedby="voice-hint"></p>

            """
    }
}
