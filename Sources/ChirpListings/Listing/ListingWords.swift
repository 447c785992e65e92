internal import ChirpCommunity
internal import ChirpPlaces
internal import ChirpWeb
internal import FoundationEssentials

extension Listing.Side {
    var name: String {
        switch self {
        case .lost: word("listing.side.lost")
        case .found: word("listing.side.found")
        }
    }
}

extension Listing.Handover {
    var name: String {
        switch self {
        case .collect: word("listing.handover.collect")
        case .bring: word("listing.handover.bring")
        case .office: word("listing.handover.office")
        case .post: word("listing.handover.post")
        case .agree: word("listing.handover.agree")
        }
    }
}

extension Listing.Category {
    var name: String {
        switch self {
        case .pets: word("listing.category.pets")
        case .phones: word("listing.category.phones")
        case .keys: word("listing.category.keys")
        case .wallets: word("listing.category.wallets")
        case .bags: word("listing.category.bags")
        case .jewellery: word("listing.category.jewellery")
        case .glasses: word("listing.category.glasses")
        case .clothes: word("listing.category.clothes")
        case .vehicles: word("listing.category.vehicles")
        case .documents: word("listing.category.documents")
        case .toys: word("listing.category.toys")
        case .instruments: word("listing.category.instruments")
        case .other: word("listing.category.other")
        }
    }
}

extension ListingStore.Outcome {
    var name: String {
        switch self {
        case .found: word("listing.outcome.found")
        case .returned: word("listing.outcome.returned")
        }
    }
}

extension PositionPrecision {
    var name: String {
        switch self {
        case .exact: word("listing.precision.exact")
        case .near: word("listing.precision.near")
        case .town: word("listing.precision.town")
        }
    }

    /// What others see.
    var meaning: String {
        switch self {
        case .exact: word("listing.precision.exact.meaning")
        case .near: word("listing.precision.near.meaning")
        case .town: word("listing.precision.town.meaning")
        }
    }
}

extension Listing {
    /// Its page, without the prefix.
    var path: String { "\(ListingDesk.path)/\(id)" }

    /// The category's name; a later release's by its own.
    var categoryName: String { category?.name ?? item.category }

    /// When it happened, or when it was listed where nobody has said that.
    var moment: Date { happenedTo ?? item.created }

    /// How long ago a moment is.
    static func ago(_ moment: Date, now: Date) -> String {
        let seconds = max(0, now.timeIntervalSince(moment))
        let hours = Int(clamping: (seconds / 3600).rounded(.down))
        switch hours {
        case ..<1: return word("listing.ago.now")
        case ..<48: return word("listing.ago.hours", count: hours)
        case ..<(24 * 60): return word("listing.ago.days", count: hours / 24)
        default: return word("listing.ago.months", count: min(hours / 24 / 30, 1200))
        }
    }

    /// How far the shown place is, as coarse as it is shown.
    func distance(from point: GeoPoint?) -> String? { Self.distance(of: item, from: point) }

    static func distance(of item: Item, from point: GeoPoint?) -> String? {
        guard let point, let place = item.place else { return nil }
        let metres = place.shown.distance(to: point)
        if metres < 1000 {
            return place.precision == .exact
                ? word("listing.metres", ["count": "\(Int(clamping: (metres / 100).rounded(.up)) * 100)"])
                : word("listing.nearby")
        }
        return word("listing.kilometres", ["count": "\(Int(clamping: (metres / 1000).rounded()))"])
    }
}
