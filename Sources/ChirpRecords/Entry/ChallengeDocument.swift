internal import ChirpCommunity
internal import ChirpPlaces
internal import ChirpWeb
internal import FoundationEssentials

/// A person as programs read her.
struct PersonDocument: Encodable {
    let handle, name, url: String

    init(_ person: PostAuthor, links: HubLinks) {
        handle = person.handle
        name = person.name
        url = links.person(person)
    }
}

/// A version of a rule as programs read it: numbers as people write them, with a point, and in the rule's unit.
struct RuleDocument: Encodable {
    let version: Int
    let measure, unit, better: String
    let decimals: Int
    let step, low, high: String
    let needs: [String]
    let invalid, `where`: String
    let begins, ends: Date?
    /// Seconds after the end.
    let grace: Int?
    let made: Date
    let attempts: Int

    init(_ rule: Rule) {
        let terms = rule.terms
        version = rule.version
        (measure, unit, better) = (terms.measure.rawValue, terms.unit.rawValue, terms.better.rawValue)
        decimals = terms.decimals
        (step, low, high) = (terms.text(terms.step), terms.text(terms.low), terms.text(terms.high))
        needs = terms.needs.map(\.rawValue).sorted()
        invalid = terms.invalid
        `where` = terms.place.rawValue
        (begins, ends, grace) = (terms.event?.begins, terms.event?.ends, terms.event?.grace)
        made = rule.made
        attempts = rule.attempts
    }
}

/// A record as programs read it.
struct RecordDocument: Encodable {
    let level: String
    /// What tells its area from others of its level; empty for the world.
    let area: String
    let name: String?
    let score: String
    let attempt, url: String
    let version: Int
    let holder: PersonDocument?
    let from: Date
    let until: Date?
    let days: Int
    let challenge: String

    init(_ span: RecordSpan, links: HubLinks) {
        level = span.hold.area.level.rawValue
        area = span.hold.area.key
        name = span.name.isEmpty ? nil : span.name
        score = span.terms.text(span.score)
        attempt = span.attempt.text
        url = "\(links.publicURL)\(Attempt.path(span.attempt))"
        version = span.version
        holder = span.person.map { PersonDocument($0, links: links) }
        (from, until, days) = (span.from, span.until, span.days)
        challenge = span.challenge.text
    }
}

/// A challenge as programs read it. Nothing in it is more than its page shows the same asker.
struct ChallengeDocument: Encodable {
    struct Place: Encodable {
        let name: String?
        let precision: PositionPrecision
        /// Where it is shown.
        let latitude, longitude: Double
        /// The place itself, for those who may know it.
        let exact: GeoPoint?
    }
    struct Picture: Encodable { let id, small, medium, large: String }

    let id, url, category, title, text: String
    let language: String?
    let state: String
    let outcome, reason: String?
    let version: Int
    let isHidden, isFrozen: Bool
    let author: PersonDocument
    let created, changed: Date
    let ended, expires: Date?
    let place: Place?
    let pictures: [Picture]
    let clip: String?
    let ups, downs, saves, comments: Int
    let rule: RuleDocument
    /// The world's, by this version of the rule.
    let record: RecordDocument?
    /// The asker holds a record of it.
    let isLed: Bool
    let preview: String?

    init(_ challenge: Challenge, holder: RecordSpan?, isLed: Bool, film: HubID? = nil, links: HubLinks) {
        let item = challenge.item
        id = item.id.text
        url = "\(links.publicURL)\(challenge.path)"
        (category, title, text, language) = (item.category, item.title, item.text, item.language)
        state = item.state.rawValue
        outcome = item.outcome.isEmpty ? nil : item.outcome
        reason = item.reason.isEmpty ? nil : item.reason
        (version, isHidden, isFrozen) = (item.version, item.isHidden, item.isFrozen)
        author = PersonDocument(item.author, links: links)
        (created, changed, ended, expires) = (item.created, item.changed, item.ended, item.expires)
        place = item.place.map {
            Place(
                name: $0.name.isEmpty ? nil : $0.name, precision: $0.precision, latitude: $0.shown.latitude,
                longitude: $0.shown.longitude, exact: $0.exact)
        }
        pictures = item.pictures.map { id in
            Picture(
                id: id.text, small: links.picture(id, .small), medium: links.picture(id, .medium),
                large: links.picture(id, .large))
        }
        clip = item.clip.map { links.audio($0.id) }
        (ups, downs, saves, comments) = (item.ups, item.downs, item.saves, item.comments)
        rule = RuleDocument(challenge.rule)
        record = holder.map { RecordDocument($0, links: links) }
        self.isLed = isLed
        preview = film.map { links.film($0, .preview) }
    }
}

/// Some challenges, and where the next ones are.
struct ChallengeListDocument: Encodable {
    struct Meant: Encodable {
        let id: Int64
        let title: String
        let latitude, longitude: Double
    }

    let challenges: [ChallengeDocument]
    /// For `after`; none at the end.
    let next: String?
    /// Places that may have been meant.
    let meant: [Meant]?
    /// True where no place is called as it was asked for; then nothing was looked for.
    let placeUnknown: Bool?
    /// True where there are more that are farther away than a list by distance goes.
    let further: Bool?

    init(
        _ entries: ChallengeEntries, next: String?, isCut: Bool = false, place: RecordSearch.Resolved? = nil,
        links: HubLinks
    ) {
        challenges = entries.challenges.map {
            ChallengeDocument(
                $0, holder: entries.holders[$0.id], isLed: entries.led.contains($0.id), film: entries.films[$0.id],
                links: links)
        }
        self.next = next
        meant = place.flatMap { place in
            place.meant.isEmpty
                ? nil
                : place.meant.map {
                    Meant(
                        id: $0.id, title: $0.title, latitude: $0.point.latitude, longitude: $0.point.longitude)
                }
        }
        placeUnknown = place?.isUnknown == true ? true : nil
        further = isCut ? true : nil
    }
}
