internal import ChirpCore
internal import Crypto

/// One thing that browsers are told.
package struct PushMessage: Hashable, Sendable {
    /// At most ``PushCipher/most`` bytes.
    package let content: [UInt8]
    /// How long the service keeps it for a browser that is away, in seconds.
    package let lifetime: Int
    package let urgency: Urgency
    /// A service that still has an older one of the same topic replaces it: at most 32 letters, digits, `-` and `_`.
    package let topic: String

    /// For how little a device is woken (RFC 8030, section 5.3).
    package enum Urgency: String, Hashable, Sendable { case low, normal, high }

    /// - Parameter cause: what it came of; the topic is made of it.
    package init(_ content: [UInt8], cause: String, lifetime: Int, urgency: Urgency = .normal) {
        self.content = content
        self.lifetime = max(0, lifetime)
        self.urgency = urgency
        topic = Self.topic(of: cause)
    }

    /// The same for the same cause, and says nothing of it: 24 bytes of its digest.
    package static func topic(of cause: String) -> String {
        Array(SHA256.hash(data: Array("push topic:\(cause)".utf8)).prefix(24)).base64URL
    }
}
