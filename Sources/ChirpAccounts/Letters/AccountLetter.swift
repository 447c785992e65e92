internal import FoundationEssentials
internal import GRDB

/// What is to be sent to a mail address because of an act.
package enum AccountLetter: Sendable {
    /// The link confirms the address.
    case confirm(MailAddress, AccountLink)
    /// Somebody signed up with an address that has an account: whose address it is learns of it, the one who typed it does not.
    case alreadyHere(MailAddress)
    /// The link sets a new password.
    case reset(MailAddress, AccountLink)
    /// The account is gone.
    case deleted(MailAddress)
    /// Something about the account was changed; the last address hears of it.
    case changed(MailAddress, what: String)
    /// A moderator has decided something about the account, or about a post of it.
    case decided(MailAddress, what: String)
    /// Somebody has done something that the account wants to hear of.
    case noticed(MailAddress, kind: String, actor: String, path: String)

    /// Where it goes.
    package var recipient: MailAddress {
        switch self {
        case .confirm(let mail, _), .alreadyHere(let mail), .reset(let mail, _), .deleted(let mail),
            .changed(let mail, _), .decided(let mail, _), .noticed(let mail, _, _, _):
            mail
        }
    }

    /// What it is, in a word.
    package var kind: String {
        switch self {
        case .confirm: "confirm"
        case .alreadyHere: "alreadyHere"
        case .reset: "reset"
        case .deleted: "deleted"
        case .changed: "changed"
        case .decided: "decided"
        case .noticed: "noticed"
        }
    }

    /// What its words need beside the link.
    var data: [String: String] {
        switch self {
        case .changed(_, let what), .decided(_, let what): ["what": what]
        case .noticed(_, let kind, let actor, let path): ["kind": kind, "actor": actor, "path": path]
        case .confirm, .alreadyHere, .reset, .deleted: [:]
        }
    }

    /// A letter as it was written down.
    ///
    /// - Parameter link: the link of a kind; nil when it works no more.
    /// - Returns: nil for a link that works no more, and for what a later release wrote.
    init?(
        kind: String, to mail: MailAddress, data: [String: String],
        link: (AccountLink.Purpose) throws -> AccountLink?
    ) rethrows {
        switch kind {
        case "confirm":
            guard let link = try link(.confirm) else { return nil }
            self = .confirm(mail, link)
        case "reset":
            guard let link = try link(.reset) else { return nil }
            self = .reset(mail, link)
        case "alreadyHere": self = .alreadyHere(mail)
        case "deleted": self = .deleted(mail)
        case "changed": self = .changed(mail, what: data["what"] ?? "something")
        case "decided": self = .decided(mail, what: data["what"] ?? "Something")
        case "noticed":
            guard let kind = data["kind"], let actor = data["actor"], let path = data["path"] else { return nil }
            self = .noticed(mail, kind: kind, actor: actor, path: path)
        default: return nil
        }
    }
}

/// What of an account was changed, as a letter tells it. The texts are what the table of letters keeps.
package enum AccountChange: String, Hashable, Sendable, CaseIterable {
    case password = "its password"
    case mail = "its mail address"
    case handle = "its user name"
    case authenticatorOn = "its authenticator, which is on now,"
    case authenticatorOff = "its authenticator, which is off now,"
    case identities = "the ways to sign in"
    case passkeys = "its passkeys"
}
