package import ChirpHTTP

/// Finding an actor by a name like that of a mailbox (RFC 7033), in both directions.
package enum WebFinger {
    /// Whom somebody asks for.
    package enum Subject: Hashable, Sendable {
        /// `acct:ann@hub.example`; the host in lower case.
        case account(handle: String, host: String)
        /// An actor's id or page.
        case address(WebAddress)
    }

    /// The value of `resource`, decoded; nil for what is neither an account nor an address, or longer than 2 KiB.
    package static func subject(_ resource: String) -> Subject? { nil }

    /// The answer (JRD), of type `application/jrd+json`.
    ///
    /// - Parameter host: the hub's name, with its port where that is not the usual one.
    package static func document(of actor: LocalActor, host: String) -> DocumentValue { .null }

    /// Where to ask for an account; nil for what is none.
    ///
    /// - Parameter account: `ann@hub.example`, with or without an `@` before it.
    package static func question(for account: String, isPlain: Bool = false) -> WebAddress? { nil }

    /// The actor that an answer names.
    package static func actor(in bytes: [UInt8]) throws(DocumentError) -> ObjectID { throw .notJSON }
}
