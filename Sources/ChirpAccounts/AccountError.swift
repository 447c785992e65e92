public import ChirpCore
internal import ChirpDatabase

/// Why something about an account cannot be done. What a person reads says nothing about other people's accounts.
public enum AccountError: Explained, Hashable {
    /// What somebody typed cannot be taken.
    case refused(Field, Refusal)
    /// Name or password is wrong; which of them is not told.
    case wrongCredentials
    /// The second factor is needed, or was wrong.
    case codeNeeded(wasWrong: Bool)
    /// A link was used, has ended or never was one.
    case deadLink
    /// Nobody can sign up here, or only with an invitation.
    case registrationClosed(invitesOnly: Bool)
    /// Tried too often; seconds to wait.
    case tooOften(seconds: Int)
    /// Too many passwords are being checked at this moment.
    case busy
    /// The account is suspended; until when, in milliseconds since 1970, nil for good.
    case suspended(until: Int64?)
    /// The mail address was not confirmed.
    case unconfirmed
    /// Somebody else here signs in by that.
    case identityTaken
    /// Without it nothing would sign the account in.
    case lastWay
    /// A program asks for what the password has to confirm, and the account has none.
    case noPassword
    /// Temporary: other processes kept the library locked.
    case locked
    case noSpace
    case inputOutput(reason: String)
    case cancelled

    /// A field of a form.
    public enum Field: String, Hashable, Sendable { case handle, mail, password, newPassword, name, bio, code, picture }

    public var whatHappened: String {
        switch self {
        case .refused(_, let why): why.sentence
        case .wrongCredentials: "the name or the password is not right"
        case .codeNeeded(false): "a code from the authenticator is needed"
        case .codeNeeded(true): "the code is not right, or it was used already"
        case .deadLink: "this link was used already, or it has ended"
        case .registrationClosed(false): "nobody can sign up at this hub"
        case .registrationClosed(true): "signing up at this hub needs an invitation"
        case .tooOften(let seconds): "this was tried too often; it can be tried again in \(seconds) s"
        case .busy: "too many people are signing in at this moment"
        case .suspended(nil): "the account is suspended"
        case .suspended(_?): "the account is suspended for a time"
        case .unconfirmed: "the mail address was not confirmed"
        case .identityTaken: "another account of this hub signs in by that"
        case .lastWay: "without it nothing would sign you in; set a password first"
        case .noPassword:
            "the account has no password that could confirm this; sign in with a browser and set one under Settings, Account"
        case .locked: "the hub's library is locked by another process"
        case .noSpace: "no space is left for the hub's library"
        case .inputOutput(let reason): "the hub's library cannot be read or written: \(reason)"
        case .cancelled: "interrupted"
        }
    }

    public var cure: Cure {
        switch self {
        case .refused(.handle, _): .advice("Choose another name")
        case .refused(.mail, _): .advice("Check the address")
        case .refused(.password, .passwordCommon), .refused(.password, .passwordKnown),
            .refused(.newPassword, .passwordCommon), .refused(.newPassword, .passwordKnown):
            .advice("Choose several words that do not belong together")
        case .refused(.password, _), .refused(.newPassword, _): .advice("Choose a longer password")
        case .refused: .advice("Change it")
        case .wrongCredentials: .either(.advice("Try again"), .advice("ask for a link that sets a new password"))
        case .codeNeeded: .either(.advice("Type the newest code"), .advice("use one of the recovery codes"))
        case .deadLink: .advice("Ask for a new one")
        case .registrationClosed: .advice("Ask whoever runs the hub")
        case .tooOften(let seconds): .advice("Wait \(seconds) s")
        case .busy, .locked: .advice("Try again")
        case .suspended: .advice("Appeal, once, if you think that this is wrong")
        case .identityTaken: .advice("Sign in to that account and unlink it there")
        case .lastWay, .noPassword: .advice("Set a password first")
        case .unconfirmed: .advice("Follow the link in the mail")
        case .noSpace: .either(.advice("Free some space"), .sweep)
        case .inputOutput: .advice("Check the disk and the permissions")
        case .cancelled: .none
        }
    }

    public var exitCode: ExitCode {
        switch self {
        case .busy, .locked, .tooOften: .temporary
        case .noSpace: .noRoom
        case .inputOutput: .inputOutput
        case .cancelled: .interrupted
        default: .refused
        }
    }

    /// What the database said.
    init(_ failure: DatabaseFailure) {
        switch failure.kind {
        case .busy: self = .locked
        case .cancelled: self = .cancelled
        case .full: self = .noSpace
        default: self = .inputOutput(reason: PlainText(failure.reason, limit: 200).value)
        }
    }
}
