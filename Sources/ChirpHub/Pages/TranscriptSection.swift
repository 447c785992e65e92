internal import ChirpCommunity
internal import ChirpWeb

/// What is said in a clip, on its page.
struct TranscriptSection {
    let clip: HubClip
    let transcript: ClipTranscript?
    let isOwn: Bool
    let links: HubLinks

    var html: HTML {
        guard transcript != nil || isOwn else { return .nothing }
        let edit: HTML =
            isOwn
            ? "<p><a href=\"\(links.prefix)/c/\(clip.id.text)/transcript\">\(word("transcript.edit"))</a></p>"
            : .nothing
        return """
            <section class="facts transcript" aria-labelledby="transcript">
            <h2 id="transcript">\(word("transcript.name"))</h2>
            \(transcript.map(text) ?? "<p>\(word("transcript.none"))</p>")\(edit)
            </section>
            """
    }

    private func text(_ transcript: ClipTranscript) -> HTML {
        let lang: HTML = transcript.language.isEmpty ? .nothing : " lang=\"\(transcript.language)\""
        let lines = transcript.lines.map { line -> HTML in
            let time: HTML = line.seconds.map { "<span class=\"at\">\(Wording.clock($0))</span> " } ?? .nothing
            return "<p dir=\"auto\">\(time)\(line.words)</p>"
        }
        let heard: HTML = transcript.source == .hook ? "<p class=\"byline\">\(word("transcript.heard"))</p>" : .nothing
        return """
            \(heard)<div class="lines"\(lang)>\(HTML(joining: lines, separator: "\n"))</div>
            <p><a href="\(links.prefix)\(transcript.path)">\(word("transcript.file"))</a></p>
            """
    }
}

/// The page on which the author writes it.
struct TranscriptPage {
    let clip: HubClip
    let title: String
    let text: String
    let language: String
    let token: String
    let links: HubLinks
    /// What was wrong, as a sentence, and the field that it belongs to.
    var problem: (field: String, sentence: String)?

    var html: HTML {
        let summary: HTML = problem.map { "<p><a href=\"#\($0.field)\">\($0.sentence)</a></p>" } ?? .nothing
        return Layout(prefix: links.prefix).page(
            title: "\(word("transcript.edit")) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            body: """
                <div class="form wide"><h1>\(word("transcript.edit"))</h1>
                <p role="status" dir="auto">\(title)</p>
                <div role="alert" class="problem">\(summary)</div>
                <p>\(word("transcript.how"))</p>
                <audio controls preload="none" src="\(links.prefix)/media/\(clip.id.text).mp3" aria-label="\(title)"></audio>
                <form method="post" action="\(links.prefix)/c/\(clip.id.text)/transcript">
                <input type="hidden" name="token" value="\(token)">
                <p class="field"><label for="transcript">\(word("transcript.name"))</label>
                <textarea id="transcript" name="transcript" rows="14" dir="auto"\(invalid("transcript"))>\(text)</textarea></p>
                <p class="field"><label for="language">\(word("transcript.language"))</label>\
                <span class="hint" id="language-hint">\(word("transcript.language.hint"))</span>
                <input id="language" name="language" autocomplete="off" aria-describedby="language-hint" \
                value="\(language)"\(invalid("language"))></p>
                <p class="actions"><button class="main">\(word("transcript.save"))</button>
                <a class="quiet" href="\(links.prefix)/c/\(clip.id.text)">\(word("clip.keep"))</a></p>
                </form></div>
                """)
    }

    private func invalid(_ field: String) -> HTML { problem?.field == field ? " aria-invalid=\"true\"" : .nothing }
}
