internal import ChirpBoards
internal import ChirpWeb

/// What was found in a track, with its doubt: nobody types in what can be heard.
struct TrackFactsView {
    let facts: TrackFacts

    var html: HTML {
        var rows: [(String, String)] = [
            (word("beat.facts.length"), Wording.spoken(Double(facts.milliseconds) / 1000))
        ]
        rows.append((word("beat.facts.tempo"), facts.tempo.map(TrackWording.tempo) ?? word("beat.facts.notempo")))
        rows.append((word("beat.key"), facts.key.map(TrackWording.key) ?? word("beat.facts.nokey")))
        if let loudness = facts.loudness {
            rows.append(
                (
                    word("beat.facts.loudness"),
                    word("beat.facts.lufs", ["loudness": TrackWording.number(loudness, places: 1)])
                ))
        }
        if let peak = facts.peak {
            rows.append(
                (word("beat.facts.peak"), word("beat.facts.dbtp", ["peak": TrackWording.number(peak, places: 1)])))
        }
        if let loudness = facts.previewLoudness {
            rows.append(
                (
                    word("beat.facts.preview"),
                    word("beat.facts.lufs", ["loudness": TrackWording.number(loudness, places: 1)])
                ))
        }
        let items = rows.map { name, value -> HTML in "<div><dt>\(name)</dt><dd>\(value)</dd></div>" }
        return "<dl class=\"beat-heard\">\(HTML(joining: items))</dl>"
    }
}
