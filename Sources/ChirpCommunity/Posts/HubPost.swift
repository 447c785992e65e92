package import FoundationEssentials

/// A post in the library, and the clip it is about when that one is kept here.
package struct HubPost: Hashable, Sendable {
    /// The place in the feed: later posts have greater numbers, and no number is used twice.
    package var sequence: Int64
    package var id: String
    package var author: HubAccount
    /// Whether that is the one whose library it is.
    package var isByOwner: Bool
    package var text: String
    /// The link as the draft named it; may lead elsewhere.
    package var link: String
    package var created: Date
    package var clip: HubClip?
}
