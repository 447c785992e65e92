internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpMap
internal import ChirpPlaces
internal import ChirpWeb

/// Where a challenge is, and where it was done (OU-3): as everybody may know it, whoever looks.
struct PlacesMap {
    let desk: RecordDesk
    let challenge: Challenge
    let holders: [RecordSpan]
    let attempts: [Attempt]

    private static let mostNames = 24

    private var points: [MapPoint] {
        let (prefix, terms) = (challenge.path, challenge.rule.terms)
        var points: [MapPoint] = []
        if let place = challenge.item.place {
            points.append(
                MapPoint(
                    point: place.shown, title: challenge.item.title, detail: word("challenge.map.here"), href: prefix))
        }
        var known: Set<HubID> = []
        for span in holders {
            guard let shown = span.shown, known.insert(span.attempt).inserted else { continue }
            points.append(
                MapPoint(
                    point: shown, title: span.terms.said(span.score),
                    detail: [span.hold.area.level.name, span.person?.name ?? ""].filter { !$0.isEmpty }.joined(
                        separator: " · "), href: Attempt.path(span.attempt), isHollow: true))
        }
        for attempt in attempts where attempt.state == .verified || attempt.state == .waiting {
            guard let place = attempt.place, known.insert(attempt.id).inserted else { continue }
            points.append(
                MapPoint(
                    point: place.shown, title: terms.said(attempt.score),
                    detail: [attempt.state.name, attempt.person?.name ?? ""].filter { !$0.isEmpty }.joined(
                        separator: " · "), href: attempt.path, isHollow: true))
        }
        return points
    }

    /// Nothing where nobody has named a place.
    ///
    /// - Parameter window: another part of the earth, when somebody has moved the map.
    func html(_ window: MapWindow?) async -> HTML {
        let points = points
        guard let first = points.first else { return .nothing }
        let radius = points.map { $0.point.distance(to: first.point) }.max() ?? 0
        let shown = window ?? MapWindow(around: first.point, radius: max(2000, radius * 1.2))
        let base = "\(desk.prefix)\(challenge.path)"
        let labels = await desk.desk.gazetteer?.labels(in: shown.box, limit: Self.mostNames) ?? []
        return MapView(
            ground: desk.ground, window: shown, name: word("challenge.map.places"), points: points, labels: labels,
            address: { "\(base)?\($0.query)#places" }
        ).html
    }
}
