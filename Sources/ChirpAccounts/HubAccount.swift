package import FoundationEssentials
internal import GRDB

/// Somebody who can sign in at this hub.
package struct HubAccount: Hashable, Sendable {
    /// What an account may do beside its own things.
    package enum Role: String, Hashable, Sendable, Comparable {
        case member, moderator, owner

        package static func < (one: Role, other: Role) -> Bool { one.rank < other.rank }
        private var rank: Int { self == .member ? 0 : self == .moderator ? 1 : 2 }
    }

    package enum State: Hashable, Sendable {
        /// Reads; posts once its mail address is confirmed.
        case unconfirmed
        case active
        /// Reads, and ends by itself; nil: for good.
        case suspended(until: Date?)
        /// Nobody can sign in.
        case closed
    }

    /// Lasting, unlike the handle.
    package let id: AccountID
    package let handle: Handle
    /// As the person wants to be called; plain text.
    package let name: String
    package let bio: String
    /// Nil for the owner of a personal hub, who signs in by a link.
    package let mail: MailAddress?
    package let role: Role
    package private(set) var state: State
    /// False for the owner of a personal hub, until one is set.
    package let hasPassword: Bool
    /// Codes of an authenticator are asked for.
    package let hasSecondFactor: Bool

    static let columns =
        "id, handle, name, bio, mail, role, state, until, totp IS NOT NULL AS second, password IS NOT NULL AS keyed"

    init(_ row: Row) {
        id = row["id"]
        handle = Handle(stored: row["handle"])
        name = row["name"]
        bio = row["bio"]
        mail = (row["mail"] as String?).map(MailAddress.init(stored:))
        role = (row["role"] as String?).flatMap(Role.init) ?? .member
        let until: Int64? = row["until"]
        state =
            switch row["state"] as String {
            case "active": .active
            case "unconfirmed": .unconfirmed
            case "suspended": .suspended(until: until.map(Accounts.date))
            default: .closed
            }
        hasPassword = row["keyed"]
        hasSecondFactor = row["second"]
    }

    /// The same, with a suspension that has ended.
    func settled(at now: Date) -> HubAccount {
        guard case .suspended(let until?) = state, until <= now else { return self }
        var account = self
        account.state = .active
        return account
    }
}
