public import ChirpCore

/// A setting that cannot be the hub's address, or part of it.
public struct HubAddressError: Explained, Hashable {
    /// `bind`, `port` or `public-url`.
    public let name: String
    public let value: String
    /// Examples of what can.
    public let accepted: String

    public var whatHappened: String { "\(name) cannot be '\(PlainText(value, limit: 200))'" }
    public var cure: Cure { .advice("Accepted: \(accepted)") }
    public var exitCode: ExitCode { .badConfiguration }
}
