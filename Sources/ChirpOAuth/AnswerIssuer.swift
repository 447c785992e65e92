internal import ChirpCore
public import ChirpHTTP
internal import Crypto

/// What an authorisation server calls itself in its answers (`iss`, RFC 9207), so that the answer of one server is never taken for that of
/// another (mix-up, RFC 9700, section 4.4).
public struct AnswerIssuer: Hashable, Sendable {
    private let names: Set<String>
    /// The server promises to name itself in each answer, so one without a name is not its own.
    private let isRequired: Bool

    /// - Parameter names: compared letter by letter.
    public init(_ names: Set<String>, isRequired: Bool = false) {
        self.names = names
        self.isRequired = isRequired
    }

    /// A server that is known by its address alone.
    public init(origins: [WebAddress], isRequired: Bool = false) {
        self.init(Set(origins.flatMap { [$0.origin, "\($0.origin)/"] }), isRequired: isRequired)
    }

    /// Whether an answer may come from this server.
    ///
    /// - Parameter sent: the field `iss`; nil or empty where the answer has none.
    public func accepts(_ sent: String?) -> Bool {
        guard let sent, !sent.isEmpty else { return !isRequired }
        return names.contains(sent)
    }
}

extension WebAddress {
    /// The last part of the callback that a server has for itself (RFC 9700, section 4.4.2.2): 128 bits of the SHA-256 of its origin.
    /// Anybody may know it; it says no more than which server an answer has to come from.
    public var callbackName: String { Array(SHA256.hash(data: Array(origin.utf8)).prefix(16)).base64URL }
}
