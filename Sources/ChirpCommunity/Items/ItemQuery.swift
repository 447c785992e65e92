package import ChirpAccounts
package import ChirpPlaces
package import FoundationEssentials

/// Which items somebody asks for, and in what order.
package struct ItemQuery: Hashable, Sendable {
    package var board: String
    /// Empty: of all kinds.
    package var kinds: [String] = []
    package var category: String?
    /// As somebody typed them: words to be found, never syntax. Empty: all.
    package var words = ""
    package var area: Area?
    package var states: Set<Item.State> = [.open]
    package var author: AccountID?
    /// Those that the viewer has put this to, newest mark first.
    package var marked: ItemMark?
    package var order = Order.newest
    /// Where the page before ended, as it said itself; what is not one begins anew.
    package var after: String?
    /// At most 100.
    package var limit = 30
    /// The board's own words (``ItemDraft/words``), every one of which they have.
    package var tokens: [String] = []
    /// Sets of the board's own words, of each of which they have at least one, such as the tempos within a range.
    package var choices: [[String]] = []

    package init(board: String) { self.board = board }

    package enum Area: Hashable, Sendable {
        case box(GeoBox)
        /// Metres around a point, measured to where things are shown.
        case circle(GeoPoint, radius: Double)
    }

    package enum Order: Hashable, Sendable {
        case newest
        /// By where things are shown; at most the nearest 1,000.
        case nearest(GeoPoint)
        /// By votes (``Ranking``), on boards that have them. What few like is not there. Of a search by words, of one person's and of marked
        /// ones the newest come first instead.
        case popular
    }
}

/// Some of what was asked for.
package struct ItemPage: Hashable, Sendable {
    package let items: [Item]
    /// For ``ItemQuery/after``; nil at the end.
    package let next: String?
    /// There are more, but farther away than lists by distance go (``ItemFinder/mostNearest``).
    package var isCut = false
}

/// What a person may put to an item, once each.
package enum ItemMark: String, Hashable, Sendable, CaseIterable { case save, view, watch, up, down }

/// One thing, or many, at a place of a map.
package struct ItemMarker: Hashable, Sendable {
    package let point: GeoPoint
    /// How many; their sum over all markers is the number of all that were asked for.
    package let count: Int
    /// The only one, when it is one.
    package let item: Item?
}

/// Why an item was not made, changed or moved.
package enum ItemRefusal: Error, Hashable, Sendable {
    case noAccount
    case notFound
    /// It has ended, or is in a state that this does not begin in.
    case state(Item.State)
    /// A case is about whose it is.
    case frozen
    /// Somebody changed it meanwhile: the version that it has now.
    case changed(version: Int)
    case tooOften(wait: TimeInterval)
    case tooMany(pictures: Int)
    /// A picture or a clip that is not the author's, or not ready.
    case notYours(HubID)
    case empty(field: String)
    case tooLong(field: String, most: Int)
    case posting(PostingRefusal)
    case library(LibraryError)
}
