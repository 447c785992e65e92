package import ChirpCommunity
package import ChirpWeb

/// The player of a clip. Without the script it is the browser's own; with it, large controls over the waveform.
package struct Player {
    let clip: HubClip
    /// As the page calls it.
    var title: String
    /// What is said in it, where somebody has written that down.
    var transcript: ClipTranscript?
    let links: HubLinks

    package init(clip: HubClip, title: String, transcript: ClipTranscript? = nil, links: HubLinks) {
        self.clip = clip
        self.title = title
        self.transcript = transcript
        self.links = links
    }

    package var html: HTML { html(from: "/media/\(clip.id.text).mp3") }

    /// - Parameter path: where the sound is, without the prefix, for who may hear it there alone.
    package func html(from path: String) -> HTML {
        let seconds = clip.sound?.seconds ?? 0
        let picture = WaveformPicture(clip.sound ?? HubSound(seconds: 0), bars: 72)
        let wave: HTML = (clip.sound?.peaks.isEmpty ?? true) ? "<div class=\"rail\"></div>" : picture.svg(name: "clip")
        return """
            <section class="player" aria-label="\(word("player.name"))" data-player>
            <audio controls preload="metadata" src="\(links.prefix)\(path)" \
            aria-label="\(title)">\(track)</audio>
            <div class="seek" data-enhanced hidden>
            \(wave)
            <input type="range" min="0" max="\(Int(clamping: (seconds * 10).rounded(.up)))" value="0" step="1" aria-label="\(word("player.position"))">
            </div>
            <div class="clock" data-enhanced hidden><span data-now>0:00</span>\
            <span data-length>\(clip.sound.map { Wording.clock($0.seconds) } ?? "–:––")</span></div>
            <div class="controls" data-enhanced hidden>
            <button type="button" class="round" data-back aria-label="\(word("player.back"))">\(Icon.back)</button>
            <button type="button" class="round play" data-play aria-label="\(word("player.play"))">\(Icon.play)\(Icon.pause)</button>
            <button type="button" class="round" data-forward aria-label="\(word("player.forward"))">\(Icon.forward)</button>
            <label class="speed"><span>\(word("player.speed"))</span> <select data-speed>
            <option value="0.75">0.75×</option><option value="1" selected>1×</option><option value="1.25">1.25×</option>
            <option value="1.5">1.5×</option><option value="2">2×</option></select></label>
            </div>
            <p class="keys" data-enhanced hidden>\(keys)</p>
            <p class="problem" data-problem hidden>\(word("player.problem"))</p>
            </section>
            """
    }

    private var keys: HTML {
        .word(
            "player.keys",
            [
                "space": "<kbd>\(word("player.space"))</kbd>", "left": "<kbd>←</kbd>", "right": "<kbd>→</kbd>",
                "mute": "<kbd>M</kbd>",
            ])
    }

    private var track: HTML {
        guard let transcript, transcript.isTimed else { return .nothing }
        return """
            <track kind="captions" src="\(links.prefix)\(transcript.path)" srclang="\(transcript.languageOr("en"))" \
            label="\(word("transcript.name"))">
            """
    }
}
