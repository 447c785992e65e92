/// What of an account was changed, as a letter tells it. The texts are what the table of letters keeps.
package enum AccountChange: String, Hashable, Sendable, CaseIterable {
    case password = "its password"
    case mail = "its mail address"
    case handle = "its user name"
    case authenticatorOn = "its authenticator, which is on now,"
    case authenticatorOff = "its authenticator, which is off now,"
    case identities = "the ways to sign in"
}
