internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpMap
internal import ChirpPlaces
internal import ChirpWeb

/// What somebody looks for, as it stands in an address: `q, side, category, place, placeId, at, within, order, after`. What makes no sense
/// is as if it were not there.
struct ListingSearch {
    var words = ""
    var side: Listing.Side?
    var category: Listing.Category?
    /// The name of a place.
    var place = ""
    /// One among several of that name.
    var placeID: Int64?
    /// Where the asker is, or a point of the map.
    var at: GeoPoint?
    /// The part of the map that is looked at; then that is where.
    var window: MapWindow?
    /// Kilometres; of those that can be chosen.
    var within = 10
    /// The nearest ones first.
    var isNearest = false
    var after: String?

    /// Kilometres that can be chosen.
    static let distances = [1, 2, 5, 10, 25, 50, 100, 250]
    static let perPage = 30

    init() {}

    init(_ asked: RequestFields) {
        words = PlainText(asked["q"] ?? "", limit: 200).value
        side = asked["side"].flatMap(Listing.Side.init)
        category = asked["category"].flatMap(Listing.Category.init)
        place = PlainText(asked["place"] ?? "", limit: ListingDraft.longestPlace).value
        placeID = asked["placeId"]?.safeInteger
        // Who types a place means that one, wherever the map or the browser is.
        if place.isEmpty, placeID == nil {
            if asked["zoom"] != nil || asked["box"] != nil { window = MapWindow { asked[$0] } }
            if window == nil { at = asked["at"].flatMap(TypedPlace.point) }
        }
        if let asked = asked["within"]?.integer(in: 1 ... .max) {
            within = Self.distances.first { $0 >= asked } ?? 250
        }
        isNearest = asked["order"] == "nearest"
        after = asked["after"].flatMap { $0.isEmpty || $0.utf8.count > 200 ? nil : $0 }
    }

    /// What the names in it come to.
    struct Resolved {
        var query: ItemQuery
        /// What the map shows.
        var window = BoardMap.world
        /// In the middle of what is asked for.
        var centre: GeoPoint?
        /// What that is called; empty for a point.
        var name = ""
        /// Places that may have been meant.
        var meant: [NamedPlace] = []
        /// A name was typed that means no place here.
        var isUnknown = false
    }

    func resolved(in gazetteer: Gazetteer?) async throws -> Resolved {
        var resolved = Resolved(query: ItemQuery(board: ListingStore.board))
        if let at {
            resolved.centre = at
        } else if !place.isEmpty || placeID != nil {
            let found = try await TypedPlace(name: place, id: placeID).found(in: gazetteer)
            resolved.centre = found.point
            resolved.name = found.name
            resolved.meant = found.others
            resolved.isUnknown = found.point == nil
        }
        resolved.query.words = words
        resolved.query.kinds = side.map { [$0.rawValue] } ?? []
        resolved.query.category = category?.rawValue
        resolved.query.after = after
        resolved.query.limit = Self.perPage
        if let window {
            resolved.query.area = .box(window.box)
            resolved.window = window
        } else if let centre = resolved.centre {
            resolved.window = MapWindow(around: centre, radius: Double(within) * 1000)
            resolved.query.area = .circle(centre, radius: Double(within) * 1000)
            if isNearest { resolved.query.order = .nearest(centre) }
        }
        return resolved
    }

    /// The same as it stands in an address, without where a page begins.
    var fields: [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if !words.isEmpty { fields.append(("q", words)) }
        if let side { fields.append(("side", side.rawValue)) }
        if let category { fields.append(("category", category.rawValue)) }
        if let at { fields.append(("at", TypedPlace.text(at, places: 3))) }
        if at == nil, !place.isEmpty { fields.append(("place", place)) }
        if at == nil, let placeID { fields.append(("placeId", "\(placeID)")) }
        if at != nil || !place.isEmpty || placeID != nil { fields.append(("within", "\(within)")) }
        if let window {
            fields.append(("at", MapWindow.text(window.centre)))
            fields.append(("zoom", "\(window.zoom)"))
        }
        if isNearest { fields.append(("order", "nearest")) }
        return fields
    }

    /// The same without where: a map says that itself.
    var fieldsAnywhere: [(name: String, value: String)] {
        fields.filter { !["at", "place", "placeId", "within", "order", "zoom"].contains($0.name) }
    }

    var isEmpty: Bool { fields.isEmpty }
}
