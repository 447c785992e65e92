public import FoundationEssentials

/// A listing of the board Lost & Found, as a hub tells programs of it.
public struct HubListing: Codable, Hashable, Sendable {
    public struct Author: Codable, Hashable, Sendable {
        public let handle: String
        public let name: String
    }
    public struct Place: Codable, Hashable, Sendable {
        public let name: String?
        /// `exact`, `near` (somewhere within 300 m) or `town`.
        public let precision: String
        /// Where it is shown, in degrees of WGS 84.
        public let latitude, longitude: Double
    }
    public struct Clip: Codable, Hashable, Sendable {
        public let id: String
        public let url: String
        public let seconds: Double?
    }

    public let id: String
    public let url: String
    /// `lost` or `found`.
    public let side: String
    public let category: String
    public let title: String
    public let text: String
    /// `open`, `settled`, `withdrawn` or `expired`.
    public let state: String
    public let outcome: String?
    public let author: Author
    public let created: Date
    public let expires: Date?
    public let place: Place?
    public let reward: String?
    public let clip: Clip?
}

/// Some listings, and where the next ones are.
public struct HubListingPage: Codable, Hashable, Sendable {
    public let listings: [HubListing]
    public let next: String?
    /// Places that may have been meant, where none is called as it was asked for.
    public let meant: [Meant]?
    /// True where no place is called so; nil otherwise, and from hubs of earlier releases.
    public let placeUnknown: Bool?

    public struct Meant: Codable, Hashable, Sendable { public let title: String }
}
