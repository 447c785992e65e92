/// By what type ActivityPub's documents are known (ActivityPub, section 3.2).
package enum MediaType {
    /// What ours are sent as.
    package static let activity = "application/activity+json"
    /// With it documents are asked for.
    package static let accept =
        "application/activity+json, application/ld+json; profile=\"https://www.w3.org/ns/activitystreams\""

    /// Whether a `Content-Type` is one of ActivityPub.
    package static func isActivity(_ contentType: String?) -> Bool { false }

    /// Whether an `Accept` prefers a document to a page: such an answer, and the page, vary by it.
    package static func wantsActivity(_ accept: String?) -> Bool { false }
}
