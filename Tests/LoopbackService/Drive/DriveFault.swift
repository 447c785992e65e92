/// Something that goes wrong once, with the next request of its kind.
public enum DriveFault: Hashable, Sendable {
    /// Answered so, and nothing done.
    case refusal(Int, reason: String = "backendError", retryAfter: String? = nil)
    /// Answered with a page of HTML, as a proxy or a captive portal does, and nothing done.
    case page(Int)
    /// Carried out, and the answer lost.
    case lost
    /// The connection is reset after so many bytes of content. What came is kept in whole units of 256 KiB.
    case reset(afterBytes: Int)
    /// Of what a chunk brought, only so many bytes are kept, in whole units of 256 KiB.
    case keep(bytes: Int)
    /// The session is gone; asking for it is answered with this status.
    case deadSession(status: Int = 404)
    /// Somebody else fills the drive just before the request.
    case filledUp
    /// The content arrives damaged.
    case damage
}
