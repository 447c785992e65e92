internal import ChirpAccounts
internal import ChirpCommunity
internal import ChirpHTTP
internal import ChirpPush
internal import ChirpWeb
internal import Hummingbird

/// What the pages and addresses about telling browsers share.
struct PushDesk: Sendable {
    let desk: AccountDesk
    let library: HubLibrary
    /// Nil where browsers cannot be told.
    let office: Office?

    /// What is there where browsers can be told.
    struct Office: Sendable {
        /// What browsers subscribe with.
        let key: String
        let courier: PushCourier
        let allowsLoopback: Bool
    }

    /// Whether push services take a hub's word for who it is: it needs https, and a name that others can ask. At an address of this
    /// machine or a local network browsers refuse to subscribe, or nobody could be reached who runs it.
    static func isPublic(_ publicURL: String) -> Bool {
        guard let address = WebAddress(publicURL), address.isSecure, !address.isLoopback, !address.host.contains(":")
        else { return false }
        let labels = address.host.split(separator: ".", omittingEmptySubsequences: false)
        // The last part of a name is never a number (RFC 3696, section 2).
        guard labels.count > 1, let last = labels.last, last.contains(where: \.isLetter) else { return false }
        return !["local", "localhost", "internal", "lan", "home", "arpa", "invalid"].contains(last)
    }

    /// - Throws: ``Problem`` where browsers cannot be told.
    func open() throws -> Office {
        guard let office else {
            throw Problem(
                .notFound, "no-push", "This hub tells browsers nothing",
                detail: "That needs an https address with a public name.")
        }
        return office
    }

    /// The sign-in of the browser that asks.
    ///
    /// - Throws: ``Problem`` for a program, which has no browser.
    func browser(_ context: WebContext) throws -> OpaqueToken {
        guard context.scopes == nil, let session = context.session.flatMap({ OpaqueToken(shown: $0) }) else {
            throw Problem(
                .conflict, "no-browser", "Only a browser that is signed in can be told",
                detail: "Subscribe from a page of this hub.")
        }
        return session
    }
}
