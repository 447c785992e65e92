package import ChirpWeb
package import FoundationEssentials

/// Where people choose whom to hear, and where they hear them (CH-8 to CH-10, CH-12, CH-21 to CH-25). It reads without script: then it lists what has arrived,
/// with the browser's own players. `live.js` makes it a loudspeaker.
///
/// Its form is sent to `/live` by POST. Fields: `token`, `account` (once for each one chosen; its id), `for`, `begins` and `ends` (`HH:MM`), `zone` (IANA; empty
/// without script), and `do`: `start`, `change` or `stop`. The form of a running session is the same one with `change`. A time frame goes before a duration, which
/// is filled in from the start.
package struct LivePage: Sendable {
    /// Somebody who is followed.
    package struct Person: Sendable {
        /// What the form sends.
        package var id: String
        /// Without `@`.
        package var handle: String
        package var name: String
        package var isChosen: Bool

        package init(id: String, handle: String, name: String, isChosen: Bool = false) {
            self.id = id
            self.handle = handle
            self.name = name
            self.isChosen = isChosen
        }
    }

    /// The session that runs.
    package struct Session: Sendable {
        package var begins: Date
        package var ends: Date
        /// Its time frame has not begun.
        package var isWaiting: Bool
        /// Oldest first.
        package var clips: [Clip]

        package init(begins: Date, ends: Date, isWaiting: Bool, clips: [Clip]) {
            self.begins = begins
            self.ends = ends
            self.isWaiting = isWaiting
            self.clips = clips
        }
    }

    /// Why what was sent is refused: a sentence without its full stop, beside the field that it is about.
    package struct Refusal: Sendable {
        package enum Field: String, Sendable { case accounts, duration = "for", begins, ends }
        package var field: Field
        package var sentence: String

        package init(field: Field, sentence: String) {
            self.field = field
            self.sentence = sentence
        }
    }

    /// What was typed, when the form comes back.
    package struct Typed: Sendable {
        package var duration: String
        package var begins: String
        package var ends: String

        package init(duration: String = "1h", begins: String = "", ends: String = "") {
            self.duration = duration
            self.begins = begins
            self.ends = ends
        }
    }

    /// How many of those who are followed a page lists; beside them stand those who are chosen.
    package static let mostListed = 500

    let people: [Person]
    let isWhole: Bool
    let session: Session?
    let typed: Typed
    let refusal: Refusal?
    let token: String
    let prefix: String

    /// - Parameters:
    ///   - people: who is followed; the page orders them.
    ///   - isWhole: those are all; otherwise the page says that they are not.
    ///   - typed: what comes back with a refusal. While a session runs, nothing typed leaves its time as it is.
    ///   - token: of the form (`ForgeryCheck.page`).
    ///   - prefix: `HubLinks.prefix`.
    package init(
        people: [Person], isWhole: Bool, session: Session?, typed: Typed? = nil, refusal: Refusal? = nil, token: String,
        prefix: String
    ) {
        self.people = people.sorted { ($0.handle.lowercased(), $0.id) < ($1.handle.lowercased(), $1.id) }
        self.isWhole = isWhole
        self.session = session
        self.typed = typed ?? Typed(duration: session == nil ? "1h" : "")
        self.refusal = refusal
        self.token = token
        self.prefix = prefix
    }

    package var html: HTML {
        Layout(prefix: prefix).page(
            title: "\(word("live.title")) – Chirp", head: "<meta name=\"robots\" content=\"noindex\">",
            script: PageScript(.live, words: ["live."], token: token, hasStyle: true),
            body: """
                <div class="live" data-running="\(session == nil ? "no" : "yes")">
                <h1>\(word("live.title"))</h1>
                <div role="alert" class="problem summary" tabindex="-1" data-alert>\(summary)</div>
                <p class="lead">\(word("live.lead"))</p>
                <p class="unscripted">\(word("live.unscripted"))</p>
                \(LiveSection(session: session, token: token, prefix: prefix).html)
                \(people.isEmpty ? nobody : LiveForm(page: self).html)
                </div>
                """)
    }

    private var summary: HTML {
        refusal.map { "<a href=\"#\($0.field.rawValue)\">\($0.sentence).</a>" } ?? .nothing
    }

    /// Who follows nobody is told how that changes (CH-21).
    private var nobody: HTML {
        """
        <div class="empty"><h2>\(word("live.nobody"))</h2><p>\(word("live.nobody.how"))</p>
        <p class="actions"><a class="main" href="\(prefix)/search">\(word("live.nobody.way"))</a></p></div>
        """
    }
}
