internal import ChirpFiles

/// A licence that was signed: what was signed, and what proves it.
///
/// Two signatures hold it together. That of the statement stands on the paper itself. Since a paper cannot hold a signature of its own bytes,
/// the seal is one over the statement's hash and the finished file's. Whoever has the file, this and the hub's public key needs nobody to check it.
package struct GrantDocument: Hashable, Sendable {
    /// ``GrantStatement/bytes``.
    package let statement: [UInt8]
    /// Of the statement: 64 bytes of Ed25519.
    package let signature: [UInt8]
    /// Over ``sealed``.
    package let seal: [UInt8]
    /// ``GrantPublicKey/id`` of the key that made both.
    package let key: String
    /// SHA-256 of the PDF, lower-case hexadecimal.
    package let sha256: String

    package init(statement: [UInt8], signature: [UInt8], seal: [UInt8], key: String, sha256: String) {
        self.statement = statement
        self.signature = signature
        self.seal = seal
        self.key = key
        self.sha256 = sha256
    }

    /// What the seal signs.
    package var sealed: [UInt8] { Self.sealed(statement: statement, sha256: sha256) }

    /// The same of a document that is being made.
    package static func sealed(statement: [UInt8], sha256: String) -> [UInt8] {
        Array("chirp-grant-document-1\n\(FileDigest.sha256(of: statement))\n\(sha256)\n".utf8)
    }

    /// What comes of checking a paper.
    package enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// It is what was issued, byte for byte.
        case valid
        /// The file, or what was written down about it, is not what was signed.
        case changed
        /// It was signed by a key that is none of those given.
        case unknownKey
    }

    /// Checks a file by its bytes. Anybody can: it needs no library and no secret.
    package func verdict(of file: [UInt8], keys: some Sequence<GrantPublicKey>) -> Verdict {
        verdict(ofFileWith: FileDigest.sha256(of: file), keys: keys)
    }

    /// The same of a file that somebody else has hashed, such as a browser.
    ///
    /// - Parameter digest: SHA-256 in hexadecimal; nil checks only what was written down.
    package func verdict(ofFileWith digest: String?, keys: some Sequence<GrantPublicKey>) -> Verdict {
        guard let key = keys.first(where: { $0.id == self.key }) else { return .unknownKey }
        guard key.hasSigned(statement, signature), key.hasSigned(sealed, seal) else { return .changed }
        return digest == nil || digest?.lowercased() == sha256 ? .valid : .changed
    }
}
