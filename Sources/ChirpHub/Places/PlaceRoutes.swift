internal import ChirpAccounts
internal import ChirpCore
internal import ChirpPlaces
internal import ChirpWeb
internal import Hummingbird

/// Names of places for programs, and for scripts of pages while somebody types (LF-3).
struct PlaceRoutes {
    /// Nil: this machine has none.
    let gazetteer: Gazetteer?
    let limits: RateLimits

    /// A script asks at most a few times a second while somebody types; who copies the list has it from its makers.
    private static let rule = RateRule(120, per: 60)
    private static let most = 8
    /// Metres. Whoever is farther from every town is nowhere near it.
    private static let farthest = 100_000.0

    var routes: [WebRoute] {
        [
            .api(
                .get, "/api/hub/v1/places", .everybody, scope: .open,
                summary: "Places by name, in any of their languages, or the one nearest to a point",
                query: [
                    .text("q", isRequired: false, "A name; its province or country may stand behind it"),
                    .text(
                        "near", isRequired: false,
                        "A point, as in 50.73,7.10: the nearest first, or without a name the nearest town"),
                ]
            ) { request, context in
                // Why it cannot be read is in the log.
                do { return try await answer(request, context) } catch is GazetteerError { throw Self.none }
            }
        ]
    }

    private struct Answer: Encodable {
        let places: [Place]
        /// What may have been meant; only when there are no places.
        let suggestions: [Place]?
        let attribution = Gazetteer.attribution
    }

    private struct Place: Encodable {
        let id: Int64
        let name: String
        let province: String
        let country: String
        let lat: Double
        let lon: Double

        init(_ place: NamedPlace) {
            (id, name, province, country) = (place.id, place.name, place.province, place.country)
            (lat, lon) = (place.point.latitude, place.point.longitude)
        }
    }

    private func answer(_ request: Request, _ context: WebContext) async throws -> Response {
        try await limits.consume("places", Self.rule, by: .network(context.network))
        guard let gazetteer else { throw Self.none }
        let query = request.uri.queryParameters
        let name = query["q"].map { PlainText(PercentEncoding.decode($0, plusIsSpace: true), limit: 100).value } ?? ""
        let near = try query["near"].map { try Self.point(PercentEncoding.decode($0, plusIsSpace: true)) }
        var (found, suggested): ([NamedPlace], [NamedPlace]?) = ([], nil)
        if !name.isEmpty {
            found = try await gazetteer.places(named: name, limit: Self.most)
            if found.isEmpty { suggested = try await gazetteer.suggestions(for: name, limit: Self.most) }
            if let near { found.sort { $0.point.distance(to: near) < $1.point.distance(to: near) } }
        } else if let near {
            found = try await gazetteer.nearest(to: near, within: Self.farthest).map { [$0] } ?? []
        } else {
            throw Self.invalid("q", "is missing; near would do too")
        }
        return try .json(Answer(places: found.map(Place.init), suggestions: suggested?.map(Place.init)))
    }

    private static var none: Problem { Problem(.notFound, "no-places", "This hub has no names of places") }

    private static func point(_ text: String) throws -> GeoPoint {
        let numbers = text.split(separator: ",", maxSplits: 2).map { $0.decimal(in: -360...360) }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
            let point = GeoPoint(latitude: latitude, longitude: longitude)
        else { throw invalid("near", "is no latitude and longitude in degrees, as in 50.73,7.10") }
        return point
    }

    private static func invalid(_ field: String, _ what: String) -> Problem {
        Problem(
            .unprocessableContent, "invalid", "Something that was sent cannot be taken", fields: [field: what])
    }
}
