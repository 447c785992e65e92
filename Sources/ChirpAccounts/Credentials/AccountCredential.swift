/// A thing that opens an account, or a part of it, to whoever has it.
///
/// ``fate(at:)`` says what becomes of each at each ``AccountEvent``, ``CredentialRows`` where it is kept. `Docs/credentials.md` is
/// made of both.
package enum AccountCredential: String, Hashable, Sendable, CaseIterable {
    case password
    /// The key of an authenticator, with its recovery codes: it opens nothing alone, and shuts out who does not have it.
    case secondFactor
    /// A browser in which the account is signed in.
    case session
    /// A program that was let in.
    case token
    /// The authorisation code for which a program is given its token.
    case code
    /// The link of the command line that signs the owner in.
    case ownerLink
    /// The link of a letter that sets a password.
    case resetLink
    /// The link of a letter that confirms the address with which the account was made.
    case confirmLink
    /// The link by which the holder of a closed account appeals.
    case appealLink
    /// A change of address that was asked for: the link of the letter makes it happen.
    case pendingAddress
    /// A key of a device that signs in without a password.
    case passkey
    /// What a browser was asked to sign, to add such a key.
    case passkeyChallenge
    /// A service elsewhere by which the account signs in.
    case identity
    /// A browser that was sent to a service elsewhere, to link it.
    case identityAttempt
    /// A browser that came back from a service elsewhere, and has still to show a code of the authenticator.
    case identityArrival
    /// A screen that reads with the account's eyes.
    case frame
    /// A link that begins such a screen.
    case frameKey
    /// The secret address of the account's feed.
    case feedAddress
    /// A browser that is told of the account's notices.
    case pushSubscription
    /// A browser in which the account was signed in once: failures of others do not keep it out.
    case knownBrowser
}

/// What happens to an account as a whole.
package enum AccountEvent: String, Hashable, Sendable, CaseIterable {
    /// A password was set by the link of a letter: the account is taken back from whoever has it.
    case reset
    /// A signed-in person has set another password.
    case newPassword
    /// Another mail address was confirmed.
    case newAddress
    case signOutEverywhere
    /// The owner has made a moderator of a member, or the reverse.
    case newRole
    /// A moderator's decision: the account reads and does nothing else.
    case suspension
    /// A moderator's decision: nobody signs in.
    case closing
    /// The mail address is not confirmed. What ends then cannot be made meanwhile, sessions aside, and ends when the address is confirmed: it
    /// may be the work of somebody who has typed another person's address.
    case unconfirmed
    /// The account goes.
    case erased
}
