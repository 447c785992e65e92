/// What came of a delivery.
package enum DeliveryOutcome: Hashable, Sendable {
    /// The other server has it; by which scheme, for the next time.
    case accepted(SignatureScheme)
    /// Never, for this activity; why.
    case refused(String)
    /// The inbox is gone: whoever had it is gone too.
    case gone
    /// Another time; after that long, where the server says so.
    case later(String, after: Duration?)
    case cancelled
}
