internal import ChirpCore

/// Why the signature of a request is not believed. Each is answered by 401, and none tells a secret.
package enum SignatureError: Error, Hashable {
    /// There is none.
    case missing
    /// It cannot be read; what of it.
    case malformed(String)
    /// It is of a kind that is not taken; what of it.
    case unsupported(String)
    /// It leaves out what has to be signed.
    case notCovered(String)
    /// It was made too long ago, or its time is over.
    case expired
    /// It was made in the future: a clock is wrong.
    case premature
    /// What came is not what was signed: the digest is another one.
    case wrongDigest
    /// The key has not made it. Perhaps the actor has a new one: fetch it once, and try again.
    case wrongKey

    package var whatHappened: String {
        switch self {
        case .missing: "the request is not signed"
        case .malformed(let part): "the signature cannot be read: \(PlainText(part, limit: 100))"
        case .unsupported(let part): "the signature is of a kind that is not taken: \(PlainText(part, limit: 100))"
        case .notCovered(let part): "the signature does not cover \(PlainText(part, limit: 100))"
        case .expired: "the signature is too old"
        case .premature: "the signature is of the future"
        case .wrongDigest: "the content is not the one that was signed"
        case .wrongKey: "the signature was not made with this key"
        }
    }
}
