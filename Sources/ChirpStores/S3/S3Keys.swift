public import ChirpCore

/// What signs requests to an S3 service. Only the secret and the token are secrets; none of them leaves this machine but the
/// token.
public struct S3Keys: Hashable, Sendable {
    public let accessKeyID: String
    public let secret: Secret
    /// Of temporary keys.
    public let sessionToken: Secret?

    /// Nil when the id is empty or could not stand in a header field, or the secret is empty.
    public init?(accessKeyID: String, secret: Secret, sessionToken: Secret? = nil) {
        let isPlain = accessKeyID.utf8.allSatisfy {
            (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ",")
        }
        guard (1...256).contains(accessKeyID.utf8.count), isPlain, !secret.isEmpty else { return nil }
        self.accessKeyID = accessKeyID
        self.secret = secret
        self.sessionToken = sessionToken.flatMap { $0.isEmpty ? nil : $0 }
    }
}
