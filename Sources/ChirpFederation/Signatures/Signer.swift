internal import ChirpCore
package import ChirpHTTP
internal import Crypto
internal import CryptoExtras
package import FoundationEssentials

/// Signs requests in an actor's name.
package struct Signer: Sendable {
    private let key: ActorKey
    private let keyID: ObjectID

    /// - Parameter keyID: ``LocalActor/keyID``.
    package init(key: ActorKey, keyID: ObjectID) {
        self.key = key
        self.keyID = keyID
    }

    /// Adds the header fields of a signature: `Date`, digest of content, and the signature itself, in place of those of an earlier one.
    ///
    /// - Parameter content: the request's body, which is digested for any method but GET and HEAD.
    /// - Throws: what the key's library cannot do for want of memory, as ``KeyError/notMade``.
    package func sign(
        _ request: inout HTTPRequest, content: [UInt8], _ scheme: SignatureScheme, now: Date
    ) throws(KeyError) {
        for name in ["Digest", "Content-Digest", "Signature", "Signature-Input"] { request.headers[name] = nil }
        request.headers["Date"] = HTTPDate.text(now)
        let hasContent = request.method != .get && request.method != .head
        switch scheme {
        case .cavage: try signAsBefore(&request, hasContent ? content : nil)
        case .messageSignatures: try signMessage(&request, hasContent ? content : nil, now: now)
        }
    }

    private func signAsBefore(_ request: inout HTTPRequest, _ content: [UInt8]?) throws(KeyError) {
        var lines = [
            ("(request-target)", "\(request.method.rawValue.lowercased()) \(request.address.requestTarget)"),
            ("host", request.address.authority), ("date", request.headers["Date"] ?? ""),
        ]
        if let content {
            let digest = ContentDigest.oldField(of: content)
            request.headers["Digest"] = digest
            lines.append(("digest", digest))
        }
        let signature = try made(over: lines.map { "\($0.0): \($0.1)" }.joined(separator: "\n"))
        let names = lines.map(\.0).joined(separator: " ")
        request.headers["Signature"] =
            "keyId=\"\(keyID)\",algorithm=\"rsa-sha256\",headers=\"\(names)\",signature=\"\(signature)\""
    }

    private func signMessage(_ request: inout HTTPRequest, _ content: [UInt8]?, now: Date) throws(KeyError) {
        var lines = [("@method", request.method.rawValue), ("@target-uri", request.address.text)]
        if let content {
            let digest = ContentDigest.field(of: content)
            request.headers["Content-Digest"] = digest
            lines.append(("content-digest", digest))
        }
        let names = lines.map { "\"\($0.0)\"" }.joined(separator: " ")
        let created = Int64(clamping: now.timeIntervalSince1970.rounded(.down))
        let parameters = "(\(names));created=\(created);keyid=\"\(keyID)\";alg=\"rsa-v1_5-sha256\""
        let base = lines.map { "\"\($0.0)\": \($0.1)\n" }.joined() + "\"@signature-params\": \(parameters)"
        request.headers["Signature-Input"] = "sig1=\(parameters)"
        request.headers["Signature"] = "sig1=:\(try made(over: base)):"
    }

    private func made(over base: String) throws(KeyError) -> String {
        do {
            let digest = SHA256.hash(data: Array(base.utf8))
            return try key.key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation
                .base64EncodedString()
        } catch {
            throw .notMade
        }
    }
}
