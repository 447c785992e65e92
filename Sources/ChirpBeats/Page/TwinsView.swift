internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb

/// Which other tracks have the same recording, and when each was sent; both sides are told, and nothing follows from it by itself.
struct TwinsView {
    let twins: [TrackTwin]
    /// Its page is waited with until its author says that it is to appear.
    let isWaiting: Bool
    let links: HubLinks

    var html: HTML {
        guard !twins.isEmpty else { return .nothing }
        let items = twins.map { twin -> HTML in "<li>\(line(twin))</li>" }
        let anyway: HTML =
            isWaiting && twins.contains(where: \.isEarlier) ? "<p>\(word("beat.twin.anyway"))</p>" : .nothing
        return """
            <section class="beat-state" aria-labelledby="twins"><h2 class="section" id="twins">\(word("beat.twin.title"))</h2>
            <ul>\(HTML(joining: items, separator: "\n"))</ul>\(anyway)</section>

            """
    }

    private func line(_ twin: TrackTwin) -> HTML {
        let values: [String: HTML] = [
            "other": Wording.time(twin.sent), "own": Wording.time(twin.ownSent),
            "title": twin.other.map {
                "<a href=\"\(links.prefix)\($0.path)\" dir=\"auto\">\($0.item.title)</a>"
            } ?? .nothing,
            "author": twin.other.map { "<bdi>\($0.item.author.name)</bdi>" } ?? .nothing,
        ]
        guard twin.other != nil else {
            return twin.isEarlier
                ? .word("beat.twin.earlier.unseen", values) : .word("beat.twin.later.unseen", values)
        }
        return twin.isEarlier ? .word("beat.twin.earlier", values) : .word("beat.twin.later", values)
    }
}
