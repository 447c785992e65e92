internal import ChirpAccounts
internal import ChirpWeb

/// Who asks, as the guard of every declared route finds out.
extension AccountDesk {
    /// Whose session a browser has shown. It lasts on by that.
    @Sendable func person(ofSession shown: String) async throws -> Person? {
        guard let token = OpaqueToken(shown: shown) else { return nil }
        let account = try await accounts.account(of: token)
        if account != nil { try await visits.note(token) }
        return account?.person
    }

    /// The accounts for an act of whoever asks. It changes nothing once the session or the token that was shown has ended.
    ///
    /// - Throws: ``AccountError/wrongCredentials`` where neither was shown.
    func accounts(of context: WebContext) throws(AccountError) -> Accounts {
        guard let person = context.person,
            let shown = ShownCredential(session: context.session, token: context.token)
        else { throw .wrongCredentials }
        return accounts.asked(by: shown, of: AccountID(rawValue: person.id))
    }

    /// For whom the token speaks that a program has shown.
    @Sendable func bearer(ofToken shown: String) async throws -> Identified.Bearer? {
        guard let token = OpaqueToken(shown: shown), let holder = try await accounts.holder(of: token) else {
            return nil
        }
        return Identified.Bearer(
            person: holder.account?.person, scopes: Scopes(holder.scopes), program: holder.app)
    }
}
