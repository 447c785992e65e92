/// A value of JSON as it was read (RFC 8259).
package enum ParsedJSON: Hashable, Sendable {
    case null
    case bool(Bool)
    /// As it was written: what it is converted to, the reader knows.
    case number(String)
    case text(String)
    case list([ParsedJSON])
    /// Of a name that stands there twice the last one counts.
    case object([String: ParsedJSON])
}
