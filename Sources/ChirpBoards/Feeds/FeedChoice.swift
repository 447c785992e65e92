package import ChirpCommunity
package import ChirpPlaces
package import ChirpWeb

/// Which feed of a board somebody asks for, as it stands in an address: `feed` (new or popular), `category`, `at` (latitude,longitude),
/// `within` (kilometres), `after`. What makes no sense is as if it were not there.
package struct FeedChoice: Hashable, Sendable {
    package enum Order: String, Hashable, Sendable, CaseIterable {
        /// The newest first.
        case new
        /// By votes (``Ranking``).
        case popular
    }

    package var order = Order.new
    package var category: String?
    /// In the middle of what is asked for; nil: everywhere.
    package var centre: GeoPoint?
    /// Kilometres around it.
    package var within = Self.usualDistance
    package var after: String?

    /// Kilometres that can be asked for.
    package static let distances = 1...100
    package static let usualDistance = 10

    package init() {}

    /// - Parameter categories: the board's.
    package init(_ asked: RequestFields, categories: some Collection<String>) {
        order = asked["feed"].flatMap(Order.init) ?? .new
        category = asked["category"].flatMap { categories.contains($0) ? $0 : nil }
        // As it stands in the address of the next page, so that all pages are of the same circle.
        centre = asked["at"].flatMap(TypedPlace.point).flatMap { TypedPlace.point(TypedPlace.text($0, places: 3)) }
        if let asked = asked["within"]?.integer(in: .min ... .max) {
            within = min(max(asked, Self.distances.lowerBound), Self.distances.upperBound)
        }
        after = asked["after"].flatMap { $0.isEmpty || $0.utf8.count > 200 ? nil : $0 }
    }

    /// The same as a question.
    package func query(board: String, limit: Int) -> ItemQuery {
        var query = ItemQuery(board: board)
        query.order = order == .popular ? .popular : .newest
        query.category = category
        query.area = centre.map { .circle($0, radius: Double(within) * 1000) }
        query.after = after
        query.limit = limit
        return query
    }

    /// The same as it stands in an address, without where a page begins.
    package var fields: [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if order != .new { fields.append(("feed", order.rawValue)) }
        if let category { fields.append(("category", category)) }
        if let centre {
            fields.append(("at", TypedPlace.text(centre, places: 3)))
            fields.append(("within", "\(within)"))
        }
        return fields
    }
}
