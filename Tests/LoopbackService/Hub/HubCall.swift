/// What a request asks of a hub's own API, known from its head alone.
public enum HubCall: String, Hashable, Sendable, CaseIterable {
    case quota
    /// Begins an upload.
    case create
    /// Asks how far an upload is.
    case head
    /// Brings bytes into one.
    case patch
    /// Ends one.
    case terminate
    /// Asks what has become of one.
    case state
    case describe, share, remove
    /// The sound, as anybody with the link gets it.
    case sound

    /// Nil for what the hub does as Mastodon does.
    init?(method: String, path: String) {
        let parts = path.split(separator: "/").map(String.init)
        switch (method, parts.prefix(4), parts.count) {
        case ("GET", ["api", "hub", "v1", "uploads"], 4): self = .quota
        case ("GET", ["api", "hub", "v1", "uploads"], 5): self = .state
        case ("POST", ["api", "hub", "v1", "clips"], 6) where parts[5] == "share": self = .share
        case ("GET", ["api", "hub", "v1", "clips"], 5): self = .describe
        case ("DELETE", ["api", "hub", "v1", "clips"], 5): self = .remove
        case ("POST", ["api", "uploads"], 2): self = .create
        case ("HEAD", _, 3) where parts.starts(with: ["api", "uploads"]): self = .head
        case ("PATCH", _, 3) where parts.starts(with: ["api", "uploads"]): self = .patch
        case ("DELETE", _, 3) where parts.starts(with: ["api", "uploads"]): self = .terminate
        case ("GET", _, 2) where parts[0] == "media", ("HEAD", _, 2) where parts[0] == "media": self = .sound
        default: return nil
        }
    }
}

/// Something that goes wrong once, with the next request of its kind.
public enum HubFault: Hashable, Sendable {
    /// Answered so, and nothing done.
    case refusal(Int, retryAfter: String? = nil)
    /// Answered with a page of HTML, as a proxy or a captive portal does, and nothing done.
    case page(Int)
    /// Carried out, and the answer lost.
    case lost
    /// The connection is reset after so many bytes of content. What came is kept.
    case reset(afterBytes: Int)
    /// The hub has forgotten every upload that is not complete.
    case forgotten
    /// Somebody else fills the account just before the request.
    case filledUp
    /// The content arrives damaged.
    case damage
}
