extension AccountCredential {
    /// The end or the life of a credential at an event.
    package enum Fate: String, Hashable, Sendable { case lives, ends }

    /// What opens an account, times what happens to it: no other place decides this.
    ///
    /// A recovery (``AccountEvent/reset``) ends all that a thief may have made, and leaves what a thief of the mailbox alone does not
    /// have: the second factor. ``AccountEvent/signOutEverywhere`` ends all that acts or reads without a new sign-in, and leaves the ways
    /// to sign in.
    package func fate(at event: AccountEvent) -> Fate {
        if event == .erased { return .ends }
        switch self {
        case .password: return Self.fate(event, ends: [.reset, .newPassword])
        // Whoever reads the mail alone must not get rid of it.
        case .secondFactor: return Self.fate(event, ends: [.unconfirmed])
        // It may be that of a stranger who has signed up with the address of somebody else.
        case .session: return Self.fate(event, ends: Self.renewals + [.newRole, .closing, .unconfirmed])
        case .token, .code: return Self.fate(event, ends: Self.renewals + [.newRole, .closing, .unconfirmed])
        case .ownerLink: return Self.fate(event, ends: Self.renewals + [.closing])
        // It was sent to the address that the account had.
        case .resetLink: return Self.fate(event, ends: Self.renewals + [.newAddress, .closing])
        // It would bring the former address back.
        case .confirmLink: return Self.fate(event, ends: [.reset, .newAddress, .closing])
        case .appealLink: return Self.fate(event, ends: Self.renewals + [.unconfirmed])
        case .pendingAddress: return Self.fate(event, ends: Self.renewals + [.newAddress, .closing])
        // A way to sign in, as the password is: a reset ends it, since who had the account may have linked one of their own.
        case .identity, .passkey: return Self.fate(event, ends: [.reset, .unconfirmed])
        case .passkeyChallenge, .identityAttempt, .identityArrival, .frame, .feedAddress:
            return Self.fate(event, ends: Self.renewals + [.closing, .unconfirmed])
        // They are bound to a session, the link to the session or token that asked for it.
        case .pushSubscription, .frameKey:
            return Self.fate(event, ends: Self.renewals + [.newRole, .closing, .unconfirmed])
        case .knownBrowser: return Self.fate(event, ends: Self.renewals + [.closing])
        }
    }

    /// What a person does who wants everybody else out.
    private static let renewals: [AccountEvent] = [.reset, .newPassword, .signOutEverywhere]

    private static func fate(_ event: AccountEvent, ends: [AccountEvent]) -> Fate {
        ends.contains(event) ? .ends : .lives
    }
}
