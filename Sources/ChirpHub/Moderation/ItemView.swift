internal import ChirpCommunity
internal import ChirpPlaces
internal import ChirpWeb

/// An item as moderators see it, whoever sees it elsewhere: what it says, shows and sounds like, where it is, and between whom the
/// case is.
struct ItemView {
    let item: ItemSummary
    let author: PostAuthor
    /// Who says that it is theirs.
    var claimants: [PostAuthor] = []
    /// Where a moderator hears it; nil: not here.
    var sound: String?
    let desk: ModerationDesk

    var html: HTML {
        let pictures = item.pictures.enumerated().map { "<li>\(Self.picture($1, $0 + 1, desk))</li>" as HTML }
        return """
            <p><a href="\(desk.prefix)\(item.path)" dir="auto">\(item.title)</a></p>
            <p class="byline">\(desk.moderated(author)), \(Self.state(item))</p>
            \(between)
            <blockquote dir="auto">\(item.text)</blockquote>
            \(player)
            \(pictures.isEmpty ? .nothing : "<ul class=\"cases\">\(HTML(joining: pictures))</ul>")
            \(place)
            """
    }

    private var player: HTML {
        guard item.clip != nil, let sound else { return .nothing }
        return "<p><audio controls preload=\"none\" src=\"\(desk.prefix)\(sound)\"></audio></p>"
    }

    private var between: HTML {
        guard !claimants.isEmpty else { return .nothing }
        let names = HTML(joining: claimants.map { desk.moderated($0) }, separator: ", ")
        return "<p>\(HTML.word("moderation.between", ["author": desk.moderated(author), "claimants": names]))</p>"
    }

    private var place: HTML {
        guard let place = item.place else { return .nothing }
        let point = "\(place.exact.latitude), \(place.exact.longitude)"
        return "<p>\(word("moderation.place", ["name": place.name, "point": point]))</p>"
    }

    /// A picture with the way to a larger one. Its owner and moderators are shown it though the item is hidden.
    static func picture(_ id: HubID, _ number: Int, _ desk: ModerationDesk) -> HTML {
        """
        <a href="\(desk.links.picture(id, .large, below: desk.prefix))">\
        <img src="\(desk.links.picture(id, .small, below: desk.prefix))" loading="lazy" \
        alt="\(word("moderation.picture", ["number": "\(number)"]))"></a>
        """
    }

    private static func state(_ item: ItemSummary) -> String {
        let state =
            switch item.state {
            case .draft: word("moderation.item.draft")
            case .open: word("moderation.item.open")
            case .settled: word("moderation.item.settled")
            case .withdrawn: word("moderation.item.withdrawn")
            case .expired: word("moderation.item.expired")
            }
        return [
            state, item.isHidden ? word("moderation.item.hidden") : nil,
            item.isFrozen ? word("moderation.item.frozen") : nil,
        ].compactMap { $0 }.joined(separator: ", ")
    }
}
