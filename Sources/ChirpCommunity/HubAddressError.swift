public import ChirpCore

/// What cannot be the hub's address, or part of it.
public struct HubAddressError: Explained, Hashable {
    /// Which part of it, in words.
    public enum Part: String, Sendable {
        case listening = "the address that the hub listens on"
        case port = "the hub's port"
        case publicURL = "the hub's public address"
    }

    public let part: Part
    public let value: String
    /// Examples of what can.
    public let accepted: String

    public var whatHappened: String { "\(part.rawValue) cannot be '\(PlainText(value, limit: 200))'" }
    public var cure: Cure { .advice("Accepted: \(accepted)") }
    public var exitCode: ExitCode { .badConfiguration }
}
