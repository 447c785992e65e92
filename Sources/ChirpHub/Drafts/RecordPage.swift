internal import ChirpCore
internal import ChirpWeb

/// The page `/record`: a recorder, an editor for what was recorded, and the recordings that were left behind (hub.md 5). The script fills it;
/// without script it takes a sound file.
struct RecordPage {
    /// What the page has to know of the visitor and the hub.
    struct Facts {
        /// How many characters a share text may have on a network.
        struct Limit: Encodable {
            /// `hub`, `mastodon` or `x`.
            let network: String
            let most: Int
            /// What a link counts there.
            let link: Int
        }

        /// Proves that requests come from this page.
        let token: String
        let isSignedIn: Bool
        /// Seconds after which a recording stops by itself.
        let longest: Int
        /// The hub's own first, then one for each network that the visitor has linked.
        let limits: [Limit]
        /// The tag of share texts, with its sign.
        let tag: String
        /// What links begin with.
        let publicURL: String
        /// Who is signed in, by an id that stays; recordings in the browser are kept apart by it.
        var person = ""
        /// `POST /record` takes a sound file in the field `recording`.
        var takesFiles = false
        /// Why the file that was sent was refused, as a sentence without its stop.
        var problem: String?
    }

    let facts: Facts
    let prefix: String

    var html: HTML {
        Layout(prefix: prefix).page(
            title: "\(word("record.title")) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            script: PageScript(.record, words: ["record."], token: facts.token, facts: told, hasStyle: true),
            body: """
                <h1>\(word("record.title"))</h1>
                <p class="byline">\(word("record.lead"))</p>
                <p class="visually-hidden" role="status"></p>
                <p class="visually-hidden" role="alert">\(refusal)</p>
                \(recorder)
                \(RecordEditor(facts: facts, prefix: prefix).html)
                \(found)
                \(plain)
                \(confirmation)
                """)
    }

    private var told: [String: String] {
        let limits = (try? WebJSON.encode(facts.limits)).map { String(decoding: $0, as: UTF8.self) }
        return [
            "signedIn": facts.isSignedIn ? "yes" : "", "longest": "\(facts.longest)", "limits": limits ?? "[]",
            "tag": facts.tag, "publicURL": facts.publicURL, "person": facts.person,
        ]
    }

    private var refusal: HTML { facts.problem.map { "\($0)." } ?? .nothing }

    /// The reason for the microphone stands before the browser's question (CH-19). The button works once the script does.
    private var recorder: HTML {
        """
        <section class="recorder" data-recorder aria-label="\(word("record.recorder"))">
        <p class="why" id="why">\(word("record.why"))</p>
        <div class="machine">
        <button type="button" class="main big" data-record aria-describedby="why" disabled>\(word("record.record"))</button>
        <p class="time"><span data-clock>0:00</span> <span class="most">\(word("record.of", ["length": Wording.clock(Double(facts.longest))]))</span></p>
        <div class="level" data-level aria-hidden="true"><div></div></div>
        </div>
        <p class="choice"><label><input type="checkbox" name="reduce" data-reduce> \(word("record.reduce"))</label></p>
        <p class="problem" data-cause>\(refusal)</p>
        <p class="soft" data-state></p>
        <p class="missing" data-old>\(word("record.old"))</p>
        </section>
        """
    }

    private var found: HTML {
        """
        <section class="found" data-found hidden aria-labelledby="found-title">
        <h2 id="found-title" tabindex="-1">\(word("record.found"))</h2>
        <p class="soft">\(word("record.found.lead"))</p>
        <ul></ul>
        </section>
        """
    }

    /// What works without script.
    private var plain: HTML {
        guard facts.takesFiles else { return .nothing }
        return """
            <details class="plain"><summary>\(word("record.file"))</summary>
            <form class="form" method="post" action="\(prefix)/record" enctype="multipart/form-data">
            <input type="hidden" name="token" value="\(facts.token)">
            <p class="field"><label for="recording">\(word("record.file.label"))</label>
            <span class="hint" id="recording-hint">\(word("record.file.hint"))</span>
            <input id="recording" name="recording" type="file" accept="audio/*" aria-describedby="recording-hint" required></p>
            <p><button class="main">\(word("record.file.send"))</button></p></form></details>
            """
    }

    private var confirmation: HTML {
        """
        <dialog data-confirm aria-labelledby="confirm-title">
        <h2 id="confirm-title">\(word("record.confirm"))</h2>
        <p data-which></p>
        <p class="actions"><button type="button" class="danger" data-yes>\(word("record.delete"))</button> \
        <button type="button" class="main" data-no>\(word("record.keep"))</button></p>
        </dialog>
        """
    }
}
