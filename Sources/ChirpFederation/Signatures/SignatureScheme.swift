/// How a request is signed.
package enum SignatureScheme: String, Hashable, Sendable, CaseIterable {
    /// `Signature: keyId=...` (draft-cavage-http-signatures-12), as most of the fediverse does.
    case cavage
    /// `Signature-Input` and `Signature` (RFC 9421).
    case messageSignatures = "rfc9421"

    /// The other one, for a second knock.
    package var other: SignatureScheme { self == .cavage ? .messageSignatures : .cavage }
}
