internal import ChirpBoards
internal import ChirpCommunity
package import ChirpWeb
package import Hummingbird

extension BeatDesk {
    /// Answers, and tells what went wrong: people by a page, programs by a problem in English.
    package func answering(
        _ request: Request, _ answer: () async throws -> Response
    ) async throws -> Response { try await telling.answering(request, answer) }

    private var telling: BoardTelling {
        BoardTelling(
            page: { [links] title, text in
                let body: HTML = """
                    <div class="failure"><h1>\(title)</h1>
                    \(text)
                    <p class="actions"><a class="main" href="\(links.prefix)\(Self.path)">\(word("beat.toboard"))</a></p></div>
                    """
                return BeatLayout(links: links).page(title: title, head: BeatLayout.unlisted, body: body)
            },
            refused: { word("beat.refused.title") },
            gone: { (word("beat.gone.title"), "<p>\($0.sentence)</p>", $0.problem("The track is gone")) },
            refusal: { error in
                if let refusal = error as? ItemRefusal { return TrackRefusal.item(refusal) }
                return error as? any BoardRefusal
            })
    }
}

extension Problem {
    package static let noTrack = Problem(.notFound, "not-found", "There is no such track")
}

extension ItemGone {
    /// What became of it, and when: nothing else is told.
    fileprivate var sentence: HTML {
        guard let since else { return "\(word("beat.gone.otherwise"))" }
        let time = Wording.time(since)
        return switch state {
        case .withdrawn: HTML.word("beat.gone.withdrawn", ["time": time])
        case .expired: HTML.word("beat.gone.expired", ["time": time])
        default: HTML.word("beat.gone.ended", ["time": time])
        }
    }
}
