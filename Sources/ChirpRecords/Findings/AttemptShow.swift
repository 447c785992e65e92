internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb

/// What shows an attempt, as far as the viewer may see and hear it.
struct AttemptShow: Sendable {
    /// A recording of sound alone as it is posted, with its waveform.
    let clip: HubClip?
    let media: AttemptMedia?
    let title: String

    /// Whose waveform is drawn.
    var sound: HubSound? { clip?.sound }

    func html(_ links: HubLinks) -> HTML {
        var parts: [HTML] = []
        if let film = media?.film, film.state == .ready {
            let source =
                media?.isJudge == true
                ? links.judgedFilm(film.id, below: links.prefix) : links.film(film.id, .shown, below: links.prefix)
            guard film.facts?.hasPictures == true else {
                parts.append(
                    """
                    <audio class="attempt-sound" controls preload="metadata" src="\(source)" aria-label="\(title)"></audio>
                    """)
                return HTML(joining: parts + pictures(links))
            }
            parts.append(
                """
                <video class="attempt-film" controls preload="metadata" playsinline src="\(source)" \
                poster="\(links.film(film.id, .poster, below: links.prefix))" aria-label="\(title)"></video>
                """)
        } else if media?.film != nil {
            parts.append("<p>\(word("attempt.film.later"))</p>")
        }
        if let clip { parts.append(Player(clip: clip, title: title, links: links).html) }
        return HTML(joining: parts + pictures(links))
    }

    private func pictures(_ links: HubLinks) -> [HTML] {
        guard let picture = media?.recording.picture else { return [] }
        return [
            """
            <p class="attempt-picture"><a href="\(links.picture(picture, .large, below: links.prefix))">\
            <img src="\(links.picture(picture, .medium, below: links.prefix))" alt="\(title)" decoding="async"></a></p>
            """
        ]
    }
}

extension RecordDesk {
    func media(of sight: AttemptSight, for viewer: Viewer) async throws -> AttemptShow {
        let media = try await attempts.media(of: sight.attempt.id, for: viewer)
        var clip: HubClip?
        // The sound of a clip is for all who have its address, or for nobody: what is being checked, or was rejected, has no player.
        let everybody = desk.library.seen(by: .visitor)
        if let id = media?.recording.clip, case .clip(let heard, _) = try await everybody.sound(at: id) {
            clip = heard
        }
        return AttemptShow(
            clip: clip, media: media,
            title: word("attempt.title", ["score": sight.score, "title": sight.challenge.item.title]))
    }
}
