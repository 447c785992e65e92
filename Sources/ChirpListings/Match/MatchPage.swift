internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpWeb

/// What may belong to somebody's own listing, with what speaks for it.
struct MatchPage {
    let listing: Listing
    let matches: [Match]
    let token: String?
    let links: HubLinks

    private var path: String { "\(links.prefix)\(ListingDesk.path)" }
    private var layout: ListingLayout { ListingLayout(links: links, token: token) }

    var html: HTML {
        layout.page(
            title: word("match.title"), head: ListingLayout.unlisted,
            body: """
                <h1>\(word("match.title"))</h1>
                <p dir="auto"><a href="\(path)/\(listing.id.text)">\(listing.item.title)</a></p>
                <p>\(word("match.how"))</p>
                \(list)
                """)
    }

    private var list: HTML {
        guard !matches.isEmpty else { return "<p class=\"empty\">\(word("match.none"))</p>" }
        let seen: HTML =
            matches.contains(where: \.isNew)
            ? layout.button(word("match.seen"), to: "\(path)/\(listing.id.text)/matches/seen") : .nothing
        return """
            <ol class="posts" role="list">\(HTML(joining: matches.map(item), separator: "\n"))</ol>\(seen)
            """
    }

    private func item(_ match: Match) -> HTML {
        let new: HTML = match.isNew ? " <strong class=\"unread\">\(word("match.new"))</strong>" : .nothing
        let reasons = match.reasons.map { reason -> HTML in "<li dir=\"auto\">\(reason.words)</li>" }
        let place = match.other.item.place?.name ?? ""
        return """
            <li class="post"><div class="text"><h2 dir="auto"><a href="\(path)/\(match.other.id.text)">\
            \(match.other.item.title)</a>\(new)</h2>
            <p class="byline">\(place.isEmpty ? .nothing : "<bdi>\(place)</bdi> · ")\(Wording.time(match.other.item.created))</p>
            <ul>\(HTML(joining: reasons))</ul>
            \(layout.button(word("match.dismiss"), to: "\(path)/\(listing.id.text)/matches/\(match.other.id.text)/dismissal"))\
            </div></li>
            """
    }
}

extension MatchScore.Reason {
    /// In the reader's language.
    var words: String {
        switch self {
        case .words(let common): word("match.words", ["words": common.joined(separator: ", ")])
        case .category: word("match.category")
        // As coarse as where things are shown.
        case .near(let metres) where metres < 1000: word("match.close")
        case .near(let metres): word("match.near", ["km": "\(Int(clamping: (min(metres, 1e7) / 1000).rounded()))"])
        case .soon(let days): word("match.soon", count: days)
        case .picture: word("match.picture")
        }
    }
}

/// What a listing's page says of it to its author.
struct MatchPart {
    let desk: ListingDesk

    init(_ desk: ListingDesk) { self.desk = desk }

    var part: ListingPart {
        ListingPart(place: .own) { listing, view in
            guard view.isAuthor, listing.item.state == .open else { return .nothing }
            let matches = try await MatchStore(library: desk.desk.library).matches(of: listing)
            guard !matches.isEmpty else { return .nothing }
            return """
                <p><a href="\(desk.prefix)\(ListingDesk.path)/\(listing.id.text)/matches">\
                \(word("match.count", count: matches.count))</a></p>
                """
        }
    }
}
