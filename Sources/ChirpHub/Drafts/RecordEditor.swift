internal import ChirpWeb

/// What is done with a recording: trim, play, name, publish or delete. It is hidden until there is one.
struct RecordEditor {
    let facts: RecordPage.Facts
    let prefix: String

    var html: HTML {
        """
        <section class="editor" data-editor hidden aria-labelledby="made">
        <h2 id="made" tabindex="-1" data-made></h2>
        <p class="problem" data-gaps hidden></p>
        <div class="wave-host" data-wave></div>
        \(trim)
        <p class="actions"><button type="button" class="second" data-play>\(word("record.play"))</button> <span class="soft" data-played></span></p>
        <form class="form" data-fields>
        <p class="field"><label for="title">\(word("record.name"))</label>
        <input id="title" name="title" type="text" maxlength="200" autocomplete="off" dir="auto"></p>
        <p class="field"><label for="text">\(word("record.words"))</label>
        <span class="hint" id="text-hint">\(word("record.words.hint", ["tag": facts.tag]))</span>
        <textarea id="text" name="text" rows="3" dir="auto" aria-describedby="text-hint\(HTML(joining: facts.limits.map { " left-\($0.network)" }))"></textarea>
        <span class="left">\(HTML(joining: facts.limits.map(remaining)))</span></p>
        <details><summary>\(word("record.transcript"))</summary>
        <p class="field"><label for="transcript">\(word("record.transcript.label"))</label>
        <textarea id="transcript" name="transcript" rows="4" dir="auto"></textarea></p></details>
        <p class="field"><label for="visibility">\(word("record.visibility"))</label>
        <select id="visibility" name="visibility"><option value="public">\(word("record.public"))</option>\
        <option value="unlisted">\(word("record.unlisted"))</option><option value="followers">\(word("record.followers"))</option></select></p>
        <p class="field"><label for="language">\(word("record.language"))</label>
        <select id="language" name="language"><option value="">\(word("record.language.none"))</option></select></p>
        \(onward)
        \(HTML(joining: facts.isSignedIn ? [] : [signIn]))
        <p class="actions"><button type="button" class="main" data-publish>\(word("record.publish"))</button> \
        <button type="button" class="danger" data-delete>\(word("record.delete"))</button> \
        <button type="button" class="second" data-later>\(word("record.later"))</button></p>
        <p class="problem" data-trouble></p>
        <p class="soft" data-progress></p>
        </form>
        </section>
        """
    }

    /// Two ends, each as a slider and as a number, so that nothing needs dragging (WCAG 2.2, 2.5.7).
    private var trim: HTML {
        """
        <fieldset class="trim"><legend>\(word("record.trim"))</legend>
        <p class="soft">\(word("record.trim.hint"))</p>
        <div class="end"><label for="slide-from">\(word("record.from"))</label>
        <input id="slide-from" type="range" data-from min="0" max="0" step="0.1" value="0">
        <label class="number"><input type="number" name="from" min="0" step="0.1" value="0" inputmode="decimal" aria-label="\(word("record.from.number"))"> \
        <span aria-hidden="true">s</span></label></div>
        <div class="end"><label for="slide-to">\(word("record.to"))</label>
        <input id="slide-to" type="range" data-to min="0" max="0" step="0.1" value="0">
        <label class="number"><input type="number" name="to" min="0" step="0.1" value="0" inputmode="decimal" aria-label="\(word("record.to.number"))"> \
        <span aria-hidden="true">s</span></label></div>
        </fieldset>
        """
    }

    private func remaining(_ limit: RecordPage.Facts.Limit) -> HTML {
        "<span class=\"hint\" id=\"left-\(limit.network)\" data-remaining=\"\(limit.network)\"></span>"
    }

    /// Networks that the visitor has linked; none is chosen from the start.
    private var onward: HTML {
        let networks = facts.limits.filter { $0.network != "hub" }
        guard !networks.isEmpty else { return .nothing }
        return """
            <fieldset class="onward"><legend>\(word("record.onward"))</legend>
            \(HTML(joining: networks.map { network in
                """
                <p class="choice"><label><input type="checkbox" name="onward" value="\(network.network)"> \(name(of: network.network))</label></p>
                """
            }))</fieldset>
            """
    }

    private func name(of network: String) -> String {
        switch network {
        case "mastodon": "Mastodon"
        case "x": "X"
        default: network
        }
    }

    private var signIn: HTML {
        """
        <p data-signin>\(HTML.word("record.signin", ["link": "<a href=\"\(prefix)/signin?to=/record\">\(word("record.signin.link"))</a>"]))</p>
        """
    }
}
