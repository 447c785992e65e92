internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpDrawing
internal import ChirpPlaces
internal import ChirpWeb
internal import FoundationEssentials

/// A listing as a sheet for trees, doors and notice boards, in the reader's language. It says what the page says to everybody: whoever
/// knows the exact place gives a sheet away that does not have it. The telephone number is on no sheet either.
struct ListingPoster {
    let listing: Listing
    /// Bytes of the first picture.
    let picture: [UInt8]?
    let links: HubLinks

    var poster: Poster {
        let item = listing.item
        let reward = listing.reward
        return Poster(
            headline: listing.side == .lost ? word("poster.lost") : word("poster.found"),
            tone: listing.side == .lost ? .lost : .found, title: item.title, picture: picture, text: item.text,
            facts: facts, reward: reward.isEmpty ? "" : word("poster.reward", ["reward": reward]),
            invitation: listing.side == .lost ? word("poster.invitation.lost") : word("poster.invitation.found"),
            link: "\(links.publicURL)\(listing.path)")
    }

    private var facts: [Poster.Fact] {
        var facts: [Poster.Fact] = []
        if let place = listing.item.place {
            facts.append(Poster.Fact(name: word("listing.fact.where"), value: Self.text(place)))
        }
        if let from = listing.happenedFrom {
            let (from, to) = (Wording.instant(from), Wording.instant(listing.happenedTo ?? from))
            let when = from == to ? from : word("listing.span", ["from": from, "to": to])
            facts.append(Poster.Fact(name: word("poster.when"), value: when))
        }
        return facts
    }

    /// A place that has no name is told in as many digits as it is exact: some 10 m, 100 m and 1 km.
    private static func text(_ place: Item.Place) -> String {
        guard place.name.isEmpty else { return place.name }
        let digits =
            switch place.precision {
            case .exact: 4
            case .near: 3
            case .town: 2
            }
        let point = TypedPlace.text(place.shown, places: digits)
        return place.precision == .exact ? point : word("poster.about", ["point": point])
    }
}
