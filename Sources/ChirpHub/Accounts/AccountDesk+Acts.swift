internal import ChirpAccounts
internal import ChirpCore
internal import ChirpWeb

/// What people do with accounts: one handler for pages and for programs, which differ in the answer alone.
extension AccountDesk {
    /// Makes an account; the letter that confirms its address is on its way.
    ///
    /// - Parameter context: says from where.
    /// - Returns: where the letter goes, and the link that it holds, which nobody else may learn; none where the address has an account.
    func signUp(
        handle: String, mail: String, password: Secret, invitation: String, from context: WebContext
    ) async throws(AccountError) -> (mail: MailAddress, link: OpaqueToken?) {
        try await limits.consume("signup", Self.signUps, by: .network(context.network))
        let (handle, mail) = (try Handle(typed: handle), try MailAddress(typed: mail))
        let registration = try await entrance.registration(from: context.address)
        let letter = try await accounts.asked(from: context.network).signUp(
            handle: handle, mail: mail, password: password, registration: registration,
            invitation: OpaqueToken(shown: invitation))
        await send(letter)
        guard case .confirm(_, let link)? = letter else { return (mail, nil) }
        return (mail, link.token)
    }

    /// Confirms the address that a link was sent to.
    func confirm(_ link: String) async throws(AccountError) {
        guard let token = OpaqueToken(shown: link) else { throw .deadLink }
        await send(try await accounts.confirm(token))
    }

    /// The same in the browser that signed up.
    ///
    /// - Returns: a session there; none where the link has changed an address.
    func confirm(_ link: String, signingIn agent: String) async throws(AccountError) -> Session? {
        guard let token = OpaqueToken(shown: link) else { throw .deadLink }
        let (letter, session) = try await accounts.confirm(token, signingIn: agent)
        await send(letter)
        return session
    }

    /// Sends a link that sets a password, where the address has an account.
    ///
    /// - Returns: where the letter goes, if it does.
    func askForReset(mail: String, from context: WebContext) async throws(AccountError) -> MailAddress {
        let mail = try MailAddress(typed: mail)
        await send(try await accounts.asked(from: context.network).requestReset(mail))
        return mail
    }

    /// Sets a password by a link.
    ///
    /// - Returns: whose it is.
    @discardableResult
    func reset(_ link: String, to password: Secret) async throws(AccountError) -> AccountID {
        guard let token = OpaqueToken(shown: link) else { throw .deadLink }
        let (account, letter) = try await accounts.reset(token, password: password)
        await send(letter)
        return account
    }

    /// Gives an account another password; its sessions and tokens end.
    ///
    /// - Parameter context: says how the person is signed in.
    /// - Returns: a session for whoever asked.
    func changePassword(
        of account: HubAccount, from now: Secret, to password: Secret, agent: String, in context: WebContext
    ) async throws(AccountError) -> Session {
        let accounts = try await confirm(account, password: now, in: context)
        do throws(AccountError) {
            let (session, letter) = try await accounts.changePassword(of: account.id, to: password, agent: agent)
            await send(letter)
            return session
        } catch {
            // Of the two that were typed it is the new one.
            if case .refused(.password, let why) = error { throw .refused(.newPassword, why) }
            throw error
        }
    }

    /// Asks for another address, which counts once it is confirmed.
    ///
    /// - Parameter context: says from where, and how the person is signed in.
    /// - Returns: where the letter goes.
    func changeMail(
        of account: HubAccount, to mail: String, password: Secret, from context: WebContext
    ) async throws(AccountError) -> MailAddress {
        let accounts = try await confirm(account, password: password, in: context)
        let mail = try MailAddress(typed: mail)
        await send(try await accounts.asked(from: context.network).changeMail(of: account.id, to: mail))
        return mail
    }

    /// Gives an account another name.
    func changeHandle(
        of account: HubAccount, to handle: String, password: Secret, in context: WebContext
    ) async throws(AccountError) {
        let accounts = try await confirm(account, password: password, in: context)
        await send(try await accounts.changeHandle(of: account.id, to: try Handle(typed: handle)))
    }

    /// Removes an account.
    func delete(_ account: HubAccount, password: Secret, in context: WebContext) async throws(AccountError) {
        let accounts = try await confirm(account, password: password, in: context)
        await send(try await accounts.delete(account.id))
    }
}
