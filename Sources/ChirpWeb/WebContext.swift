package import ChirpCore
package import Hummingbird
package import NIOCore

/// What belongs to one request.
package struct WebContext: RequestContext {
    /// What Hummingbird keeps of it.
    package var coreContext: CoreRequestContextStorage
    /// On which the answer goes out.
    package let channel: any Channel
    /// From where.
    package private(set) var holder: AddressShares.Holder
    /// The visitor's address as text; empty when it is not known. The other end of the connection, or whom a trusted proxy names there.
    package private(set) var address: String
    /// Whom limits count the request for: the part of the address that its household holds.
    package var network: ClientNetwork { ClientNetwork(address) }
    /// Who asks; nil for a visitor. ``Identified`` finds out.
    package var person: Person?
    /// The session that the browser has shown, also when it has ended.
    package var session: String?
    /// The token that the program has shown, while it is good.
    package var token: String?
    /// What the token allows that the program has shown; nil when it has shown none.
    package var scopes: Scopes?
    /// Whether a browser asks, by a session, and no program by a token.
    package var isBySession: Bool { session != nil && token == nil && scopes == nil }
    /// The program whose token that is, by its client identifier.
    package var program: String?
    /// What was sent with an act, after ``ForgeryCheck``.
    package internal(set) var form: Form?
    /// The same, of a form with a file.
    package internal(set) var fileForm: FileForm?
    /// Where bodies go while they come; set for declared routes.
    package var bodies: BodyStore?

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        holder = AddressShares.Holder(source.channel.remoteAddress)
        address = source.channel.remoteAddress?.ipAddress ?? ""
    }

    /// The request comes from another address than the connection, see ``ForwardedAddress``.
    mutating func comes(from address: String) {
        self.address = address
        holder = AddressShares.Holder(text: address)
    }
}
