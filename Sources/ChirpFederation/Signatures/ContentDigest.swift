internal import Crypto
internal import FoundationEssentials
internal import RawStructuredFieldValues

/// Digests of a request's content, of today (`Content-Digest`, RFC 9530) and of before (`Digest`, RFC 3230).
package enum ContentDigest {
    /// The value of `Content-Digest`.
    package static func field(of content: [UInt8]) -> String { "sha-256=:\(sha256(content).base64EncodedString()):" }

    /// The value of `Digest`.
    package static func oldField(of content: [UInt8]) -> String { "SHA-256=\(sha256(content).base64EncodedString())" }

    /// Checks `Content-Digest`: every digest of SHA-256 and SHA-512 that is there, and at least one; others say nothing.
    package static func check(field: String, of content: [UInt8]) throws(SignatureError) {
        var isKnown = false
        for (name, member) in try StructuredFields.dictionary(field, of: "content-digest") {
            guard name == "sha-256" || name == "sha-512" else { continue }
            guard case .item(let item) = member, case .undecodedByteSequence(let text) = item.rfc9651BareItem,
                let digest = Data(base64Encoded: text)
            else { throw .malformed("content-digest") }
            guard digest == (name == "sha-256" ? sha256(content) : sha512(content)) else { throw .wrongDigest }
            isKnown = true
        }
        guard isKnown else { throw .unsupported("content-digest") }
    }

    /// Checks `Digest` the same way; names of algorithms in any case.
    package static func check(oldField: String, of content: [UInt8]) throws(SignatureError) {
        guard oldField.utf8.count <= StructuredFields.mostBytes else { throw .malformed("digest") }
        var known: Set<String> = []
        for part in oldField.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, !pair[0].isEmpty else { throw .malformed("digest") }
            let name = pair[0].lowercased()
            guard name == "sha-256" || name == "sha-512" else { continue }
            // Each would be a pass over the whole content.
            guard known.insert(name).inserted, let digest = Data(base64Encoded: String(pair[1])) else {
                throw .malformed("digest")
            }
            guard digest == (name == "sha-256" ? sha256(content) : sha512(content)) else { throw .wrongDigest }
        }
        guard !known.isEmpty else { throw .unsupported("digest") }
    }

    private static func sha256(_ content: [UInt8]) -> Data { Data(SHA256.hash(data: content)) }
    private static func sha512(_ content: [UInt8]) -> Data { Data(SHA512.hash(data: content)) }
}
