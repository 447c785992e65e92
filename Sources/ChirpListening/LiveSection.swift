internal import ChirpWeb
internal import FoundationEssentials

/// What is heard: the clip of the moment, the controls, and the clips of the session. The script fills it in; without session it is hidden.
struct LiveSection {
    let session: LivePage.Session?
    let token: String
    let prefix: String

    var html: HTML {
        """
        <section class="air" aria-labelledby="air" data-session\(session == nil ? " hidden" : .nothing)>
        <h2 id="air" tabindex="-1" data-until>\(until)</h2>
        <p class="lost" data-lost hidden></p>
        \(starter)
        \(now)
        \(switches)
        \(stop)
        <h2>\(word("live.clips"))</h2>
        <p class="hint" data-none-yet\(session?.clips.isEmpty == false ? " hidden" : .nothing)>\(word("live.clips.none"))</p>
        <ol class="posts" role="list" data-clips>
        \(HTML(joining: (session?.clips ?? []).reversed().map { ClipRow(clip: $0, prefix: prefix).html }, separator: "\n"))
        </ol>
        <template data-row>\(ClipRow.template)</template>
        <p><a href="\(prefix)/replay">\(word("live.heard"))</a></p>
        </section>
        """
    }

    private var until: HTML {
        guard let session else { return .nothing }
        return session.isWaiting
            ? HTML.word("live.from", ["time": Wording.time(session.begins)])
            : HTML.word("live.until", ["time": Wording.time(session.ends)])
    }

    /// Browsers play nothing before something was pressed, and one tab plays at a time.
    private var starter: HTML {
        """
        <div class="starter scripted" data-starter><p class="hint" data-why>\(word("live.press"))</p>
        <p><button type="button" class="main begin" data-listen>\(word("live.start"))</button></p></div>
        """
    }

    private var now: HTML {
        """
        <div class="now scripted" data-now>
        <p class="who"><span class="bell" data-bell aria-hidden="true"></span><bdi class="name" data-name></bdi>
        <bdi class="handle" data-handle></bdi></p>
        <p class="words" dir="auto" data-words></p>
        <p class="hint" data-quiet>\(word("live.quiet"))</p>
        <div class="level" aria-hidden="true" data-level><span></span></div>
        <p class="clock" aria-hidden="true"><span data-position></span><span data-length></span></p>
        <div class="transcript" data-transcript hidden><h3>\(word("live.transcript"))</h3>
        <p dir="auto" data-said></p></div>
        <p data-waiting>\(word("live.waiting", count: 0))</p>
        <p class="actions"><button type="button" data-pause>\(word("live.pause"))</button>
        <button type="button" data-skip>\(word("live.skip"))</button>
        <button type="button" data-again>\(word("live.replay"))</button></p>
        <p class="hint" data-awake hidden></p>
        </div>
        """
    }

    private var switches: HTML {
        """
        <p class="switches scripted"><label><input type="checkbox" data-announce checked> \(word("live.announce"))</label>
        <label data-speak-names hidden><input type="checkbox" data-speak> \(word("live.speak"))</label>
        <label><input type="checkbox" data-chime> \(word("live.chime"))</label></p>
        """
    }

    private var stop: HTML {
        """
        <form class="leave" method="post" action="\(prefix)/live" data-leave><input type="hidden" name="token" value="\(token)">
        <p class="actions"><button name="do" value="stop" data-stop>\(word("live.stop"))</button>
        <button type="button" class="scripted" aria-expanded="false" aria-controls="choice" data-open>\(word("live.open"))</button></p>
        </form>
        """
    }
}
