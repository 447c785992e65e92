internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb

/// Tracks that are like another one, each with why, in words and figures.
struct LikenessView {
    let like: [LikeTrack]
    let links: HubLinks

    var html: HTML {
        guard !like.isEmpty else { return .nothing }
        let items = like.map { other -> HTML in
            """
            <li data-beat-like="\(other.track.id.text)" data-title="\(other.track.item.title)">\
            <a href="\(links.prefix)\(other.track.path)" dir="auto">\(other.track.item.title)</a> · \
            <bdi>\(other.track.item.author.name)</bdi> · \(other.track.price.name)
            <p class="byline">\(HTML(joining: other.reasons.map { "\($0.sentence)" }, separator: " · "))</p>\
            \(TrackList.sound(other.track, links))\(ears(other.track))</li>
            """
        }
        let hint: HTML =
            like.contains { $0.track.item.clip != nil }
            ? "<p class=\"hint\">\(HTML.word("beat.ears.hint", ["key": "<kbd>B</kbd>"]))</p>" : .nothing
        return """
            <section aria-labelledby="like"><h2 class="section" id="like">\(word("beat.like.title"))</h2>
            \(hint)<ul class="beat-like" role="list">\(HTML(joining: items, separator: "\n"))</ul></section>
            """
    }
}

extension LikenessView {
    /// Shown by the script, which it needs; the link to the other track is there without it.
    private func ears(_ track: Track) -> HTML {
        guard track.item.clip != nil else { return .nothing }
        return """
            <button type="button" class="act" aria-pressed="false" aria-label="\(word("beat.ears.of", ["title": track.item.title]))" \
            data-beat-ears hidden>\(word("beat.ears"))</button>
            """
    }
}

extension TrackLikeness.Reason {
    /// In words and figures, without a full stop.
    var sentence: String {
        switch self {
        case .tempo(let one, let other):
            return word(
                "beat.like.tempo",
                ["one": TrackWording.number(one, places: 0), "other": TrackWording.number(other, places: 0)])
        case .key(let one, let other, let relation):
            let values = ["one": one.name, "other": other.name]
            return switch relation {
            case .same: word("beat.like.key.same", values)
            case .relative: word("beat.like.key.relative", values)
            case .parallel: word("beat.like.key.parallel", values)
            case .neighbour: word("beat.like.key.neighbour", values)
            }
        case .sound(let name, let one, let other):
            let places = name == .brightness || name == .timbre ? 0 : 1
            let values = [
                "one": TrackWording.number(one, places: places), "other": TrackWording.number(other, places: places),
            ]
            return switch name {
            case .density: word("beat.like.density", values)
            case .brightness: word("beat.like.brightness", values)
            case .loudness: word("beat.like.loudness", values)
            case .dynamics: word("beat.like.dynamics", values)
            case .timbre: word("beat.like.timbre", values)
            }
        }
    }
}
