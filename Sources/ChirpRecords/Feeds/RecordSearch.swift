internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpMap
internal import ChirpPlaces
internal import ChirpWeb

/// Which challenges somebody looks for, as it stands in an address: `feed, q, category, place, placeId, at, within, order, after`. What makes no
/// sense is as if it were not there.
struct RecordSearch {
    /// The lists that have a name (OU-1).
    enum Feed: String, CaseIterable {
        case new, popular, global, local, events
        /// Timed events that have not begun.
        case coming
    }

    var feed = Feed.new
    var words = ""
    var category: Challenge.Category?
    /// The name of a place.
    var place = ""
    /// One among several of that name.
    var placeID: Int64?
    /// Where the asker is, or a point of the map.
    var at: GeoPoint?
    /// The part of the map that is looked at; then that is where.
    var window: MapWindow?
    /// Kilometres, of those that can be chosen; nil: what is usual, or what she has chosen before.
    var within: Int?
    /// The nearest ones first.
    var isNearest = false
    var after: String?

    static let perPage = 24

    init() {}

    init(_ asked: RequestFields) {
        feed = asked["feed"].flatMap(Feed.init) ?? .new
        words = PlainText(asked["q"] ?? "", limit: 200).value
        category = asked["category"].flatMap(Challenge.Category.init)
        place = PlainText(asked["place"] ?? "", limit: ChallengeDraft.longestPlace).value
        placeID = asked["placeId"]?.safeInteger
        // Who types a place means that one, wherever the map or the browser is.
        if place.isEmpty, placeID == nil {
            if asked["zoom"] != nil || asked["box"] != nil { window = MapWindow { asked[$0] } }
            if window == nil { at = asked["at"].flatMap(TypedPlace.point) }
        }
        if let asked = asked["within"]?.integer(in: .min ... .max) {
            let radii = ChallengeFeed.Locality.radii
            within = min(max(asked, radii.lowerBound), radii.upperBound)
        }
        isNearest = asked["order"] == "nearest"
        after = asked["after"].flatMap { $0.isEmpty || $0.utf8.count > 200 ? nil : $0 }
    }

    var radius: Int { within ?? ChallengeFeed.Locality.usualRadius }

    /// Nothing was said about where.
    var isAnywhere: Bool { at == nil && place.isEmpty && placeID == nil && window == nil }

    /// What the names in it come to.
    struct Resolved {
        /// Nil: a place is still to be named, or means nothing here.
        var query: ItemQuery?
        /// What the map shows.
        var window = BoardMap.world
        /// In the middle of what is asked for.
        var locality: ChallengeFeed.Locality?
        /// What that is called; empty for a point.
        var name = ""
        /// Places that may have been meant.
        var meant: [NamedPlace] = []
        /// A name was typed that means no place here.
        var isUnknown = false
        /// Where is what she has chosen before.
        var isKept = false
        /// There are no others by these words in such a list: events are in the order of their times.
        var events: ChallengeFeed?
    }

    /// - Parameter visit: what local is for who asks.
    func resolved(in gazetteer: Gazetteer?, _ visit: ChallengeVisit) async throws -> Resolved {
        var resolved = Resolved()
        if let at {
            resolved.locality = ChallengeFeed.Locality(at, radius: radius)
        } else if !place.isEmpty || placeID != nil {
            let found = try await TypedPlace(name: place, id: placeID).found(in: gazetteer)
            resolved.locality = found.point.map { ChallengeFeed.Locality($0, radius: radius) }
            (resolved.name, resolved.meant) = (found.name, found.others)
            resolved.isUnknown = found.point == nil
        } else if feed == .local, window == nil, let kept = visit.locality {
            resolved.locality = ChallengeFeed.Locality(kept.centre, radius: within ?? kept.radius)
            (resolved.name, resolved.isKept) = (visit.name, true)
        }
        var query: ItemQuery?
        switch feed {
        case .new: query = ChallengeFeed.new.query
        case .popular: query = ChallengeFeed.popular.query
        case .global: query = ChallengeFeed.global.query
        case .local: query = ChallengeFeed.new.query
        case .events, .coming:
            resolved.events = feed == .events ? .running : .coming
            query = ChallengeFeed.new.query
            query?.tokens = [RuleTerms.eventWord]
        }
        query?.words = words
        query?.category = category?.rawValue
        query?.after = after
        query?.limit = Self.perPage
        if let window {
            query?.area = .box(window.box)
            resolved.window = window
        } else if let locality = resolved.locality {
            query?.area = locality.area
            resolved.window = MapWindow(around: locality.centre, radius: Double(locality.radius) * 1000)
            if isNearest { query?.order = .nearest(locality.centre) }
        }
        // The whole world is no answer to what is around a place that nobody knows.
        let isNowhere = resolved.isUnknown || (feed == .local && window == nil && resolved.locality == nil)
        resolved.query = isNowhere ? nil : query
        // Only their times bring events into order; who looks for words or a place gets them like all others.
        if !words.isEmpty || query?.area != nil { resolved.events = nil }
        return resolved
    }

    /// The same as it stands in an address, without where a page begins.
    var fields: [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if feed != .new { fields.append(("feed", feed.rawValue)) }
        fields += fieldsAnywhere.filter { $0.name != "feed" }
        if let at { fields.append(("at", TypedPlace.text(at, places: 3))) }
        if at == nil, !place.isEmpty { fields.append(("place", place)) }
        if at == nil, let placeID { fields.append(("placeId", "\(placeID)")) }
        if let within { fields.append(("within", "\(within)")) }
        if let window {
            fields.append(("at", MapWindow.text(window.centre)))
            fields.append(("zoom", "\(window.zoom)"))
        }
        if isNearest { fields.append(("order", "nearest")) }
        return fields
    }

    /// The same without where: a map says that itself.
    var fieldsAnywhere: [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if feed != .new, feed != .local { fields.append(("feed", feed.rawValue)) }
        if !words.isEmpty { fields.append(("q", words)) }
        if let category { fields.append(("category", category.rawValue)) }
        return fields
    }
}
