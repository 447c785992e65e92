package import FoundationEssentials
internal import GRDB

/// Somebody as a service elsewhere knows her.
package struct OutsideIdentity: Hashable, Sendable {
    /// The service. Of OpenID Connect with its issuer.
    package let provider: String
    /// The service's own lasting name for the person.
    package let subject: String
    /// As she recognises it in a list; plain text.
    package let shown: String

    package init(provider: String, subject: String, shown: String) {
        self.provider = provider
        self.subject = subject
        self.shown = shown
    }
}

/// A way to sign in, as its owner sees it in a list.
package struct IdentityEntry: Hashable, Sendable, Identifiable {
    /// By which it is ended; no secret.
    package let id: String
    package let provider: String
    package let shown: String
    package let created: Date
}

/// A browser that was sent to a service, and is back.
package struct IdentityAttempt: Hashable, Sendable {
    package let provider: String
    /// Where to go on afterwards: a path of this hub.
    package let way: String
    /// Who adds a way to sign in; nil where somebody signs in.
    package let account: AccountID?
    /// How that account stood when the browser came back: what ends the ways into it ends its attempts too, so nothing had happened since.
    package internal(set) var proof: AccountProof?

    package init(provider: String, way: String, account: AccountID? = nil) {
        self.provider = provider
        self.way = way
        self.account = account
    }
}

/// Somebody who has signed in elsewhere and is not signed in here yet.
package struct IdentityArrival: Hashable, Sendable {
    package let identity: OutsideIdentity
    /// What she is called there; nobody has checked it.
    package let handle: String
    /// Only where the service has verified it.
    package let mail: MailAddress?
    package let way: String
    /// Whose code of the authenticator is missing; nil: a name has to be chosen.
    package let account: AccountID?

    package init(
        identity: OutsideIdentity, handle: String, mail: MailAddress?, way: String, account: AccountID? = nil
    ) {
        self.identity = identity
        self.handle = handle
        self.mail = mail
        self.way = way
        self.account = account
    }

    init(_ row: Row) {
        self.init(
            identity: OutsideIdentity(provider: row["provider"], subject: row["subject"], shown: row["shown"]),
            handle: row["handle"], mail: (row["mail"] as String?).map(MailAddress.init(stored:)), way: row["way"],
            account: row["account"])
    }
}
