/// Something that goes wrong once, with the next request of a method.
public enum WebDAVFault: Hashable, Sendable {
    /// Answered so, and nothing done.
    case refusal(Int, retryAfter: String? = nil)
    /// Carried out, and the answer lost.
    case lost
    /// The connection is reset after so many bytes of content, which stay in the file as on a careless server.
    case reset(afterBytes: Int)
}
