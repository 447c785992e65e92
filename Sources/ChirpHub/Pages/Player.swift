internal import ChirpCommunity
internal import ChirpWeb

/// The player of a clip. Without the script it is the browser's own; with it, large controls over the waveform.
struct Player {
    let clip: HubClip
    let links: HubLinks

    var html: HTML {
        let seconds = clip.sound?.seconds ?? 0
        let picture = WaveformPicture(clip.sound ?? HubSound(seconds: 0), bars: 72)
        let wave: HTML = (clip.sound?.peaks.isEmpty ?? true) ? "<div class=\"rail\"></div>" : picture.svg(name: "clip")
        return """
            <section class="player" aria-label="Player" data-player>
            <audio controls preload="metadata" src="\(links.prefix)/media/\(clip.id.text).mp3" \
            aria-label="\(clip.displayTitle)"></audio>
            <div class="seek" data-enhanced hidden>
            \(wave)
            <input type="range" min="0" max="\(Int((seconds * 10).rounded(.up)))" value="0" step="1" aria-label="Position">
            </div>
            <div class="clock" data-enhanced hidden><span data-now>0:00</span>\
            <span data-length>\(clip.sound.map { Wording.clock($0.seconds) } ?? "–:––")</span></div>
            <div class="controls" data-enhanced hidden>
            <button type="button" class="round" data-back aria-label="Back 5 seconds">\(Icon.back)</button>
            <button type="button" class="round play" data-play aria-label="Play">\(Icon.play)\(Icon.pause)</button>
            <button type="button" class="round" data-forward aria-label="Forward 5 seconds">\(Icon.forward)</button>
            <label class="speed"><span>Speed</span> <select data-speed>
            <option value="0.75">0.75×</option><option value="1" selected>1×</option><option value="1.25">1.25×</option>
            <option value="1.5">1.5×</option><option value="2">2×</option></select></label>
            </div>
            <p class="keys" data-enhanced hidden><kbd>Space</kbd> plays, <kbd>←</kbd> <kbd>→</kbd> move 5 seconds, \
            <kbd>M</kbd> mutes</p>
            <p class="problem" role="alert" data-problem hidden>This clip cannot be played here. Its file can still be \
            downloaded.</p>
            </section>
            """
    }
}
