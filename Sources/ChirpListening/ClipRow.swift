internal import ChirpWeb
package import FoundationEssentials

extension LivePage {
    /// A clip that arrived in a session.
    package struct Clip: Sendable {
        /// As in the contract of the calls: `gone` is what can be heard no more.
        package enum State: String, Sendable, CaseIterable { case queued, playing, played, skipped, failed, gone }

        /// Its place in the order of arrival.
        package var number: Int64
        /// The clip's id, as in `/c/ID`.
        package var clip: String
        package var seconds: Double
        /// Without `@`.
        package var handle: String
        package var name: String
        /// What came with it; plain text.
        package var text: String
        /// What stands in front of the words instead, when not empty.
        package var spoiler: String
        /// The language of the words (BCP 47), when it is known.
        package var language: String
        package var transcript: String
        package var arrived: Date
        /// Nil when it is kept until somebody removes it.
        package var keptUntil: Date?
        package var state: State
        /// Why it was not or cannot be played; empty when nothing is wrong.
        package var reason: String
        /// What its file is called where it is kept.
        package var fileName: String

        package init(
            number: Int64, clip: String, seconds: Double, handle: String, name: String, text: String,
            spoiler: String = "",
            language: String = "", transcript: String = "", arrived: Date, keptUntil: Date?, state: State,
            reason: String = "", fileName: String = ""
        ) {
            self.number = number
            self.clip = clip
            self.seconds = seconds
            self.handle = handle
            self.name = name
            self.text = text
            self.spoiler = spoiler
            self.language = language
            self.transcript = transcript
            self.arrived = arrived
            self.keptUntil = keptUntil
            self.state = state
            self.reason = reason
            self.fileName = fileName
        }
    }
}

/// A clip of a session in a list: who spoke, what came with it, until when it is kept (CH-23, CH-25).
struct ClipRow {
    let clip: LivePage.Clip
    let prefix: String
    /// Its player stands there also where scripts run.
    var hasPlayer = false

    var html: HTML {
        let said: HTML =
            clip.transcript.isEmpty
            ? .nothing
            : """
            <details class="transcript"><summary>\(word("live.transcript"))</summary><p dir="auto">\(clip.transcript)</p></details>
            """
        return """
            <li class="post clip" data-play="\(Int(clip.number))" data-state="\(clip.state.rawValue)"><div class="text">
            <p class="who" id="who-\(Int(clip.number))">\(who)</p>
            \(words)
            \(said)
            <p class="byline">\(Wording.clock(clip.seconds)) · \(Wording.time(clip.arrived)) · \(Self.name(clip.state)) · \(kept)</p>
            \(reason)</div>
            \(clip.state == .gone || clip.clip.isEmpty ? .nothing : player)</li>
            """
    }

    /// Of what is no longer there nothing is told but that.
    private var who: HTML {
        guard !clip.clip.isEmpty, !clip.handle.isEmpty else { return "<bdi class=\"name\">\(word("live.clip"))</bdi>" }
        return """
            <a href="\(prefix)/c/\(clip.clip)"><bdi class="name">\(clip.name)</bdi></a> <bdi class="handle">@\(clip.handle)</bdi>
            """
    }

    private var language: HTML { clip.language.isEmpty ? .nothing : " lang=\"\(clip.language)\"" }

    private var words: HTML {
        guard !clip.text.isEmpty else { return .nothing }
        let words: HTML = "<p class=\"words\" dir=\"auto\"\(language)>\(clip.text)</p>"
        guard !clip.spoiler.isEmpty else { return words }
        return "<details><summary dir=\"auto\">\(clip.spoiler)</summary>\(words)</details>"
    }

    private var kept: HTML {
        clip.keptUntil.map { HTML.word("live.kept", ["time": Wording.time($0)]) } ?? "\(word("live.kept.always"))"
    }

    private var reason: HTML {
        clip.reason.isEmpty ? .nothing : "<p class=\"problem\">\(clip.reason)</p>"
    }

    private var player: HTML {
        let sound: HTML = """
            <audio controls preload="none" src="\(prefix)/media/\(clip.clip).mp3" aria-label="\(clip.name)"></audio>
            """
        return """
            \(hasPlayer ? sound : "<noscript>\(sound)</noscript>")<button type="button" class="scripted" data-replay \
            aria-describedby="who-\(Int(clip.number))">\(word("live.replay"))</button>\(hasPlayer ? download : .nothing)
            """
    }

    /// To keep it beyond the day until which it is kept here.
    private var download: HTML {
        """
        <p class="actions"><a class="quiet" href="\(prefix)/media/\(clip.clip).mp3" download="\(clip.fileName)" \
        aria-describedby="who-\(Int(clip.number))">\(word("replay.download"))</a></p>
        """
    }

    /// What has become of a clip.
    static func name(_ state: LivePage.Clip.State) -> String {
        switch state {
        case .queued: word("live.state.queued")
        case .playing: word("live.state.playing")
        case .played: word("live.state.played")
        case .skipped: word("live.state.skipped")
        case .failed: word("live.state.failed")
        case .gone: word("live.state.gone")
        }
    }

    /// What the script makes a row of.
    static let template: HTML = """
        <li class="post clip"><div class="text"><p class="who"><a><bdi class="name"></bdi></a> <bdi class="handle"></bdi></p>
        <details class="spoiler"><summary dir="auto"></summary><p class="words" dir="auto"></p></details>
        <p class="words" dir="auto"></p>
        <details class="transcript"><summary></summary><p dir="auto"></p></details>
        <p class="byline"></p><p class="problem" hidden></p></div><button type="button" data-replay></button></li>
        """
}
