package import ChirpAccounts
package import ChirpCommunity
package import ChirpWeb
internal import Hummingbird

extension WebContext {
    /// Who looks.
    package var viewer: Viewer { person.map { .member(AccountID(rawValue: $0.id)) } ?? .visitor }

    /// Whose account it is.
    ///
    /// - Throws: 401.
    package var account: AccountID {
        get throws {
            guard let person else { throw Problem(.unauthorized, "signed-out", "The access token is invalid") }
            return AccountID(rawValue: person.id)
        }
    }
}
