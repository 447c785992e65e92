internal import ChirpCommunity
internal import ChirpPlaces
internal import FoundationEssentials

/// A listing as programs read it. Nothing in it is more than its page shows the same asker.
struct ListingDocument: Encodable {
    struct Author: Encodable {
        let handle: String
        let name: String
        let url: String
    }
    struct Place: Encodable {
        let name: String?
        let precision: PositionPrecision
        /// Where it is shown.
        let latitude, longitude: Double
        /// The place itself, for those who may know it.
        let exact: GeoPoint?
    }
    struct Picture: Encodable {
        let id: String
        let small, medium, large: String
    }
    struct Clip: Encodable {
        let id: String
        let url: String
        let seconds: Double?
    }

    let id: String
    let url: String
    let side: String
    let category: String
    let title: String
    let text: String
    let language: String?
    let state: String
    let outcome: String?
    let reason: String?
    let version: Int
    let isHidden: Bool
    let isFrozen: Bool
    let author: Author
    let created, changed: Date
    let ended, expires: Date?
    let from, to: Date?
    let place: Place?
    let handover: String
    let reward: String?
    let question: String?
    let hasPhone: Bool
    let pictures: [Picture]
    let clip: Clip?
    let saves, views: Int

    init(_ listing: Listing, links: HubLinks) {
        let item = listing.item
        id = item.id.text
        url = "\(links.publicURL)\(listing.path)"
        side = listing.side.rawValue
        category = item.category
        title = item.title
        text = item.text
        language = item.language
        state = item.state.rawValue
        outcome = item.outcome.isEmpty ? nil : item.outcome
        reason = item.reason.isEmpty ? nil : item.reason
        version = item.version
        isHidden = item.isHidden
        isFrozen = item.isFrozen
        author = Author(handle: item.author.handle, name: item.author.name, url: links.person(item.author))
        (created, changed, ended, expires) = (item.created, item.changed, item.ended, item.expires)
        (from, to) = (listing.happenedFrom, listing.happenedTo)
        place = item.place.map {
            Place(
                name: $0.name.isEmpty ? nil : $0.name, precision: $0.precision, latitude: $0.shown.latitude,
                longitude: $0.shown.longitude, exact: $0.exact)
        }
        handover = listing.handover.rawValue
        reward = listing.reward.isEmpty ? nil : listing.reward
        question = listing.question.isEmpty ? nil : listing.question
        hasPhone = listing.hasPhone
        pictures = item.pictures.map { id in
            Picture(
                id: id.text, small: links.picture(id, .small), medium: links.picture(id, .medium),
                large: links.picture(id, .large))
        }
        clip = item.clip.map { Clip(id: $0.id.text, url: links.audio($0.id), seconds: $0.sound?.seconds) }
        (saves, views) = (item.saves, item.views)
    }
}

/// Some listings, and where the next ones are.
struct ListingListDocument: Encodable {
    let listings: [ListingDocument]
    /// For `after`; none at the end.
    let next: String?
    /// Places that may have been meant.
    let meant: [Meant]?
    /// True where no place is called as it was asked for; then nothing was looked for.
    let placeUnknown: Bool?
    /// True where there are more that are farther away than a list by distance goes.
    let further: Bool?

    struct Meant: Encodable {
        let id: Int64
        let title: String
        let latitude, longitude: Double

        init(_ place: NamedPlace) {
            id = place.id
            title = place.title
            (latitude, longitude) = (place.point.latitude, place.point.longitude)
        }
    }

    init(_ page: ListingsFound, place: ListingSearch.Resolved, links: HubLinks) {
        self.init(page.found, next: page.next, isCut: page.isCut, place: place, links: links)
    }

    init(
        _ found: [Listing], next: String?, isCut: Bool = false, place: ListingSearch.Resolved? = nil, links: HubLinks
    ) {
        listings = found.map { ListingDocument($0, links: links) }
        self.next = next
        meant = place.flatMap { $0.meant.isEmpty ? nil : $0.meant.map(Meant.init) }
        placeUnknown = place?.isUnknown == true ? true : nil
        further = isCut ? true : nil
    }
}
