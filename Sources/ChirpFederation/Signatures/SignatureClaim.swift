package import FoundationEssentials

/// What a request says about who has signed it. Nothing of it is believed before ``verify(by:now:)`` has found the key right.
package struct SignatureClaim: Sendable {
    /// Which key: where its owner's document is found.
    package let keyID: ObjectID
    package let scheme: SignatureScheme
    let request: IncomingRequest

    /// Reads the signature, RFC 9421's where both are there, and checks all that needs no key: what is covered, digest and form.
    package init(of request: IncomingRequest) throws(SignatureError) {
        throw .missing
    }

    /// Checks time and signature.
    ///
    /// - Returns: by what it is known again, and until when: the same signature within that time is the same request once more.
    package func verify(by key: VerificationKey, now: Date) throws(SignatureError) -> VerifiedSignature {
        throw .wrongKey
    }
}

/// A signature that was found right.
package struct VerifiedSignature: Hashable, Sendable {
    package let keyID: ObjectID
    package let scheme: SignatureScheme
    /// 64 hexadecimal digits, for a table of what has been seen.
    package let fingerprint: String
    /// After this it is refused for its age, so that it need not be remembered any longer.
    package let validUntil: Date
}
