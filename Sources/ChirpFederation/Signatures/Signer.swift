package import ChirpHTTP
package import FoundationEssentials

/// Signs requests in an actor's name.
package struct Signer: Sendable {
    let key: ActorKey
    let keyID: ObjectID

    /// - Parameter keyID: ``LocalActor/keyID``.
    package init(key: ActorKey, keyID: ObjectID) {
        self.key = key
        self.keyID = keyID
    }

    /// Adds the header fields of a signature: `Date`, digest of content, and the signature itself.
    ///
    /// - Parameter content: the request's body, which is digested for any method but GET and HEAD.
    package func sign(
        _ request: inout HTTPRequest, content: [UInt8], _ scheme: SignatureScheme, now: Date
    ) throws(SignatureError) {
        throw .unsupported("nothing yet")
    }
}
