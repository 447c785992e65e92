package import ChirpAccounts
package import ChirpPlaces
package import FoundationEssentials

/// An entry of a board: something that people list, open and edit.
package struct Item: Hashable, Sendable, Identifiable {
    /// Its place among all items; later ones have greater numbers.
    package let sequence: Int64
    package let id: HubID
    /// As in `lost-and-found`.
    package let board: String
    /// What it is on its board, as in `lost`.
    package let kind: String
    package let author: PostAuthor
    package var title: String
    package var text: String
    /// As in `en`; nil: nobody said it.
    package var language: String?
    package var category: String
    package var tags: [String]
    package let state: State
    /// How it was settled, in the board's words for programs, as in `returned`; empty until then.
    package let outcome: String
    /// Why it was withdrawn.
    package let reason: String
    /// Reports or a decision keep it from everybody but its author and moderators.
    package let isHidden: Bool
    /// A case is about whose it is: nobody changes it until that is decided.
    package let isFrozen: Bool
    /// Rises with each change, so that who changes an older one is told.
    package let version: Int
    package let created: Date
    package let changed: Date
    /// When it was settled, withdrawn or expired.
    package let ended: Date?
    package let expires: Date?
    package var place: Place?
    /// What is said about it.
    package let clip: HubClip?
    /// In the author's order, by the names that `/pictures/` has them under.
    package let pictures: [HubID]
    /// How many people have saved it, and opened it.
    package let saves: Int
    package let views: Int
    /// How many comments everybody sees.
    package let comments: Int
    /// How many people have voted for it, and against it.
    package let ups: Int
    package let downs: Int

    package enum State: String, Hashable, Sendable, CaseIterable {
        /// Nobody but its author sees it.
        case draft
        case open
        /// It has come to a good end and stays readable.
        case settled
        /// Its author took it back: it is gone for everybody else.
        case withdrawn
        case expired
    }

    /// Where it is, as far as the viewer may know.
    package struct Place: Hashable, Sendable {
        /// What everybody sees, and what it is found by.
        package let shown: GeoPoint
        package let precision: PositionPrecision
        /// As in `Bonn, Germany`; empty when nobody named it.
        package let name: String
        /// The place itself: for the author, who else was let see it, and a moderator within a case. For everybody where it is exact.
        package let exact: GeoPoint?
    }
}

/// What a viewer finds at an item's address.
package enum ItemSight: Hashable, Sendable {
    case item(Item)
    /// It was there: what became of it, and when. Nothing else is told.
    case gone(Item.State, since: Date?)
}

/// What is to be listed, or what becomes of something that is.
package struct ItemDraft: Hashable, Sendable {
    package var board: String
    package var kind: String
    package var author: AccountID
    /// The same for every try to list the same.
    package var key: String
    package var title: String
    package var text: String
    package var language: String?
    package var category: String
    package var tags: [String] = []
    package var state = Item.State.open
    package var expires: Date?
    /// The place itself; `HubLibrary` veils it.
    package var point: GeoPoint?
    package var precision = PositionPrecision.near
    /// Of the town that the place is in or is called by, as everybody may know it; `town` is where it is shown at that precision.
    package var placeName = ""
    package var town: GeoPoint?
    /// The author's own.
    package var clip: HubID?
    /// The author's own, in this order; at most ``mostPictures``.
    package var pictures: [HubID] = []
    /// Further words of the board that it is found by, letters and digits only, as in `zrreward`.
    package var words: [String] = []

    package static let mostPictures = 6
    package static let mostTags = 10

    package init(
        board: String, kind: String, author: AccountID, key: String, title: String, text: String = "", category: String
    ) {
        self.board = board
        self.kind = kind
        self.author = author
        self.key = key
        self.title = title
        self.text = text
        self.category = category
    }
}
