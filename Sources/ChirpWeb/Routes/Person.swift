/// Who asks, as far as rights go.
package struct Person: Hashable, Sendable {
    /// Of the account.
    package let id: String
    /// For the page's head.
    package let handle: String
    package let role: Role
    /// The mail address was confirmed, and no suspension holds: may post, comment, follow.
    package let isActive: Bool
    /// The mail address was confirmed, or there is none.
    package let isConfirmed: Bool

    package enum Role: String, Hashable, Sendable { case member, moderator, owner }

    package init(id: String, handle: String, role: Role, isActive: Bool, isConfirmed: Bool = true) {
        self.id = id
        self.handle = handle
        self.role = role
        self.isActive = isActive
        self.isConfirmed = isConfirmed
    }

    /// The same without what moderators and owners may do.
    var asMember: Person { Person(id: id, handle: handle, role: .member, isActive: isActive) }
}

/// Who may use a route.
package enum Access: String, Hashable, Sendable, CaseIterable {
    /// Whoever reaches the server.
    case everybody
    /// Whoever is signed in, also before the mail address is confirmed and while suspended.
    case signedIn
    /// Whoever is signed in and has confirmed the mail address, also while suspended: may make what opens the account without its
    /// password.
    case confirmed
    /// Members whose mail address is confirmed and who are not suspended.
    case active
    case moderators
    case owner

    package func lets(_ person: Person?) -> Bool {
        switch self {
        case .everybody: true
        case .signedIn: person != nil
        case .confirmed: person?.isConfirmed == true
        case .active: person?.isActive == true
        case .moderators: person?.isActive == true && person?.role != .member
        case .owner: person?.role == .owner
        }
    }
}
