internal import GRDB

/// A program that may ask people to let it speak for them (RFC 6749, section 2). Anybody can register one, so its name is only what it
/// calls itself.
package struct ClientApp: Hashable, Sendable, Identifiable {
    /// Its client identifier; no secret.
    package let id: String
    /// Plain text.
    package let name: String
    /// Empty, or an address.
    package let website: String
    package let redirects: [RedirectAddress]
    /// The most that it may ask for, with spaces between the names.
    package let scopes: String

    static let columns = "id, name, website, redirects, scopes"

    init(_ row: Row) {
        id = row["id"]
        name = row["name"]
        website = row["website"]
        redirects = (row["redirects"] as String).split(separator: "\n").compactMap { RedirectAddress($0) }
        scopes = row["scopes"]
    }
}

/// A token as it is handed out: this is the only time that it is known.
package struct IssuedToken: Sendable {
    package let token: OpaqueToken
    package let scopes: String
    /// In seconds since 1970.
    package let created: Int64
    /// How long it works, in seconds; nil until somebody ends it.
    package let lifetime: Int64?
}

/// For whom a token speaks.
package struct TokenHolder: Sendable {
    /// Nil for a program that asks for itself.
    package let account: HubAccount?
    package let app: ClientApp.ID
    package let scopes: String
}

/// A token as its owner sees it in a list.
package struct TokenEntry: Hashable, Sendable, Identifiable {
    /// By which it is ended; no secret.
    package let id: String
    /// What the program calls itself; plain text.
    package let app: String
    package let scopes: String
    /// In milliseconds since 1970, like ``used``.
    package let created: Int64
    /// To the day.
    package let used: Int64
}
