package import ChirpCommunity
package import ChirpPlaces

/// The lists of challenges that have a name (OU-1).
package enum ChallengeFeed: Hashable, Sendable {
    /// All, the newest first.
    case new
    /// All but those that few like, by votes.
    case popular
    /// What can be tried anywhere, the newest first.
    case global
    /// What is shown around a point, the newest first.
    case local(Locality)
    /// Timed events that have begun, the next to end first.
    case running
    /// Those that have not, the next to begin first.
    case coming

    /// A circle on the map that somebody looks at (OU-13).
    package struct Locality: Hashable, Sendable {
        package let centre: GeoPoint
        /// Kilometres around it, 1 to 100.
        package let radius: Int

        package static let radii = 1...100
        package static let usualRadius = 10

        /// - Parameter radius: the next that there is, is taken.
        package init(_ centre: GeoPoint, radius: Int = usualRadius) {
            self.centre = centre
            self.radius = min(max(radius, Self.radii.lowerBound), Self.radii.upperBound)
        }

        package var area: ItemQuery.Area { .circle(centre, radius: Double(radius) * 1000) }
    }

    /// What the core is asked; nil for events, whose order it does not know.
    var query: ItemQuery? {
        var query = ItemQuery(board: Records.board)
        query.kinds = [Records.kind]
        switch self {
        case .new: return query
        case .popular: query.order = .popular
        case .global: query.tokens = [RuleTerms.word(.anywhere)]
        case .local(let locality): query.area = locality.area
        case .running, .coming: return nil
        }
        return query
    }
}

/// A page of challenges.
package struct ChallengePage: Hashable, Sendable {
    package var found: [Challenge] = []
    /// For the next page; nil at the end.
    package var next: String?
}
