package import ChirpCommunity
package import ChirpPlaces
package import FoundationEssentials

/// A search that somebody has saved, to be told of new listings that fit.
package struct Alert: Hashable, Sendable, Identifiable {
    package let id: HubID
    package let wish: Wish
    package let created: Date
    /// Listings that fit and that she has not been shown here.
    package let fresh: Int

    /// What is looked for.
    package struct Wish: Hashable, Sendable {
        /// All of them must be in a listing; empty: whatever it says.
        package var words = ""
        package var side: Listing.Side?
        package var category: Listing.Category?
        /// Nil: everywhere.
        package var area: Area?

        package init() {}

        /// Whether a listing is one of these. Measured to where it is shown.
        package func fits(_ listing: Listing) -> Bool {
            let item = listing.item
            guard side == nil || side == listing.side, category == nil || category == listing.category else {
                return false
            }
            if let area {
                guard let shown = item.place?.shown, shown.distance(to: area.point) <= area.radius else { return false }
            }
            let said = MatchWords.all(of: ([item.title, item.text] + item.tags).joined(separator: " "))
            return MatchWords.all(of: words).isSubset(of: said)
        }

        /// Squares of the map in one of which a fitting listing is shown; one empty word for everywhere.
        var cells: [String] {
            guard let area else { return [""] }
            let box = GeoBox(around: area.point, radius: area.radius)
            let cells = MapCell.covering(box, .middle, most: 60) ?? MapCell.covering(box, .wide, most: 400) ?? []
            return cells.isEmpty ? [""] : cells.map(\.token)
        }
    }

    package struct Area: Hashable, Sendable {
        package var point: GeoPoint
        /// Metres.
        package var radius: Double
        /// As in `Bonn, Germany`; empty when nobody named it.
        package var name: String

        package init(point: GeoPoint, radius: Double, name: String) {
            self.point = point
            self.radius = radius
            self.name = name
        }
    }

    /// How many somebody has, and characters of the words.
    package static let most = 20
    package static let longestWords = 200
}

/// Why an alert was not saved.
package enum AlertRefusal: Error, Hashable, Sendable {
    case notFound
    case tooMany
    /// Neither words nor a category nor an area: everything would fit.
    case tooWide
    case tooLong
}
